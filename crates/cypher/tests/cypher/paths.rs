//! Paths: of variable length, shortest ones, and their nodes and relationships.

use expect_test::expect;

use super::check;

#[test]
fn variable_length() {
    check(
        "MATCH (a {name: 'main'})-[:CALLS*1..2]->(b) RETURN b.name",
        expect![[r#"
            b.name
            'report'
            'Basket'
            'add'
            'count'
            'total'
            'add_tax'
        "#]],
    );
    check(
        "MATCH (a {name: 'add_tax'})-[:CALLS*]->(b) RETURN b.name",
        expect![[r#"
            b.name
            'round_up'
            'again'
            'round_up'
        "#]],
    );
    check(
        "MATCH (a {name: 'add_tax'})-[:CALLS*0..1]->(b) RETURN b.name",
        expect![[r#"
            b.name
            'add_tax'
            'round_up'
        "#]],
    );
    check(
        "MATCH (a {name: 'main'})-[:CALLS*3]->(b) RETURN b.name",
        expect![[r#"
            b.name
            'round_up'
        "#]],
    );
    check(
        "MATCH (a {name: 'main'})-[:CALLS*..2]->(b {name: 'count'}) RETURN count(*)",
        expect![[r#"
            count(*)
            1
        "#]],
    );
    check(
        "MATCH (a {name: 'round_up'})<-[:CALLS*2..3]-(b) RETURN b.name",
        expect![[r#"
            b.name
            'total'
            'main'
            'test_total'
            'round_up'
            'add_tax'
        "#]],
    );
    check(
        "MATCH (a {name: 'add_tax'})-[:CALLS*0]->(b) RETURN b.name",
        expect![[r#"
            b.name
            'add_tax'
        "#]],
    );
}

#[test]
fn each_node_once() {
    check(
        "MATCH (a {name: 'main'})-[:CALLS*]->(b) RETURN DISTINCT b.name ORDER BY b.name",
        expect![[r#"
            b.name
            'Basket'
            'add'
            'add_tax'
            'again'
            'count'
            'report'
            'round_up'
            'total'
        "#]],
    );
    check(
        "MATCH (a {name: 'round_up'})-[:CALLS*]->(b) RETURN count(DISTINCT b) AS n",
        expect![[r#"
            n
            2
        "#]],
    );
    check(
        "MATCH (a {name: 'main'})-[:CALLS*]->(b) RETURN count(b) AS n",
        expect![[r#"
            n
            9
        "#]],
    );
}

#[test]
fn relationships_of_a_path() {
    check(
        "MATCH (a {name: 'total'})-[r:CALLS*2]->(b) RETURN r",
        expect![[r#"
            r
            [[CALLS total→add_tax], [CALLS add_tax→round_up]]
        "#]],
    );
    check(
        "MATCH (b)<-[r:CALLS*2]-(a {name: 'total'}) RETURN r",
        expect![[r#"
            r
            [[CALLS add_tax→round_up], [CALLS total→add_tax]]
        "#]],
    );
    check(
        "MATCH (a)-[r:CALLS*2]->(b {name: 'round_up'}) RETURN a.name, r",
        expect![[r#"
            a.name | r
            'total' | [[CALLS total→add_tax], [CALLS add_tax→round_up]]
            'round_up' | [[CALLS round_up→again], [CALLS again→round_up]]
        "#]],
    );
}

#[test]
fn named_paths() {
    check(
        "MATCH p = (a {name: 'main'})-[:CALLS]->(b)-[:CALLS]->(c) RETURN p, length(p)",
        expect![[r#"
            p | length(p)
            main–add–count | 2
            main–total–add_tax | 2
        "#]],
    );
    check(
        "MATCH p = (a {name: 'main'})-[:CALLS*]->(b {name: 'again'}) RETURN [n IN nodes(p) | n.name] AS names",
        expect![[r#"
            names
            ['main', 'total', 'add_tax', 'round_up', 'again']
        "#]],
    );
    check(
        "MATCH p = (a {name: 'main'})-[:CALLS*2]->(b) WHERE all(r IN relationships(p) WHERE r.confidence > 0.5) RETURN b.name",
        expect![[r#"
            b.name
            'count'
            'add_tax'
        "#]],
    );
    check(
        "MATCH p = (c:Class {name: 'Store'}) RETURN p, length(p)",
        expect![[r#"
            p | length(p)
            Store | 0
        "#]],
    );
}

#[test]
fn shortest() {
    check(
        "MATCH p = shortestPath((a {name: 'main'})-[:CALLS*]->(b {name: 'again'})) RETURN p",
        expect![[r#"
            p
            main–total–add_tax–round_up–again
        "#]],
    );
    check(
        "MATCH p = shortestPath((a {name: 'again'})-[:CALLS*]->(b {name: 'main'})) RETURN p",
        expect![[r#"
            p
        "#]],
    );
    check(
        "MATCH p = allShortestPaths((a {name: 'main'})-[:CALLS*]->(b {name: 'count'})) RETURN p ORDER BY length(p)",
        expect![[r#"
            p
            main–add–count
        "#]],
    );
    check(
        "MATCH p = shortestPath((a {name: 'test_total'})-[:CALLS*..2]->(b:Function)) RETURN b.name, length(p)",
        expect![[r#"
            b.name | length(p)
            'total' | 1
            'add_tax' | 2
        "#]],
    );
}
