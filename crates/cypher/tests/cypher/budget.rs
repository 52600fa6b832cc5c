//! The cost of a query is counted before it is spent, the same on every machine. Before there was a budget, each of
//! these queries took gigabytes or minutes.

use std::time::{Duration, Instant};

use cypher::{Limits, Value};

use super::answer;

/// A tenth of the default steps: tests run without optimisation.
const LIMITS: Limits = Limits {
    max_rows: 1_000,
    max_steps: 4_000_000,
    max_bytes: 80_000_000,
    max_millis: 1e9,
};

/// Runs a query and checks that it ends within a time that the limits never reach, even on the slowest machine.
#[track_caller]
fn ends(query: &str, parameters: &[(&str, Value<'static>)]) -> String {
    let started = Instant::now();
    let answer = answer(query, parameters, LIMITS);
    assert!(started.elapsed() < Duration::from_secs(60), "{query:.80}");
    answer
}

#[track_caller]
fn is_refused(query: &str, parameters: &[(&str, Value<'static>)]) {
    let answer = ends(query, parameters);
    assert!(answer.starts_with("Limit: "), "{query:.80}: {answer:.200}");
}

fn text(n: usize) -> (&'static str, Value<'static>) {
    ("p", Value::Text("a".repeat(n).into()))
}

#[test]
fn texts_are_refused_before_they_are_made() {
    is_refused("RETURN size(replace($p, 'a', $p))", &[text(100_000)]);
    is_refused("RETURN size($p + $p)", &[text(900_000)]);
    is_refused("RETURN toLower($p)", &[text(5_000_000)]);
    is_refused("RETURN size(split($p, ''))", &[text(900_000)]);
    // The parameter is copied for each use.
    let query = format!("RETURN [{}]", vec!["size($p)"; 500].join(", "));
    is_refused(&query, &[text(1_000_000)]);
    let answer = ends("RETURN size(replace($p, 'a', 'bb')) AS n", &[text(100_000)]);
    assert_eq!(answer, "n\n200000\n");
}

#[test]
fn what_a_row_makes_is_gone_with_it() {
    let query =
        "UNWIND range(1, 300) AS x WITH size(replace($p, 'a', 'bb')) AS n RETURN count(n) AS n";
    assert_eq!(ends(query, &[text(100_000)]), "n\n300\n");
    is_refused(
        "UNWIND range(1, 500) AS x WITH replace($p, 'a', 'bb') AS t RETURN size(collect(t))",
        &[text(100_000)],
    );
}

#[test]
fn lists_that_hold_themselves_twice_are_refused() {
    // Little memory, since lists are shared; endless work to visit all items.
    let doubled = format!("WITH [1] AS l {}RETURN l", "WITH [l, l] AS l ".repeat(60));
    is_refused(&doubled, &[]);
    let grown = format!(
        "WITH [1] AS l {}RETURN size(l)",
        "WITH l + l AS l ".repeat(60)
    );
    is_refused(&grown, &[]);
    let compared = format!(
        "WITH [1] AS l {}RETURN l = l, l IN [l]",
        "WITH [l, l] AS l ".repeat(40)
    );
    is_refused(&compared, &[]);
}

#[test]
fn values_nest_no_deeper_than_what_reads_them_bears() {
    let nested = |n: usize| format!("WITH 1 AS l {}RETURN l", "WITH [[[l]]] AS l ".repeat(n));
    is_refused(&nested(90), &[]);
    assert!(!ends(&nested(30), &[]).starts_with("Limit"));
    let deep = (0..5_000).fold(Value::Int(1), |inner, _| Value::List(vec![inner].into()));
    is_refused("RETURN $p", &[("p", deep.clone())]);
    // Dropping the value recurses, too: callers must limit its depth, as `api` does.
    std::mem::forget(deep);
}

#[test]
fn operators_within_operators_do_not_take_the_stack() {
    let mut query = "1".to_owned();
    for _ in 0..50 {
        query = format!("({query}{})", " + 1".repeat(150));
    }
    let answer = ends(&format!("RETURN {query} AS x"), &[]);
    assert!(answer.contains("operators within each other"), "{answer}");
    let mut query = "a".to_owned();
    for _ in 0..50 {
        query = format!("({query}{})", ".b[0]".repeat(90));
    }
    let answer = ends(&format!("WITH 1 AS a RETURN {query} AS x"), &[]);
    assert!(answer.contains("operators within each other"), "{answer}");
}

#[test]
fn brackets_are_looked_through_once() {
    let query = format!("RETURN {}1{} AS x", "(".repeat(55), " OR 1)".repeat(55));
    let long = format!(
        "{}[{}]{}",
        "(".repeat(50),
        "1,".repeat(25_000) + "1",
        ")".repeat(50)
    );
    ends(&query, &[]);
    ends(&format!("RETURN size({long}) AS x"), &[]);
}

#[test]
fn expressions_and_comparisons_are_counted() {
    let list = Value::List((0..50_000).map(Value::Int).collect::<Vec<_>>().into());
    let lists = [("p", list)];
    is_refused("UNWIND $p AS x UNWIND $p AS y RETURN count(*)", &lists);
    is_refused("UNWIND $p AS x RETURN size([y IN $p WHERE y = x])", &lists);
    is_refused(
        "UNWIND $p AS x RETURN x IN $p, [x] IN [$p], any(y IN $p WHERE y > x)",
        &lists,
    );
    is_refused(
        "UNWIND range(1, 1000) AS x RETURN size($p + $p + $p), x ORDER BY x + size(tail($p))",
        &lists,
    );
    is_refused("MATCH (a)-[*0..60]-(b)-[*0..60]-(c) RETURN count(*)", &[]);
    is_refused(
        "MATCH p = allShortestPaths((a)-[*]-(b)), (c), (d), (e), (f) RETURN collect(p)",
        &[],
    );
}

#[test]
fn patterns_cost_what_their_texts_and_states_say() {
    let text = ("p", Value::Text("ab".repeat(400_000).into()));
    let hard = format!("RETURN $p =~ '(a|b)*a{}' AS x", "(a|b)".repeat(200));
    let answer = ends(&hard, std::slice::from_ref(&text));
    assert!(
        answer.starts_with("Limit") || answer.starts_with("x\n"),
        "{answer}"
    );
    is_refused(
        "UNWIND range(1, 100000) AS x RETURN count($p =~ '.*b')",
        &[text],
    );
    is_refused("RETURN 'a' =~ '(((a{100}){100}){100})'", &[]);
    is_refused(&format!("RETURN 'a' =~ '{}'", "\\pL".repeat(5_000)), &[]);
    is_refused(
        "UNWIND range(1, 100000) AS x RETURN count('a' =~ '\\w{20}' + x)",
        &[],
    );
    let plain = r"MATCH (f:Function) WHERE f.name =~ '(?i).*\\bmain\\b' RETURN f.name";
    assert_eq!(ends(plain, &[]), "f.name\n'main'\n");
    // Another engine decides patterns that the lazy DFA cannot decide.
    assert_eq!(
        ends(r"RETURN 'é main' =~ '.*\\bmain' AS x", &[]),
        "x\ntrue\n"
    );
    assert_eq!(
        ends(r"RETURN 'émain' =~ '.*\\bmain' AS x", &[]),
        "x\nfalse\n"
    );
}
