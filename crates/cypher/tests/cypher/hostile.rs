//! Every query ends with an answer or an error: none panics, runs without end, or overflows the stack.

use cypher::Limits;
use proptest::prelude::*;

use super::answer;

const FEW: Limits = Limits {
    max_rows: 20,
    max_steps: 5_000,
    max_bytes: 200_000,
    max_millis: 1_000.0,
};

const WORDS: [&str; 60] = [
    "MATCH",
    "OPTIONAL",
    "WHERE",
    "WITH",
    "RETURN",
    "DISTINCT",
    "ORDER BY",
    "SKIP",
    "LIMIT",
    "UNWIND",
    "UNION",
    "AS",
    "AND",
    "OR",
    "XOR",
    "NOT",
    "IN",
    "IS NULL",
    "STARTS WITH",
    "CONTAINS",
    "=~",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "EXISTS",
    "null",
    "true",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "|",
    "..",
    ".",
    "-",
    "<",
    ">",
    "*",
    "+",
    "/",
    "=",
    "a",
    "b",
    "name",
    "Function",
    "CALLS",
    "count",
    "size",
    "nodes",
    "1",
    "2.5",
    "'x'",
    "$p",
    "shortestPath",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn words_in_any_order(words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..40)) {
        answer(&words.join(" "), &[], FEW);
    }

    #[test]
    fn any_text(text in "\\PC{0,80}") {
        answer(&text, &[], FEW);
    }

    #[test]
    fn changed_queries(
        at in any::<prop::sample::Index>(),
        word in prop::sample::select(&WORDS[..]),
        n_dropped in 0usize..4,
    ) {
        let query = "MATCH p = (a:Function {name: 'main'})-[r:CALLS*1..3]->(b) WHERE b.line > 1 AND NOT (b)-->(a) \
                     WITH b, count(*) AS n ORDER BY n DESC LIMIT 3 RETURN b.name AS name, [x IN range(1, n) | x * 2] AS l";
        let mut tokens: Vec<&str> = query.split(' ').collect();
        let at = at.index(tokens.len());
        tokens.splice(at..(at + n_dropped).min(tokens.len()), [word]);
        answer(&tokens.join(" "), &[], FEW);
    }
}

#[test]
fn deep_and_long() {
    for n in [50, 500, 5_000] {
        for (open, middle, close) in [
            ("(", "1", ")"),
            ("[", "1", "]"),
            ("NOT ", "true", ""),
            ("-", "1", ""),
            ("{a: ", "1", "}"),
            ("CASE WHEN true THEN ", "1", " END"),
            ("size([", "1", "])"),
            ("1 + ", "1", ""),
            ("1 IN ", "[1]", ""),
            ("true AND ", "true", ""),
            ("({a: ", "1", "})"),
        ] {
            answer(
                &format!("RETURN {}{middle}{} AS x", open.repeat(n), close.repeat(n)),
                &[],
                FEW,
            );
        }
        answer(
            &format!("MATCH (a){} RETURN a", "-[:CALLS]->(b)".repeat(n)),
            &[],
            FEW,
        );
        answer(&format!("RETURN 1{} AS x", ".a".repeat(n)), &[], FEW);
        answer(&format!("RETURN 1{} AS x", " IS NULL".repeat(n)), &[], FEW);
        answer(
            &format!("MATCH (a){} RETURN a", ", (a)".repeat(n)),
            &[],
            FEW,
        );
        answer(
            &format!("{}RETURN 1", "UNWIND [1, 2] AS x WITH x AS y ".repeat(n)),
            &[],
            FEW,
        );
        answer(
            &format!("RETURN {} AS x", "'a' + ".repeat(n) + "'a'"),
            &[],
            FEW,
        );
    }
}

#[test]
fn paths_without_end() {
    for query in [
        "MATCH (a)-[*]-(b)-[*]-(c) RETURN count(*)",
        "MATCH (a)-[*1..4000000000]-(b) RETURN count(*)",
        "MATCH p = allShortestPaths((a)-[*]-(b)) RETURN count(p)",
        "MATCH (a)-[*0..]-(b) RETURN count(DISTINCT b) AS n",
    ] {
        answer(query, &[], FEW);
    }
}
