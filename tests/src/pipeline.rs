//! The whole path on a small repository in several languages: files in, index built, saved, opened, asked everything.

use api::answer;
use api::{RegexRequest, SearchMode, SearchRequest};
use embed::Embedder;
use engine::Reader;
use fixture::Fixture;

use crate::support::{Letters, files_of, reader};

/// A small repository in several languages.
pub fn shop() -> Reader {
    reader(files_of(&Fixture::parse(include_str!(
        "../suite/everything.txt"
    ))))
}

fn search_request(query: &str) -> SearchRequest {
    SearchRequest {
        query: query.to_owned(),
        limit: Some(3),
        ..SearchRequest::default()
    }
}

fn first_hit(reader: &Reader, request: &SearchRequest) -> String {
    let response = answer::search(reader, request, None).unwrap();
    let hit = response
        .hits
        .first()
        .map(|hit| format!("{} {}", hit.path, hit.symbol.clone().unwrap_or_default()));
    hit.unwrap_or_default()
}

#[test]
fn words_and_names_find_their_chunk() {
    let shop = shop();
    for (query, expected) in [
        ("apply_discount", "shop/pricing.py"),
        ("discount for long-standing customers", "shop/pricing.py"),
        ("Cart.add", "web/src/cart.ts"),
        ("format price in euros", "web/src/format.ts"),
        ("how many copies of a book are left", "core/src/lib.rs"),
        ("warehouse in spring", "tools/notes.unknown"),
        ("bookshop", "README.md"),
    ] {
        let hit = first_hit(&shop, &search_request(query));
        assert!(hit.starts_with(expected), "{query}: {hit}");
    }
}

#[test]
fn filters_hold_back_what_was_not_asked_for() {
    let shop = shop();
    let by_language = SearchRequest {
        languages: vec!["go".into()],
        ..search_request("price server")
    };
    assert!(first_hit(&shop, &by_language).starts_with("server/main.go"));
    let by_path = SearchRequest {
        paths: vec!["web/".into(), "!*.tsx".into()],
        ..search_request("discount label")
    };
    assert!(first_hit(&shop, &by_path).starts_with("web/src/cart.ts"));
    let by_kind = SearchRequest {
        kinds: vec!["interface".into()],
        ..search_request("print the order")
    };
    assert!(first_hit(&shop, &by_kind).starts_with("legacy/Invoice.java"));
    let unknown = SearchRequest {
        languages: vec!["klingon".into()],
        ..search_request("x")
    };
    assert_eq!(
        answer::search(&shop, &unknown, None).unwrap_err().code,
        "query.invalid"
    );
}

#[test]
fn snippets_mark_what_matched_in_utf16_units() {
    let shop = shop();
    let request = SearchRequest {
        paths: vec!["cart.ts".into()],
        ..search_request("label formatPrice cents")
    };
    let response = answer::search(&shop, &request, None).unwrap();
    let hit = response
        .hits
        .iter()
        .flat_map(|hit| Some(&hit.snippet))
        .find(|snippet| snippet.text.contains("🦀"))
        .unwrap();
    let units: Vec<u16> = hit.text.encode_utf16().collect();
    let marked = hit
        .marks
        .iter()
        .map(|(start, end)| String::from_utf16(&units[*start as usize..*end as usize]).unwrap());
    assert!(
        marked.into_iter().any(|mark| mark == "formatPrice"),
        "{hit:?}"
    );
}

#[test]
fn explanations_add_up_and_modes_are_honest() {
    let shop = shop();
    let request = SearchRequest {
        explain: true,
        ..search_request("apply discount")
    };
    let response = answer::search(&shop, &request, None).unwrap();
    assert_eq!(response.mode, SearchMode::Lexical);
    let best = response.hits[0].explanation.clone().unwrap();
    let replayed = best.signals.iter().fold(best.fused_score, |score, effect| {
        score * effect.factor + effect.added
    });
    assert!((replayed - response.hits[0].score).abs() < 1e-4, "{best:?}");
    assert!(!best.terms.is_empty());

    let hybrid = SearchRequest {
        mode: SearchMode::Hybrid,
        ..search_request("apply discount")
    };
    assert_eq!(
        answer::search(&shop, &hybrid, None).unwrap_err().code,
        "query.unsupported"
    );
    let vector = Letters.embed(&["apply discount"]).unwrap();
    assert_eq!(
        answer::search(&shop, &hybrid, Some(&vector)).unwrap().mode,
        SearchMode::Hybrid
    );
    let meaning = SearchRequest {
        mode: SearchMode::Vector,
        ..search_request("apply discount")
    };
    assert_eq!(
        answer::search(&shop, &meaning, Some(&vector)).unwrap().mode,
        SearchMode::Vector
    );
    assert_eq!(
        answer::search(&shop, &search_request("  "), None)
            .unwrap_err()
            .code,
        "query.empty"
    );
}

