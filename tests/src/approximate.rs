//! A snapshot with an approximate index answers as one without, is saved with it, and loses it when the index changes.

use std::sync::Arc;

use api::answer;
use api::{SearchMode, SearchRequest, SearchResponse};
use embed::Embedder;
use engine::{HnswConfig, Reader, Snapshot};
use fixture::Fixture;

use crate::support::{Letters, files_of, index};

const WORDS: [&str; 12] = [
    "tax", "cart", "route", "mail", "cache", "queue", "graph", "token", "price", "user", "zip",
    "jazz",
];

/// A function for each pair of words, so that there is something to be near to.
fn corpus() -> Fixture {
    let mut text = String::new();
    for one in WORDS {
        text.push_str(&format!("//- /{one}.py\n"));
        for other in WORDS {
            text.push_str(&format!(
                "def {one}_{other}():\n    return {other}({one})\n\n\n"
            ));
        }
    }
    Fixture::parse(&text)
}

fn search(snapshot: Snapshot, query: &str) -> SearchResponse {
    let vector = Letters.embed(&[query]).unwrap();
    let request = SearchRequest {
        query: query.to_owned(),
        limit: Some(5),
        mode: SearchMode::Vector,
        ..SearchRequest::default()
    };
    answer::search(
        &Reader::new(Arc::new(snapshot)).unwrap(),
        &request,
        Some(&vector),
    )
    .unwrap()
}

#[test]
fn answers_as_the_exact_scan_does() {
    let (mut engine, snapshot) = index(files_of(&corpus()));
    let config = HnswConfig {
        threshold: 10,
        ..HnswConfig::default()
    };
    let with = engine::approximated(&snapshot, &config)
        .unwrap()
        .expect("enough vectors");
    assert!(
        engine::approximated(&with, &config).unwrap().is_none(),
        "once is enough"
    );
    let saved = with.to_bytes().unwrap().to_vec();
    assert!(saved.len() > snapshot.to_bytes().unwrap().len());
    for query in ["tax cart", "jazz of the queue", "user token"] {
        let exact = search(Snapshot::open(snapshot.to_bytes().unwrap()).unwrap(), query);
        assert_eq!(search(Snapshot::open(&saved).unwrap(), query), exact);
    }
    engine.remove("zip.py");
    let rebuilt = engine.build(0.0).unwrap();
    assert!(
        engine::approximated(&rebuilt, &config).unwrap().is_some(),
        "scanned again"
    );
}

#[test]
fn a_small_set_is_scanned() {
    let (_, snapshot) = index(files_of(&corpus()));
    assert!(
        engine::approximated(&snapshot, &HnswConfig::default())
            .unwrap()
            .is_none()
    );
}
