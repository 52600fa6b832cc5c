//! Plans of searches: the query chooses the layers, the answer names them, and a request can set them; conditions narrow the hits.

use api::answer;
use api::{AssembleRequest, SearchFusion, SearchMode, SearchRequest, SearchResponse};
use embed::Embedder;
use engine::Reader;
use fixture::Fixture;

use crate::support::{Letters, files_of, reader};

fn shop() -> Reader {
    reader(files_of(&Fixture::parse(include_str!(
        "../suite/everything.txt"
    ))))
}

fn asked(reader: &Reader, request: &SearchRequest) -> SearchResponse {
    let vector = Letters.embed(&[&request.query]).unwrap();
    answer::search(reader, request, Some(&vector)).unwrap()
}

fn request(query: &str, mode: SearchMode) -> SearchRequest {
    SearchRequest {
        query: query.to_owned(),
        mode,
        limit: Some(50),
        ..SearchRequest::default()
    }
}

fn symbols(response: &SearchResponse) -> Vec<&str> {
    let hits = response.hits.iter();
    hits.filter_map(|hit| hit.symbol.as_deref()).collect()
}

#[test]
fn the_query_chooses_its_layers() {
    let shop = shop();
    for (query, mode) in [
        ("who calls apply_discount", SearchMode::Graph),
        ("definition of apply_discount", SearchMode::Ast),
        ("class Order", SearchMode::Ast),
        ("apply_discount", SearchMode::Hybrid),
        ("price of an order", SearchMode::Hybrid),
        ("zyxwv qqqq", SearchMode::Vector),
    ] {
        let response = asked(&shop, &request(query, SearchMode::Auto));
        assert_eq!(response.plan.mode, mode, "{query}");
        assert_eq!(response.mode, mode, "{query}");
        assert!(!response.plan.why.is_empty(), "{query}");
    }
    let words = answer::search(&shop, &request("price of an order", SearchMode::Auto), None);
    assert_eq!(words.unwrap().plan.mode, SearchMode::Lexical);
}

#[test]
fn layers_that_are_asked_for_answer_alone() {
    let shop = shop();
    let of = |mode| asked(&shop, &request("apply_discount", mode));
    let ast = of(SearchMode::Ast);
    assert_eq!(symbols(&ast), ["apply_discount"]);
    let graph = of(SearchMode::Graph);
    assert_eq!(symbols(&graph)[0], "apply_discount");
    let is_caller = |hit: &api::Hit| hit.path == "tests/test_pricing.py";
    assert!(graph.hits.iter().any(is_caller), "{graph:?}");
    assert!(graph.total < of(SearchMode::Hybrid).total);
    let all = of(SearchMode::All);
    assert_eq!(
        (all.mode, all.plan.mode),
        (SearchMode::All, SearchMode::All)
    );
    assert!(all.total >= of(SearchMode::Lexical).total);
    // No name of the index is in the query: the graph has nowhere to start.
    let none = asked(&shop, &request("price of an order", SearchMode::Graph));
    assert_eq!(none.hits.len(), 0);
    assert!(none.note.is_some());
}

#[test]
fn uses_come_first_and_then_the_definition() {
    let shop = shop();
    let response = asked(
        &shop,
        &request("who calls apply_discount", SearchMode::Auto),
    );
    let paths: Vec<&str> = response.hits.iter().map(|hit| hit.path.as_str()).collect();
    assert_eq!(paths, ["shop/pricing.py", "tests/test_pricing.py"]);
    assert_eq!(response.hits[0].symbol.as_deref(), Some("total_price"));
}

#[test]
fn fusion_is_chosen_and_its_numbers_are_set() {
    let shop = shop();
    let fused = |fusion, weights: &[(&str, f32)]| {
        let weights = weights
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value));
        let request = SearchRequest {
            fusion,
            weights: weights.collect(),
            explain: true,
            ..request("price of an order", SearchMode::Hybrid)
        };
        let hits = asked(&shop, &request).hits;
        let explained = hits.iter().filter_map(|hit| hit.explanation.as_ref());
        explained
            .map(|explanation| explanation.fused_score)
            .collect::<Vec<f32>>()
    };
    let weighted = fused(SearchFusion::Weighted, &[]);
    assert_ne!(weighted, fused(SearchFusion::Rrf, &[]));
    assert_ne!(
        weighted,
        fused(SearchFusion::Weighted, &[("vector_share", 0.9)])
    );
    assert_ne!(
        fused(SearchFusion::Rrf, &[("rrf_k", 1.0)]),
        fused(SearchFusion::Rrf, &[("rrf_k", 60.0)])
    );
}

