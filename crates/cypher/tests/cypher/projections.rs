//! WITH and RETURN: names, DISTINCT, aggregates, ORDER BY, SKIP, LIMIT, UNWIND, UNION.

use expect_test::expect;

use super::check;

#[test]
fn names() {
    check(
        "MATCH (c:Class) RETURN c.name AS class, c.line + 1",
        expect![[r#"
            class | c.line + 1
            'Store' | 4
            'Basket' | 8
        "#]],
    );
    check(
        "MATCH (c:Class)-[r:EXTENDS]->(d) RETURN *",
        expect![[r#"
        c | r | d
        (Class:Basket) | [EXTENDS Basket→Store] | (Class:Store)
    "#]],
    );
    check(
        "MATCH (c:Class) WITH *, c.name AS n RETURN n",
        expect![[r#"
            n
            'Store'
            'Basket'
        "#]],
    );
}

#[test]
fn distinct() {
    check(
        "MATCH (a)-[:CALLS]->(b:Function) RETURN DISTINCT b.name ORDER BY b.name",
        expect![[r#"
            b.name
            'add_tax'
            'again'
            'report'
            'round_up'
            'total'
        "#]],
    );
    check(
        "MATCH (f:Function) RETURN DISTINCT f.path",
        expect![[r#"
        f.path
        'app/main.py'
        'app/shop.py'
        'app/tax.py'
        'tests/test_shop.py'
    "#]],
    );
}

#[test]
fn aggregates() {
    check(
        "MATCH (f:Function) RETURN count(*) AS n, count(f.doc) AS docs, min(f.line) AS first, max(f.line) AS last, sum(f.complexity) AS sum, avg(f.complexity) AS mean",
        expect![[r#"
            n | docs | first | last | sum | mean
            7 | 1 | 1 | 14 | 8 | 1.1428571428571428
        "#]],
    );
    check(
        "MATCH (f:Function) RETURN f.path AS path, count(*) AS n, collect(f.name) AS names ORDER BY n DESC, path",
        expect![[r#"
            path | n | names
            'app/tax.py' | 3 | ['add_tax', 'round_up', 'again']
            'app/main.py' | 2 | ['main', 'report']
            'app/shop.py' | 1 | ['total']
            'tests/test_shop.py' | 1 | ['test_total']
        "#]],
    );
    check(
        "MATCH (n:Nothing2) RETURN n",
        expect![[r#"
        Name: line 1, column 10: there is no label `Nothing2`
          the labels are File, Folder, Symbol, External, Community, Process, Module, Function, Method, Constructor, Class, Struct, Enum, Variant, Trait, Interface, Impl, TypeAlias, Constant, Variable, Field, Macro, Section
    "#]],
    );
    check(
        "MATCH (n {name: 'nowhere'}) RETURN count(n) AS n, sum(n.line) AS s, avg(n.line) AS a, collect(n) AS c, min(n.line) AS m",
        expect![[r#"
            n | s | a | c | m
            0 | 0 | null | [] | null
        "#]],
    );
    check(
        "MATCH (n {name: 'nowhere'}) RETURN n.name, count(n)",
        expect![[r#"
            n.name | count(n)
        "#]],
    );
    check(
        "MATCH (a)-[:CALLS]->(b:Function) RETURN count(b) AS all, count(DISTINCT b) AS different",
        expect![[r#"
            all | different
            7 | 5
        "#]],
    );
    check(
        "MATCH (f:Function) RETURN f.path, count(*) * 2 + 1 AS n, size(collect(f)) = count(*) AS same ORDER BY f.path",
        expect![[r#"
            f.path | n | same
            'app/main.py' | 5 | true
            'app/shop.py' | 3 | true
            'app/tax.py' | 7 | true
            'tests/test_shop.py' | 3 | true
        "#]],
    );
}

#[test]
fn order() {
    check(
        "MATCH (f:Function) RETURN f.name ORDER BY f.path DESC, f.line LIMIT 3",
        expect![[r#"
            f.name
            'test_total'
            'add_tax'
            'round_up'
        "#]],
    );
    check(
        "MATCH (f:Function) RETURN f.name AS n ORDER BY size(n), n SKIP 2 LIMIT 2",
        expect![[r#"
            n
            'total'
            'report'
        "#]],
    );
    check(
        "MATCH (a)-[:CALLS]->(b) RETURN b.name, count(*) ORDER BY count(*) DESC, b.name LIMIT 2",
        expect![[r#"
            b.name | count(*)
            'round_up' | 2
            'total' | 2
        "#]],
    );
    check(
        "UNWIND [2, null, 'a', 1.5, true] AS x RETURN x ORDER BY x",
        expect![[r#"
            x
            'a'
            true
            1.5
            2
            null
        "#]],
    );
    check(
        "UNWIND [2, null, 'a', 1.5, true] AS x RETURN x ORDER BY x DESC",
        expect![[r#"
            x
            null
            2
            1.5
            true
            'a'
        "#]],
    );
}

#[test]
fn with() {
    check(
        "MATCH (a)-[:CALLS]->(b) WITH b, count(a) AS n WHERE n > 1 RETURN b.name, n ORDER BY n DESC, b.name",
        expect![[r#"
            b.name | n
            'round_up' | 2
            'total' | 2
        "#]],
    );
    check(
        "MATCH (f:Function) WITH f ORDER BY f.name LIMIT 2 MATCH (f)-[:CALLS]->(g) RETURN f.name, g.name",
        expect![[r#"
            f.name | g.name
            'add_tax' | 'round_up'
            'again' | 'round_up'
        "#]],
    );
    check(
        "MATCH (c:Class) WITH collect(c) AS all UNWIND all AS c MATCH (c)-[:HAS_METHOD]->(m) RETURN c.name, count(m) AS n ORDER BY c.name",
        expect![[r#"
            c.name | n
            'Basket' | 2
            'Store' | 1
        "#]],
    );
    check(
        "MATCH (c:Class) WITH c.name AS name RETURN name, c",
        expect![[r#"
            Name: line 1, column 50: there is no variable `c`
              the variables here are name
        "#]],
    );
}

#[test]
fn unwind() {
    check(
        "UNWIND [1, 2] AS a UNWIND ['x', 'y'] AS b RETURN a, b",
        expect![[r#"
            a | b
            1 | 'x'
            1 | 'y'
            2 | 'x'
            2 | 'y'
        "#]],
    );
    check(
        "UNWIND [] AS a RETURN a",
        expect![[r#"
        a
    "#]],
    );
    check(
        "UNWIND null AS a RETURN a",
        expect![[r#"
        a
    "#]],
    );
    check(
        "UNWIND ['main', 'total'] AS name MATCH (f:Function {name: name}) RETURN f.path",
        expect![[r#"
            f.path
            'app/main.py'
            'app/shop.py'
        "#]],
    );
}

#[test]
fn limits_end_the_search() {
    check(
        "MATCH (a), (b), (c), (d), (e) RETURN a.name LIMIT 1",
        expect![[r#"
            a.name
            'main.py'
        "#]],
    );
    check(
        "MATCH (a), (b), (c) WITH a LIMIT 2 RETURN count(a) AS n",
        expect![[r#"
            n
            2
        "#]],
    );
    check(
        "RETURN 1 AS n LIMIT 0",
        expect![[r#"
        n
    "#]],
    );
}

#[test]
fn union() {
    check(
        "MATCH (c:Class) RETURN c.name AS name UNION MATCH (f:Function) WHERE f.line = 1 RETURN f.name AS name",
        expect![[r#"
            name
            'Store'
            'Basket'
            'add_tax'
        "#]],
    );
    check(
        "RETURN 1 AS n UNION RETURN 1 AS n",
        expect![[r#"
        n
        1
    "#]],
    );
    check(
        "RETURN 1 AS n UNION ALL RETURN 1 AS n",
        expect![[r#"
        n
        1
        1
    "#]],
    );
    check(
        "RETURN 1 AS n UNION RETURN 1 AS m",
        expect![[r#"
        Name: line 1, column 21: the queries of a UNION return different columns: n and m
          name them alike with AS
    "#]],
    );
}
