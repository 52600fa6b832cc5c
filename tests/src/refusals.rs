//! Requests for walks that cannot be answered: the error names the fault.

use expect_test::expect;
use serde_json::json;

use crate::walks::check;

#[test]
fn wrong_questions_are_named() {
    check(
        "traverse",
        json!({"from": "nothing"}),
        &expect![[r#"
        symbol.not-found the index has no symbol "nothing" | 
    "#]],
    );
    check(
        "traverse",
        json!({"from": "order", "depth": 51}),
        &expect![[r#"
            query.invalid depth is 51; it can be 1 to 50 | 
        "#]],
    );
    check(
        "traverse",
        json!({"from": "order", "edges": ["calls", "uses"]}),
        &expect![[r#"
            query.invalid there is no kind of edge "uses" | one of CONTAINS, DEFINES, HAS_METHOD, CALLS, REFERENCES, IMPORTS, EXTENDS, IMPLEMENTS, ALIASES, DISPATCH, MEMBER_OF, STEP_IN_PROCESS
        "#]],
    );
    check(
        "traverse",
        json!({"from": "order", "nodes": ["funktion"]}),
        &expect![[r#"
            query.invalid there is no kind of node "funktion" | one of file, folder, symbol, external, community, process, or a kind of symbol such as function, method, class
        "#]],
    );
    check(
        "paths",
        json!({"from": "order", "to": ""}),
        &expect![[r#"
        query.empty no symbol was named | 
    "#]],
    );
    check(
        "process",
        json!({"process": "99999"}),
        &expect![[r#"
        query.invalid the index has no process "99999" | name it by its label, its number in the list of all, or its place there from 0
    "#]],
    );
    check(
        "processes",
        json!({"entry_kinds": ["exit"]}),
        &expect![[r#"
            query.invalid there is no entry kind "exit" | one of main, route, handler, exported, uncalled, test
        "#]],
    );
    check(
        "code_intelligence",
        json!({"command": "guess", "symbol": "order"}),
        &expect![[r#"
            request.invalid unknown variant `guess`, expected one of `find`, `refs`, `callers`, `callees`, `similar`, `graph`, `query` at line 1 column 18 | the request is a JSON object with the fields of the tool
        "#]],
    );
}
