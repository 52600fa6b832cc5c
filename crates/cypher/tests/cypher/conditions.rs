//! WHERE: comparisons, strings, lists, null, patterns.

use expect_test::expect;

use super::check;

#[test]
fn kinds_are_compared_in_any_case() {
    for condition in [
        "f.kind = 'class'",
        "'CLASS' = f.kind",
        "f.type IN ['class', 'Trait']",
        "NOT f.kind <> 'cLass'",
    ] {
        check(
            &format!("MATCH (f) WHERE {condition} RETURN f.name, f.kind"),
            expect![[r#"
                f.name | f.kind
                'Store' | 'Class'
                'Basket' | 'Class'
            "#]],
        );
    }
    check(
        "MATCH (f {kind: 'class'})-[r {type: 'has_method'}]->() WHERE r.type = 'Has_Method' RETURN DISTINCT f.name",
        expect![[r#"
            f.name
            'Store'
            'Basket'
        "#]],
    );
    check(
        "MATCH (f:Function) WHERE f.name = 'Main' RETURN f.name",
        expect![[r#"
            f.name
        "#]],
    );
}

#[test]
fn comparisons() {
    check(
        "MATCH (f:Function) WHERE f.line > 1 AND f.line <= 5 RETURN f.name, f.line",
        expect![[r#"
            f.name | f.line
            'main' | 3
            'round_up' | 4
            'test_total' | 3
        "#]],
    );
    check(
        "MATCH (f:Function) WHERE 3 < f.line < 8 RETURN f.name",
        expect![[r#"
            f.name
            'round_up'
            'again'
        "#]],
    );
    check(
        "MATCH (f:Function) WHERE NOT f.line = 1 AND f.name <> 'main' RETURN f.name",
        expect![[r#"
            f.name
            'report'
            'total'
            'round_up'
            'again'
            'test_total'
        "#]],
    );
    check(
        "MATCH (f:Function) WHERE f.complexity > 1 RETURN f.name, f.complexity",
        expect![[r#"
            f.name | f.complexity
            'total' | 2
        "#]],
    );
}

#[test]
fn strings() {
    check(
        "MATCH (f:Function) WHERE f.name STARTS WITH 'add' RETURN f.name",
        expect![[r#"
            f.name
            'add_tax'
        "#]],
    );
    check(
        "MATCH (f) WHERE f.name ENDS WITH '.py' AND f.name CONTAINS 'shop' RETURN f.name",
        expect![[r#"
            f.name
            'shop.py'
            'test_shop.py'
        "#]],
    );
    check(
        "MATCH (f:Function) WHERE f.name =~ '.*_.*' RETURN f.name",
        expect![[r#"
            f.name
            'add_tax'
            'round_up'
            'test_total'
        "#]],
    );
    check(
        "MATCH (f:Function) WHERE f.name =~ 'MAIN' RETURN f.name",
        expect![[r#"
            f.name
        "#]],
    );
    check(
        "MATCH (f:Function) WHERE f.name =~ '(?i)MAIN' RETURN f.name",
        expect![[r#"
            f.name
            'main'
        "#]],
    );
    check(
        "MATCH (f:Function) WHERE toLower(f.signature) CONTAINS 'value' RETURN f.name",
        expect![[r#"
            f.name
            'report'
            'add_tax'
            'round_up'
            'again'
        "#]],
    );
}

#[test]
fn lists() {
    check(
        "MATCH (f:Function) WHERE f.name IN ['main', 'again'] RETURN f.name",
        expect![[r#"
            f.name
            'main'
            'again'
        "#]],
    );
    check(
        "RETURN 1 IN [1, 2] AS a, 3 IN [1, null] AS b, null IN [] AS c",
        expect![[r#"
            a | b | c
            true | null | false
        "#]],
    );
    check(
        "MATCH (c:Class) WHERE 'Class' IN labels(c) RETURN count(c)",
        expect![[r#"
            count(c)
            2
        "#]],
    );
}

#[test]
fn null() {
    check(
        "MATCH (n:Symbol) WHERE n.doc IS NOT NULL RETURN n.name, n.doc",
        expect![[r#"
            n.name | n.doc
            'main' | 'Starts it.'
        "#]],
    );
    check(
        "MATCH (f:File) WHERE f.signature IS NULL RETURN count(f) AS n",
        expect![[r#"
            n
            4
        "#]],
    );
    check(
        "RETURN null = null AS a, null <> 1 AS b, NOT null AS c, null OR true AS d, null AND false AS e, null XOR true AS f",
        expect![[r#"
            a | b | c | d | e | f
            null | null | null | true | false | null
        "#]],
    );
    check(
        "MATCH (f:Function) WHERE f.doc = null RETURN f",
        expect![[r#"
            f
        "#]],
    );
}

#[test]
fn logic() {
    check(
        "RETURN true XOR true AS a, true XOR false AS b, NOT (true AND false) AS c, true OR false AND false AS d",
        expect![[r#"
            a | b | c | d
            false | true | true | true
        "#]],
    );
    check(
        "MATCH (f:Function) WHERE f.name = 'main' OR f.name = 'total' AND f.line > 100 RETURN f.name",
        expect![[r#"
            f.name
            'main'
        "#]],
    );
}

#[test]
fn patterns_as_conditions() {
    check(
        "MATCH (f:Function) WHERE NOT ()-[:CALLS]->(f) RETURN f.name",
        expect![[r#"
            f.name
            'main'
            'test_total'
        "#]],
    );
    check(
        "MATCH (f:Function) WHERE (f)-[:CALLS]->(:Function {name: 'total'}) RETURN f.name",
        expect![[r#"
            f.name
            'main'
            'test_total'
        "#]],
    );
    check(
        "MATCH (c:Class) WHERE EXISTS { (c)-[:HAS_METHOD]->(m) WHERE m.name = 'count' } RETURN c.name",
        expect![[r#"
            c.name
            'Basket'
        "#]],
    );
    check(
        "MATCH (f:Function) WHERE exists((f)-[:CALLS*2]->({name: 'again'})) RETURN f.name",
        expect![[r#"
            f.name
            'add_tax'
            'again'
        "#]],
    );
    check(
        "MATCH (c:Class) RETURN c.name, (c)-[:EXTENDS]->() AS extends",
        expect![[r#"
            c.name | extends
            'Store' | false
            'Basket' | true
        "#]],
    );
    check(
        "MATCH (a:Function), (b:Function) WHERE (a)-[:CALLS]->(b) AND (b)-[:CALLS]->(a) AND a.name < b.name RETURN a.name, b.name",
        expect![[r#"
            a.name | b.name
            'again' | 'round_up'
        "#]],
    );
}

#[test]
fn labels_as_conditions() {
    check(
        "MATCH (n {path: 'app/shop.py'}) WHERE n:Class OR n:Function RETURN n",
        expect![[r#"
            n
            (Class:Store)
            (Class:Basket)
            (Function:total)
        "#]],
    );
    check(
        "MATCH (n {path: 'app/shop.py'}) WHERE NOT n:Symbol RETURN n",
        expect![[r#"
            n
            (File:app/shop.py)
        "#]],
    );
}

#[test]
fn parameters() {
    super::check_with(
        "MATCH (f {name: $name}) RETURN f.path",
        &[("name", cypher::Value::Text("main".into()))],
        expect![[r#"
            f.path
            'app/main.py'
        "#]],
    );
    super::check_with(
        "MATCH (f:Function) RETURN f.name ORDER BY f.name SKIP $skip LIMIT $n",
        &[
            ("skip", cypher::Value::Int(1)),
            ("n", cypher::Value::Int(2)),
        ],
        expect![[r#"
            f.name
            'again'
            'main'
        "#]],
    );
    super::check_with(
        "MATCH (f) WHERE f.name = $nmae RETURN f",
        &[("name", cypher::Value::Null)],
        expect![[r#"
            Name: line 1, column 26: no value was given for $nmae
              there are values for name
        "#]],
    );
}