#[test]
fn conditions_narrow_the_hits() {
    let shop = shop();
    let base = || request("discount", SearchMode::Hybrid);
    let complex = SearchRequest {
        min_complexity: Some(2),
        ..base()
    };
    let found = asked(&shop, &complex);
    assert!(symbols(&found).contains(&"apply_discount"), "{found:?}");
    let simple = SearchRequest {
        max_complexity: Some(1),
        ungrouped: true,
        ..base()
    };
    assert!(!symbols(&asked(&shop, &simple)).contains(&"apply_discount"));
    let classes = SearchRequest {
        node_types: vec!["class_definition".to_owned()],
        ..request("order line", SearchMode::Hybrid)
    };
    let found = asked(&shop, &classes);
    assert!(!found.hits.is_empty());
    assert!(
        found.hits.iter().all(|hit| hit.path == "shop/models.py"),
        "{found:?}"
    );
    let near = SearchRequest {
        similarity_threshold: Some(0.9),
        ungrouped: true,
        explain: true,
        ..base()
    };
    let found = asked(&shop, &near);
    let cosines = found
        .hits
        .iter()
        .filter_map(|hit| hit.explanation.as_ref()?.vector_score);
    assert!(cosines.into_iter().all(|cosine| cosine >= 0.9));
    assert!(
        found.total
            < asked(
                &shop,
                &SearchRequest {
                    ungrouped: true,
                    ..base()
                }
            )
            .total
    );
    assert_eq!(
        answer::search(&shop, &near, None).unwrap_err().code,
        "query.unsupported",
        "there are no vectors to compare"
    );
}

#[test]
fn code_for_a_prompt_keeps_to_its_share_and_number() {
    let shop = shop();
    let of = |max_chunks, budget_ratio| {
        let request = AssembleRequest {
            query: "discount of an order".to_owned(),
            max_tokens: Some(400),
            related_percent: Some(0),
            max_chunks,
            budget_ratio,
            ..AssembleRequest::default()
        };
        answer::assemble(&shop, &request, None).unwrap()
    };
    let whole = of(None, None);
    assert!(whole.pieces.len() > 1);
    assert_eq!(of(Some(1), None).pieces.len(), 1);
    let half = of(None, Some(0.4));
    assert!(half.n_tokens <= 160 && half.pieces.len() < whole.pieces.len());
}

#[test]
fn signals_of_intents_are_named_and_weighed() {
    let shop = shop();
    let added = |query: &str, name: &str| {
        let request = SearchRequest {
            explain: true,
            weights: [(name.to_owned(), 0.3)].into(),
            ..request(query, SearchMode::Hybrid)
        };
        let hits = asked(&shop, &request).hits;
        let effects = hits.iter().filter_map(|hit| {
            let signals = &hit.explanation.as_ref()?.signals;
            let effect = signals.iter().find(|effect| effect.name == name)?;
            Some((hit.path.clone(), effect.added))
        });
        effects.collect::<Vec<_>>()
    };
    let of = |query: &str, name: &str| -> Vec<String> {
        let found = added(query, name);
        assert!(found.iter().all(|(_, added)| (added - 0.3).abs() < 1e-6));
        found.into_iter().map(|(path, _)| path).collect()
    };
    assert!(of("class Order", "definition_intent").contains(&"shop/models.py".to_owned()));
    assert_eq!(of("price of an order", "definition_intent"), [""; 0]);
    assert!(of("Order model", "schema_path").contains(&"shop/models.py".to_owned()));
    assert_eq!(of("price of an order", "schema_path"), [""; 0]);
    assert!(of("price", "source_folder").contains(&"web/src/cart.ts".to_owned()));
    assert!(!of("price", "source_folder").contains(&"shop/pricing.py".to_owned()));
}

#[test]
fn cohesion_of_a_community_is_a_signal_for_names() {
    let shop = shop();
    let effects = |query: &str, weight: f32| -> Vec<f32> {
        let request = SearchRequest {
            explain: true,
            weights: [("cohesion".to_owned(), weight)].into(),
            ..request(query, SearchMode::Hybrid)
        };
        let hits = asked(&shop, &request).hits;
        let signals = hits
            .iter()
            .flat_map(|hit| &hit.explanation.as_ref().unwrap().signals);
        let own = signals.filter(|effect| effect.name == "cohesion");
        own.map(|effect| effect.added).collect()
    };
    let found = effects("apply_discount", 0.3);
    assert!(!found.is_empty());
    assert!(
        found.iter().all(|added| (0.0..=0.3).contains(added)),
        "{found:?}"
    );
    assert_eq!(effects("apply_discount", 0.0), [0.0; 0]);
}
