use std::fmt;

use api::{CallsRequest, FindRequest, ReferencesRequest, SearchRequest};
use expect_test::{Expect, expect};

use super::*;
use crate::status_of;

/// A question as the tool's request reads it.
fn debug(question: &Question) -> String {
    let Question::Tool { name, request, .. } = question else {
        return format!("{question:?}");
    };
    let request: Box<dyn fmt::Debug> = match *name {
        "search" => Box::new(serde_json::from_str::<SearchRequest>(request).expect("a search")),
        "usages" => Box::new(serde_json::from_str::<FindRequest>(request).expect("a name")),
        "references" => Box::new(serde_json::from_str::<ReferencesRequest>(request).expect("one")),
        "callers" | "callees" => {
            Box::new(serde_json::from_str::<CallsRequest>(request).expect("calls"))
        }
        _ => Box::new(request),
    };
    format!("{name}({request:?})")
}

/// `METHOD target` in, the call or the refusal out, as short as it can be read.
fn check(request: &str, want: Expect) {
    let (method, target) = request.split_once(' ').unwrap_or((request, "/"));
    let shown = match parse(method, target, "", "default") {
        Ok(call) => format!(
            "{} ← {}",
            call.repository.as_deref().unwrap_or("–"),
            debug(&call.question)
        ),
        Err(error) => format!(
            "{} {}: {} ({})",
            status_of(&error.code),
            error.code,
            error.message,
            error.help
        ),
    };
    want.assert_eq(&shown);
}

#[test]
fn a_search_with_everything() {
    check(
        "GET /v1/search?q=retry+with%20back-off&repo=acme/tools&limit=5&offset=10&mode=hybrid&language=rust,go&language=c&path=src/**&path=!**/test/{a,b}&kind=function&explain=1&ungrouped",
        expect![[
            r#"acme/tools ← search(SearchRequest { query: "retry with back-off", mode: Hybrid, fusion: Weighted, languages: ["rust", "go", "c"], paths: ["src/**", "!**/test/{a,b}"], kinds: ["function"], node_types: [], min_complexity: None, max_complexity: None, similarity_threshold: None, explain: true, ungrouped: true, weights: {}, limit: Some(5), offset: Some(10) })"#
        ]],
    );
}

#[test]
fn a_search_with_nothing_but_its_query() {
    let short = parse(
        "GET",
        "/v1/search?q=%E6%97%A5%E6%9C%AC%20%E2%98%82",
        "",
        "default",
    );
    let whole = "https://code.example:8080/v1/search?q=%E6%97%A5%E6%9C%AC+%E2%98%82#top";
    assert_eq!(short, parse("HEAD", whole, "", "default"));
    check(
        &format!("GET {whole}"),
        expect![[
            r#"default ← search(SearchRequest { query: "日本 ☂", mode: Auto, fusion: Weighted, languages: [], paths: [], kinds: [], node_types: [], min_complexity: None, max_complexity: None, similarity_threshold: None, explain: false, ungrouped: false, weights: {}, limit: None, offset: None })"#
        ]],
    );
}

#[test]
fn symbols_and_their_views() {
    check(
        "GET /v1/symbol?name=Router.add&kind=method&fuzzy=0&limit=3",
        expect![[
            r#"default ← usages(FindRequest { symbol: "Router.add", kind: Some("method"), fuzzy: Some(false), limit: Some(3) })"#
        ]],
    );
    check(
        "GET /v1/symbol?name=src/a.ts%23add&view=references&offset=20",
        expect![[
            r#"default ← references(ReferencesRequest { symbol: "src/a.ts#add", kind: None, limit: None, offset: Some(20) })"#
        ]],
    );
    check(
        "GET /v1/symbol?name=add&view=callers&depth=3&min_confidence=0.5",
        expect![[
            r#"default ← callers(CallsRequest { symbol: "add", kind: None, depth: Some(3), min_confidence: Some(0.5), limit: None, offset: None })"#
        ]],
    );
    check(
        "GET /v1/symbol?name=src/a.ts:40&view=callees",
        expect![[
            r#"default ← callees(CallsRequest { symbol: "src/a.ts:40", kind: None, depth: None, min_confidence: None, limit: None, offset: None })"#
        ]],
    );
}