#[test]
fn pages_of_hits_follow_each_other() {
    let shop = shop();
    let page = |offset, limit| {
        let request = SearchRequest {
            offset: Some(offset),
            limit: Some(limit),
            ..search_request("price order")
        };
        answer::search(&shop, &request, None).unwrap().hits
    };
    let whole = page(0, 4);
    assert_eq!(whole.len(), 4);
    assert_eq!([page(0, 2), page(2, 2)].concat(), whole);
}

#[test]
fn patterns_over_all_texts() {
    let shop = shop();
    let request = RegexRequest {
        pattern: r"def \w+_price".into(),
        ignore_case: false,
        whole_word: false,
        paths: vec!["*.py".into()],
        languages: Vec::new(),
        context_lines: Some(1),
        limit: None,
        max_millis: None,
    };
    let response = answer::regex(&shop, &request, None).unwrap();
    assert_eq!(response.matches.len(), 1);
    let found = &response.matches[0];
    assert_eq!(
        (found.path.as_str(), found.line, found.text.as_str()),
        (
            "shop/pricing.py",
            5,
            "def total_price(order: Order) -> int:"
        )
    );
    assert_eq!((found.before.len(), found.after.len()), (1, 1));
    let broken = RegexRequest {
        pattern: "(".into(),
        ..request
    };
    assert_eq!(
        answer::regex(&shop, &broken, None).unwrap_err().code,
        "regex.syntax"
    );
}

#[test]
fn outline_files_and_status() {
    let shop = shop();
    let outline = answer::outline(&shop, "web/src/cart.ts").unwrap();
    let cart = outline
        .symbols
        .iter()
        .position(|entry| entry.symbol.name == "Cart")
        .unwrap();
    let add = outline
        .symbols
        .iter()
        .find(|entry| entry.symbol.name == "add")
        .unwrap();
    assert_eq!(add.parent, Some(cart as u32));

    let paths: Vec<String> = answer::files(&shop)
        .files
        .into_iter()
        .map(|file| file.path)
        .collect();
    assert!(paths.is_sorted() && paths.len() == 14, "{paths:?}");
    assert!(
        answer::file_text(&shop, "core/src/lib.rs")
            .unwrap()
            .text
            .starts_with("//! Stock keeping.")
    );
    let missing = answer::file_text(&shop, "lib.rs").unwrap_err();
    assert_eq!(
        (missing.code.as_str(), missing.help.as_str()),
        ("file.not-found", "did you mean core/src/lib.rs?")
    );

    let status = answer::status(&shop);
    assert_eq!(
        (
            status.name.as_str(),
            status.embedder.as_str(),
            status.dimensions
        ),
        ("fixture", "letters", 26)
    );
    assert_eq!(status.n_vectors, status.n_chunks);
    let skipped: Vec<(&str, &str)> = status
        .skipped
        .iter()
        .map(|s| (s.path.as_str(), s.code.as_str()))
        .collect();
    assert_eq!(
        skipped,
        [
            ("generated/", "ignored"),
            ("node_modules/", "default-exclude")
        ]
    );
    assert!(status.problems.is_empty(), "{:?}", status.problems);
    assert!(
        status.edges.iter().any(|edge| edge.name == "IMPLEMENTS"),
        "{:?}",
        status.edges
    );
}

#[test]
fn edges_speak_of_files_and_names() {
    let edges = answer::edges(&shop());
    let call = edges
        .iter()
        .find(|edge| edge.kind == "CALLS" && edge.callee_name == "formatPrice")
        .unwrap();
    assert_eq!(
        (
            call.caller_file.as_str(),
            call.caller_name.as_str(),
            call.caller_line
        ),
        ("web/src/cart.ts", "label", 15)
    );
    assert_eq!(
        (call.callee_file.as_str(), call.callee_line),
        ("web/src/format.ts", 2)
    );
    assert!(
        edges
            .iter()
            .any(|edge| edge.kind == "IMPORTS" && edge.caller_name == "<file>"),
        "imports start at files"
    );
}
