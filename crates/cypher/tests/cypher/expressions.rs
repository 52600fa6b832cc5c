//! Values: arithmetic, text, lists, maps, CASE, functions.

use expect_test::expect;

use super::check;

#[test]
fn numbers() {
    check(
        "RETURN 1 + 2 * 3 AS a, (1 + 2) * 3 AS b, 7 / 2 AS c, 7 % 4 AS d, 7.0 / 2 AS e, 2 ^ 3 AS f, -(-1) AS g, 1e3 AS h, .5 AS i",
        expect![[r#"
            a | b | c | d | e | f | g | h | i
            7 | 9 | 3 | 3 | 3.5 | 8.0 | 1 | 1000.0 | 0.5
        "#]],
    );
    check(
        "RETURN 10 - 3 - 2 AS a, abs(-3) AS b, round(2.5) AS c, floor(-1.5) AS d, ceil(1.2) AS e, toInteger('42') AS f, toFloat('x') AS g, sign(-2.0) AS h",
        expect![[r#"
            a | b | c | d | e | f | g | h
            5 | 3 | 3.0 | -2.0 | 2.0 | 42 | null | -1
        "#]],
    );
    check(
        "RETURN 1 = 1.0 AS a, 1 < 1.5 AS b, 'a' < 'b' AS c, 1 < 'a' AS d, [1, 2] = [1, 2] AS e, [1, null] = [1, null] AS f",
        expect![[r#"
            a | b | c | d | e | f
            true | true | true | null | true | null
        "#]],
    );
}

#[test]
fn text() {
    check(
        "RETURN 'a' + 'b' AS a, 'n' + 1 AS b, \"it's\" AS c, 'it\\'s' AS d, size('über') AS e, toUpper('über') AS f",
        expect![[r#"
            a | b | c | d | e | f
            'ab' | 'n1' | 'it's' | 'it's' | 4 | 'ÜBER'
        "#]],
    );
    check(
        "RETURN split('a.b.c', '.') AS a, replace('aXbX', 'X', '-') AS b, substring('hello', 1, 3) AS c, left('hello', 2) AS d, right('hello', 2) AS e, trim('  x ') AS f, reverse('abc') AS g, toString(1.0) AS h",
        expect![[r#"
            a | b | c | d | e | f | g | h
            ['a', 'b', 'c'] | 'a-b-' | 'ell' | 'he' | 'lo' | 'x' | 'cba' | '1.0'
        "#]],
    );
}

#[test]
fn lists() {
    check(
        "RETURN [1, 2, 3][0] AS a, [1, 2, 3][-1] AS b, [1, 2, 3][1..] AS c, [1, 2, 3][..-1] AS d, [1, 2][5] AS e, size([1, 2]) AS f",
        expect![[r#"
            a | b | c | d | e | f
            1 | 3 | [2, 3] | [1, 2] | null | 2
        "#]],
    );
    check(
        "RETURN [x IN range(1, 5) WHERE x % 2 = 1 | x * x] AS a, head([1, 2]) AS b, last([1, 2]) AS c, tail([1, 2]) AS d, range(5, 1, -2) AS e, [1] + [2] + 3 AS f",
        expect![[r#"
            a | b | c | d | e | f
            [1, 9, 25] | 1 | 2 | [2] | [5, 3, 1] | [1, 2, 3]
        "#]],
    );
    check(
        "RETURN any(x IN [1, 2] WHERE x > 1) AS a, all(x IN [] WHERE x > 1) AS b, none(x IN [1] WHERE x > 1) AS c, single(x IN [1, 2] WHERE x > 1) AS d, any(x IN [null] WHERE x > 1) AS e",
        expect![[r#"
            a | b | c | d | e
            true | true | true | true | null
        "#]],
    );
}

#[test]
fn maps() {
    check(
        "RETURN {a: 1, b: 'x'} AS m, {a: {b: 2}}.a.b AS n, {a: 1}['a'] AS o, {a: 1}.z AS p, keys({b: 1, a: 2}) AS q",
        expect![[r#"
            m | n | o | p | q
            {a: 1, b: 'x'} | 2 | 1 | null | ['a', 'b']
        "#]],
    );
    check(
        "MATCH (c:Class {name: 'Store'}) RETURN keys(c) AS k, properties(c).name AS n",
        expect![[r#"
            k | n
            ['id', 'name', 'kind', 'qualified_name', 'path', 'language', 'line', 'start_line', 'end_line', 'signature', 'centrality', 'exported', 'test', 'async', 'static', 'declaration'] | 'Store'
        "#]],
    );
}

#[test]
fn cases() {
    check(
        "MATCH (f:Function) WHERE f.path = 'app/main.py' RETURN f.name, CASE f.name WHEN 'main' THEN 'entry' ELSE 'other' END AS role",
        expect![[r#"
            f.name | role
            'main' | 'entry'
            'report' | 'other'
        "#]],
    );
    check(
        "RETURN CASE WHEN 1 > 2 THEN 'a' WHEN 2 > 1 THEN 'b' END AS x, CASE 3 WHEN 4 THEN 'a' END AS y",
        expect![[r#"
            x | y
            'b' | null
        "#]],
    );
}

#[test]
fn of_the_graph() {
    check(
        "MATCH (a {name: 'total'})-[r:CALLS]->(b) RETURN type(r), startNode(r).name, endNode(r) = b AS same, id(a) = a.id AS id, labels(a)",
        expect![[r#"
            type(r) | startNode(r).name | same | id | labels(a)
            'CALLS' | 'total' | true | true | ['Function', 'Symbol']
        "#]],
    );
    check(
        "MATCH (n:Method {name: 'count'}) RETURN n.qualified_name, n.kind, n.language, n.start_line, n.end_line, n.exported, n.signature, coalesce(n.doc, 'none') AS doc",
        expect![[r#"
            n.qualified_name | n.kind | n.language | n.start_line | n.end_line | n.exported | n.signature | doc
            'Basket.count' | 'Method' | 'python' | 11 | 12 | true | 'def count(self)' | 'none'
        "#]],
    );
    check(
        "MATCH (n:Function {name: 'test_total'}) RETURN n.test, n.isTest, n.filePath, n.startLine",
        expect![[r#"
            n.test | n.isTest | n.filePath | n.startLine
            true | true | 'tests/test_shop.py' | 3
        "#]],
    );
}

#[test]
fn comments_and_case() {
    check(
        "match (n:class) /* all
 of them */ where n.name = 'Store' // only one
 return N.name",
        expect![[r#"
            Name: line 3, column 9: there is no variable `N`
              did you mean n?
        "#]],
    );
    check(
        "match (n:class) /* all
 of them */ where n.name = 'Store' // only one
 return n.name AS `the name`;",
        expect![[r#"
            the name
            'Store'
        "#]],
    );
}
