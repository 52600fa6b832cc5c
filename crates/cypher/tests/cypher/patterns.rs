//! Matches of MATCH: nodes by label, name and property; relationships by type and direction.

use expect_test::expect;

use super::check;

#[test]
fn nodes_by_label() {
    check(
        "MATCH (f:File) RETURN f.path",
        expect![[r#"
        f.path
        'app/main.py'
        'app/shop.py'
        'app/tax.py'
        'tests/test_shop.py'
    "#]],
    );
    check(
        "MATCH (c:Class) RETURN c",
        expect![[r#"
        c
        (Class:Store)
        (Class:Basket)
    "#]],
    );
    check(
        "MATCH (n:Class|Method) RETURN n.qualified_name ORDER BY n.qualified_name",
        expect![[r#"
            n.qualified_name
            'Basket'
            'Basket.add'
            'Basket.count'
            'Store'
            'Store.add'
        "#]],
    );
    check(
        "MATCH (n:Symbol:Class) RETURN n.name",
        expect![[r#"
        n.name
        'Store'
        'Basket'
    "#]],
    );
    check(
        "MATCH (n:folder) RETURN n.path",
        expect![[r#"
        n.path
        'app'
        'tests'
    "#]],
    );
}

#[test]
fn nodes_by_name() {
    check(
        "MATCH (n {name: 'add'}) RETURN n",
        expect![[r#"
        n
        (Method:Store.add)
        (Method:Basket.add)
    "#]],
    );
    check(
        "MATCH (n:Method {name: 'add'}) WHERE n.path ENDS WITH 'shop.py' RETURN n.qualified_name, n.line",
        expect![[r#"
            n.qualified_name | n.line
            'Store.add' | 4
            'Basket.add' | 8
        "#]],
    );
    check(
        "MATCH (n) WHERE n.name IN ['main', 'total'] RETURN n.name, labels(n)",
        expect![[r#"
            n.name | labels(n)
            'main' | ['Function', 'Symbol']
            'total' | ['Function', 'Symbol']
        "#]],
    );
    check(
        "MATCH (n {path: 'app/tax.py'}) RETURN n",
        expect![[r#"
        n
        (File:app/tax.py)
        (Function:add_tax)
        (Function:round_up)
        (Function:again)
    "#]],
    );
    check(
        "MATCH (n {name: 'tax.py'}) RETURN n",
        expect![[r#"
        n
        (File:app/tax.py)
    "#]],
    );
}

#[test]
fn one_relationship() {
    check(
        "MATCH (a {name: 'main'})-[r:CALLS]->(b) RETURN b, r.reason, r.line",
        expect![[r#"
            b | r.reason | r.line
            (Function:report) | 'same-file' | 7
            (Class:Basket) | 'import' | 5
            (Method:Basket.add) | 'receiver-type' | 6
            (Function:total) | 'import' | 7
        "#]],
    );
    check(
        "MATCH (a)<-[:CALLS]-(b {name: 'main'}) RETURN a",
        expect![[r#"
            a
            (Function:report)
            (Class:Basket)
            (Method:Basket.add)
            (Function:total)
        "#]],
    );
    check(
        "MATCH (a {name: 'round_up'})-[:CALLS]-(b) RETURN DISTINCT b.name",
        expect![[r#"
            b.name
            'again'
            'add_tax'
        "#]],
    );
    check(
        "MATCH (a:Class)-->(b) RETURN a, b",
        expect![[r#"
            a | b
            (Class:Store) | (Method:Store.add)
            (Class:Store) | (Method:Store.add)
            (Class:Store) | (Community:Shop: Basket)
            (Class:Basket) | (Method:Basket.add)
            (Class:Basket) | (Method:Basket.count)
            (Class:Basket) | (Method:Basket.add)
            (Class:Basket) | (Method:Basket.count)
            (Class:Basket) | (Class:Store)
            (Class:Basket) | (Community:Shop: Basket)
        "#]],
    );
    check(
        "MATCH (a:Class)-[r:EXTENDS|HAS_METHOD]->(b) RETURN a.name, type(r), b",
        expect![[r#"
            a.name | type(r) | b
            'Store' | 'HAS_METHOD' | (Method:Store.add)
            'Basket' | 'HAS_METHOD' | (Method:Basket.add)
            'Basket' | 'HAS_METHOD' | (Method:Basket.count)
            'Basket' | 'EXTENDS' | (Class:Store)
        "#]],
    );
}

#[test]
fn two_steps() {
    check(
        "MATCH (a {name: 'main'})-[:CALLS]->(b)-[:CALLS]->(c) RETURN b.name, c.name",
        expect![[r#"
            b.name | c.name
            'add' | 'count'
            'total' | 'add_tax'
        "#]],
    );
    check(
        "MATCH (f:File)-[:DEFINES]->(c:Class)-[:HAS_METHOD]->(m) RETURN f.path, c.name, m.name",
        expect![[r#"
            f.path | c.name | m.name
            'app/shop.py' | 'Store' | 'add'
            'app/shop.py' | 'Basket' | 'add'
            'app/shop.py' | 'Basket' | 'count'
        "#]],
    );
}

#[test]
fn several_patterns() {
    check(
        "MATCH (a:Function {name: 'main'}), (b:Class) RETURN a.name, b.name",
        expect![[r#"
            a.name | b.name
            'main' | 'Store'
            'main' | 'Basket'
        "#]],
    );
    check(
        "MATCH (a {name: 'main'})-[:CALLS]->(b), (c {name: 'test_total'})-[:CALLS]->(b) RETURN b.name",
        expect![[r#"
            b.name
            'total'
        "#]],
    );
    check(
        "MATCH (a:Function) MATCH (a)-[:CALLS]->(a) RETURN a",
        expect![[r#"
            a
        "#]],
    );
}

#[test]
fn no_relationship_twice() {
    check(
        "MATCH (a)-[:CALLS]->(b)-[:CALLS]->(a) RETURN a.name, b.name ORDER BY a.name",
        expect![[r#"
            a.name | b.name
            'again' | 'round_up'
            'round_up' | 'again'
        "#]],
    );
    check(
        "MATCH (a:Class {name: 'Basket'})-[:HAS_METHOD]->(m)<-[:HAS_METHOD]-(b) RETURN b.name",
        expect![[r#"
            b.name
        "#]],
    );
    check(
        "MATCH (a)-[r:EXTENDS]->(b), (c)-[s:EXTENDS]->(d) RETURN a.name, c.name",
        expect![[r#"
            a.name | c.name
        "#]],
    );
}

#[test]
fn relationship_properties() {
    check(
        "MATCH (a)-[r:CALLS {reason: 'self-type'}]->(b) RETURN a.name, b.name",
        expect![[r#"
            a.name | b.name
            'add' | 'count'
        "#]],
    );
    check(
        "MATCH (a)-[r:CALLS]->(b) WHERE r.confidence >= 0.99 AND a.name = 'main' RETURN b.name, r.confidence",
        expect![[r#"
            b.name | r.confidence
            'report' | 0.99
            'Basket' | 0.99
            'add' | 0.99
            'total' | 0.99
        "#]],
    );
}

#[test]
fn properties_of_other_nodes() {
    check(
        "MATCH (a:Method), (b:Method {name: a.name}) WHERE id(a) < id(b) RETURN a, b",
        expect![[r#"
            a | b
            (Method:Store.add) | (Method:Basket.add)
        "#]],
    );
    check(
        "MATCH (a:Class {name: 'Store'})<-[r]-(b {name: 'Basket'}) RETURN type(r)",
        expect![[r#"
            type(r)
            'EXTENDS'
        "#]],
    );
}

#[test]
fn optional() {
    check(
        "MATCH (c:Class) OPTIONAL MATCH (c)-[:EXTENDS]->(s) RETURN c.name, s.name",
        expect![[r#"
            c.name | s.name
            'Store' | null
            'Basket' | 'Store'
        "#]],
    );
    check(
        "MATCH (f:Function) OPTIONAL MATCH (g)-[:CALLS]->(f) WHERE g.test RETURN f.name, g.name",
        expect![[r#"
            f.name | g.name
            'main' | null
            'report' | null
            'total' | 'test_total'
            'add_tax' | null
            'round_up' | null
            'again' | null
            'test_total' | null
        "#]],
    );
    check(
        "OPTIONAL MATCH (n:Class {name: 'Nothing'}) RETURN n",
        expect![[r#"
            n
            null
        "#]],
    );
    check(
        "MATCH (c:Class) OPTIONAL MATCH (c)-[:EXTENDS]->(s) MATCH (s)-[:HAS_METHOD]->(m) RETURN c.name, m.name",
        expect![[r#"
            c.name | m.name
            'Basket' | 'add'
        "#]],
    );
}

#[test]
fn nothing() {
    check(
        "MATCH (n {name: 'nowhere'}) RETURN n",
        expect![[r#"
        n
    "#]],
    );
    check(
        "MATCH (a:Class)-[:CALLS]->(b:File) RETURN a",
        expect![[r#"
        a
    "#]],
    );
}