#[test]
fn a_model_is_wanted_unless_words_are_enough() {
    for (request, wanted) in [
        ("GET /v1/search?q=a", true),
        ("GET /v1/search?q=a&mode=hybrid", true),
        ("GET /v1/search?q=a&mode=lexical", false),
        ("GET /v1/symbol?name=a&view=callers", false),
        ("POST /v1/search", true),
        ("POST /v1/context", false),
        ("GET /healthz", false),
    ] {
        let (method, target) = request.split_once(' ').expect("two words");
        let call = parse(method, target, "", "a").expect(request);
        assert_eq!(call.question.wants_vector(), wanted, "{request}");
    }
}

#[test]
fn every_route_asks_a_tool() {
    for route in TOOL_ROUTES {
        assert!(
            TOOLS.iter().any(|tool| tool.name == route.tool),
            "{}",
            route.tool
        );
    }
}

#[test]
fn what_needs_no_index() {
    check("GET /healthz", expect!["– ← Health"]);
    check(
        "GET /healthz?deep=1",
        expect!["400 request.parameter: unknown parameter `deep` (this route knows no parameters)"],
    );
    check("GET /v1/status?repo=a", expect![[r#"a ← status("{}")"#]]);
}

#[test]
fn refusals_name_the_parameter() {
    check(
        "GET /v1/search",
        expect![
            "400 request.parameter: q: it is missing; give words, a question or an identifier ()"
        ],
    );
    check(
        "GET /v1/search?q=%20",
        expect![
            "400 request.parameter: q: it is missing; give words, a question or an identifier ()"
        ],
    );
    check(
        "GET /v1/search?q=a&q=b",
        expect!["400 request.parameter: q: give it once ()"],
    );
    check(
        "GET /v1/search?q=a&limit=0",
        expect!["400 request.parameter: limit: expected a whole number from 1 to 200, got `0` ()"],
    );
    check(
        "GET /v1/search?q=a&limit=ten",
        expect![
            "400 request.parameter: limit: expected a whole number from 1 to 200, got `ten` ()"
        ],
    );
    check(
        "GET /v1/search?q=a&limit=99999999999",
        expect![
            "400 request.parameter: limit: expected a whole number from 1 to 200, got `99999999999` ()"
        ],
    );
    check(
        "GET /v1/search?q=a&mode=fast",
        expect![
            "400 request.parameter: mode: expected one of auto, lexical, vector, hybrid, ast, graph, all, got `fast` ()"
        ],
    );
    check(
        "GET /v1/search?q=a&explain=yes",
        expect!["400 request.parameter: explain: expected true or false, got `yes` ()"],
    );
    check(
        "GET /v1/search?q=a&lmit=3",
        expect![
            "400 request.parameter: unknown parameter `lmit` (this route knows q, limit, offset, mode, fusion, language, path, kind, node_type, min_complexity, max_complexity, similarity_threshold, explain, ungrouped, repo)"
        ],
    );
    check(
        "GET /v1/symbol?name=a&view=callers&min_confidence=NaN",
        expect![
            "400 request.parameter: min_confidence: expected a number from 0 to 1, got `NaN` ()"
        ],
    );
    check(
        "GET /v1/symbol?name=a&depth=2",
        expect![
            "400 request.parameter: unknown parameter `depth` (this route knows name, view, kind, fuzzy, limit, repo)"
        ],
    );
}

#[test]
fn names_of_repositories_stay_names() {
    check(
        "GET /v1/status?repo=acme/tools.v2_x-1",
        expect![[r#"acme/tools.v2_x-1 ← status("{}")"#]],
    );
    for name in [
        "..",
        "a/../b",
        "/a",
        "a/",
        "a//b",
        ".hidden",
        "a%00",
        "a b",
        "ü",
        "models%2F..%2Fx",
    ] {
        let error = parse("GET", &format!("/v1/status?repo={name}"), "", "").expect_err(name);
        assert_eq!(error.code, "request.parameter", "{name}");
    }
    assert!(
        parse("GET", "/v1/status", "", "")
            .is_err_and(|error| error.message.contains("no default repository"))
    );
    assert!(parse("GET", "/v1/status?repo=", "", "default").is_ok());
}

#[test]
fn unknown_paths_get_the_list() {
    let error =
        parse("GET", "https://code.example/v2/search?q=a", "", "").expect_err("no such route");
    assert_eq!(
        (error.code.as_str(), status_of(&error.code)),
        ("request.route", 404)
    );
    for (route, _) in ROUTES {
        assert!(error.help.contains(route), "{route}");
    }
    check(
        "PUT /v1/search?q=a",
        expect!["405 request.method: PUT is not answered (methods: GET, HEAD, POST, OPTIONS)"],
    );
}

#[test]
fn every_tool_is_posted_to_by_its_name() {
    for tool in api::answer::TOOLS {
        let call = parse("POST", &format!("/v1/{}?repo=a/b", tool.name), "{}", "").expect("a tool");
        assert_eq!(call.repository.as_deref(), Some("a/b"));
    }
    check("POST /v1/context", expect![[r#"default ← context("{}")"#]]);
    let unknown = parse("POST", "/v1/levitate", "{}", "a").expect_err("no such tool");
    assert_eq!(unknown.code, "request.route");
    let long = parse("POST", "/v1/context", &"x".repeat(2 << 20), "a").expect_err("too long");
    assert_eq!(
        (long.code.as_str(), status_of(&long.code)),
        ("request.too-large", 413)
    );
    let slip = parse("POST", "/v1/context?symbol=a", "{}", "a").expect_err("no such parameter");
    assert_eq!(slip.code, "request.parameter");
}

#[test]
fn a_long_query_is_refused_and_long_values_are_cut() {
    let error = parse(
        "GET",
        &format!("/v1/search?q={}", "a".repeat(3000)),
        "",
        "a",
    )
    .expect_err("too long");
    assert_eq!(error.message, "q: 3000 bytes are too many");
    let error = parse(
        "GET",
        &format!("/v1/search?q=a&limit={}", "9".repeat(500)),
        "",
        "a",
    )
    .expect_err("no number");
    assert!(error.message.len() < 150, "{}", error.message);
}

#[test]
fn odd_targets_are_refused_not_feared() {
    for target in [
        "",
        "?",
        "#",
        "://",
        "http://",
        "http://host",
        "/v1/search?%",
        "/v1/search?q=%FF%FE&%zz",
        "/v1/search?&&=&=",
    ] {
        let _ = parse("GET", target, "", "a");
    }
    check(
        "GET http://host?q=a",
        expect![
            "404 request.route: nothing is at / (routes: GET /healthz (is the Worker there); GET /v1/status?repo= (what is in the index); GET /v1/search?q=&repo=&limit=&offset=&mode=&fusion=&language=&path=&kind=&node_type=&min_complexity=&max_complexity=&similarity_threshold=&explain=&ungrouped= (where is the code for …); GET /v1/symbol?name=&repo=&kind=&fuzzy=&limit= (the definitions of a name, and how much each is used); GET /v1/symbol?name=&view=references&repo=&limit=&offset= (who uses it); GET /v1/symbol?name=&view=callers&repo=&depth=&min_confidence=&limit= (who calls it; view=callees: whom it calls); POST /v1/TOOL?repo= (any tool, its request as JSON in the body; GET /v1/tools lists them); GET /v1/tools (the tools, each with what it is for); GET /openapi.json (every route, request and answer (OpenAPI 3.1)); GET /metrics (counts and latencies as Prometheus text))"
        ],
    );
}

#[test]
fn every_code_has_its_status() {
    let table = [
        ("symbol.not-found", 404),
        ("snapshot.not-found", 404),
        ("file.not-found", 404),
        ("request.method", 405),
        ("query.empty", 400),
        ("query.unsupported", 400),
        ("glob.syntax", 400),
        ("request.depth", 400),
        ("request.too-large", 413),
        ("cypher.limit", 400),
        ("cypher.type", 400),
        ("cypher.syntax", 400),
        ("pattern.size", 400),
        ("export.too-large", 413),
        ("snapshot.checksum", 502),
        ("snapshot.truncated", 502),
        ("snapshot.version", 502),
        ("snapshot.foreign", 502),
        ("snapshot.damaged", 502),
        ("snapshot.too-large", 507),
        ("snapshot.loading", 503),
        ("model.damaged", 502),
        ("internal.stopped", 500),
        ("worker.bucket", 500),
    ];
    for (code, status) in table {
        assert_eq!(status_of(code), status, "{code}");
    }
}
