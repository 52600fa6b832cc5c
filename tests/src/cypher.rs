//! Cypher through the wire: values of every kind, parameters, limits, errors.

use api::answer::{self, Asked, Json};
use expect_test::expect;
use fixture::Fixture;
use serde_json::{Value, json};

use crate::support::{files_of, reader};

const FILES: &str = "
//- /a.py
def one():
    return two()

def two():
    return 2
";

fn ask(request: &Value, clock: Option<&dyn Fn() -> f64>) -> Result<Value, api::ErrorBody> {
    let reader = reader(files_of(&Fixture::parse(FILES)));
    let asked = Asked {
        index: reader.index(),
        embed: &|_| Ok(None),
        clock,
    };
    let answer = answer::ask(asked, "cypher", &Json(&request.to_string()))?;
    Ok(serde_json::from_str(&answer).expect("an answer is JSON"))
}

#[track_caller]
fn check(request: Value, expected: expect_test::Expect) {
    let shown = match ask(&request, None) {
        Ok(answer) => format!(
            "{}{}",
            answer["rows"],
            if answer["truncated"] == json!(true) {
                " …"
            } else {
                ""
            }
        ),
        Err(error) => format!("{}: {} [{}]", error.code, error.message, error.help),
    };
    expected.assert_eq(&shown);
}

#[test]
fn values() {
    check(
        json!({"query": "MATCH p = (a {name: 'one'})-[r:CALLS]->(b) RETURN a, r, p"}),
        expect![[
            r#"[[{"id":1,"label":"Function","line":1,"name":"one","path":"a.py","qualified_name":"one"},{"confidence":0.99,"line":2,"reason":"same-file","source":1,"target":2,"type":"CALLS"},{"nodes":[{"id":1,"label":"Function","line":1,"name":"one","path":"a.py","qualified_name":"one"},{"id":2,"label":"Function","line":4,"name":"two","path":"a.py","qualified_name":"two"}],"relationships":[{"confidence":0.99,"line":2,"reason":"same-file","source":1,"target":2,"type":"CALLS"}]}]]"#
        ]],
    );
    check(
        json!({"query": "MATCH (f:File) RETURN f, 1, 0.5, true, null, [1, 'x'], {a: 1}, 1 / 0.0"}),
        expect![[
            r#"[[{"id":0,"label":"File","line":null,"name":"a.py","path":"a.py","qualified_name":"a.py"},1,0.5,true,null,[1,"x"],{"a":1},null]]"#
        ]],
    );
}

#[test]
fn parameters() {
    check(
        json!({"query": "MATCH (n:Function) WHERE n.name IN $names AND n.line >= $line RETURN n.name", "parameters": {"names": ["one", "two"], "line": 2}}),
        expect![[r#"[["two"]]"#]],
    );
    check(
        json!({"query": "RETURN $a.b[1] AS x, $c AS y, $d AS z", "parameters": {"a": {"b": [1, 2.5]}, "c": null, "d": false}}),
        expect!["[[2.5,null,false]]"],
    );
    check(
        json!({"query": "RETURN $x"}),
        expect![
            "cypher.name: line 1, column 8: no value was given for $x [give it in `parameters`]"
        ],
    );
}

#[test]
fn limits() {
    check(
        json!({"query": "MATCH (n) RETURN n.name", "limit": 2}),
        expect![[r#"[["a.py"],["one"]] …"#]],
    );
    check(
        json!({"query": "MATCH (n), (m) RETURN n.name, m.name", "max_bytes": 256, "limit": 1000}),
        expect![[
            r#"[["a.py","a.py"],["a.py","one"],["a.py","two"],["one","a.py"],["one","one"],["one","two"],["two","a.py"],["two","one"],["two","two"]]"#
        ]],
    );
    check(
        json!({"query": "RETURN 1", "limit": 0}),
        expect!["query.invalid: limit is 0; it can be 1 to 100000 []"],
    );
    check(
        json!({"query": "RETURN 1", "timeout_ms": 0}),
        expect!["query.invalid: timeout_ms is 0; it can be 1 to 60000 []"],
    );
}

#[test]
fn faults() {
    for (query, code) in [
        ("MATCH (n", "cypher.syntax"),
        ("CREATE (n)", "cypher.write"),
        ("MATCH (n:Nothing) RETURN n", "cypher.name"),
        ("RETURN 1 + true AS x", "cypher.type"),
        ("CALL nothing()", "cypher.unsupported"),
    ] {
        let error = ask(&json!({ "query": query }), None).expect_err(query);
        assert_eq!(error.code, code);
        assert!(
            error.message.starts_with("line 1, column "),
            "{}",
            error.message
        );
    }
}

#[test]
fn time_runs_out() {
    let now = std::cell::Cell::new(0.0);
    let clock = || {
        now.set(now.get() + 100.0);
        now.get()
    };
    let query = "UNWIND range(1, 90000) AS x UNWIND range(1, 90000) AS y RETURN count(*)";
    let error =
        ask(&json!({"query": query, "timeout_ms": 250}), Some(&clock)).expect_err("too long");
    expect!["cypher.limit: the query takes longer than 250 ms"]
        .assert_eq(&format!("{}: {}", error.code, error.message));
    let error = ask(&json!({ "query": query }), None).expect_err("too many steps");
    assert_eq!(error.code, "cypher.limit");
}
