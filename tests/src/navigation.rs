//! From a name to its definition, its uses and its callers: symbols by every kind of selector.

use api::answer;
use api::{CallsRequest, DefinitionRequest, FindRequest};
use engine::Reader;
use expect_test::{Expect, expect};

use crate::pipeline::shop;

fn find_request(symbol: &str) -> FindRequest {
    FindRequest {
        symbol: symbol.to_owned(),
        kind: None,
        fuzzy: None,
        limit: None,
    }
}

fn calls_request(symbol: &str, depth: u32) -> CallsRequest {
    CallsRequest {
        symbol: symbol.to_owned(),
        kind: None,
        depth: Some(depth),
        min_confidence: None,
        limit: None,
        offset: None,
    }
}

#[track_caller]
fn check_find(reader: &Reader, symbol: &str, expected: Expect) {
    let found = answer::find(reader, &find_request(symbol)).unwrap();
    let lines = found
        .symbols
        .iter()
        .map(|s| format!("{} {} {}:{}\n", s.kind, s.qualified_name, s.path, s.line));
    expected.assert_eq(&lines.collect::<String>());
}

#[track_caller]
fn check_calls(response: api::CallsResponse, expected: Expect) {
    let lines = response.calls.iter().map(|call| {
        let name = call
            .symbol
            .as_ref()
            .map_or("<file>", |symbol| symbol.qualified_name.as_str());
        format!("{} {name} {}:{}\n", call.depth, call.path, call.line)
    });
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn symbols_by_every_kind_of_selector() {
    let shop = shop();
    check_find(
        &shop,
        "Cart.add",
        expect![[r#"
        method Cart.add web/src/cart.ts:7
    "#]],
    );
    check_find(
        &shop,
        "Stock::take",
        expect![[r#"
        method Stock.take core/src/lib.rs:9
    "#]],
    );
    check_find(
        &shop,
        "shop/pricing.py#apply_discount",
        expect![[r#"
        function apply_discount shop/pricing.py:11
    "#]],
    );
    check_find(
        &shop,
        "pricing.py:6",
        expect![[r#"
        function total_price shop/pricing.py:5
    "#]],
    );
    check_find(
        &shop,
        "aply_discount",
        expect![[r#"
        function apply_discount shop/pricing.py:11
    "#]],
    );
    let error = answer::callers(&shop, &calls_request("aply_discount", 1)).unwrap_err();
    assert_eq!(
        (error.code.as_str(), error.help.as_str()),
        ("symbol.not-found", "did you mean apply_discount?")
    );
    let error = answer::callers(&shop, &calls_request("pricing.py:1", 1)).unwrap_err();
    assert_eq!(
        (error.message.as_str(), error.help.as_str()),
        (
            "line 1 of pricing.py is in no definition",
            "the nearest is total_price, line 5"
        )
    );
}

#[test]
fn callers_and_callees_step_by_step() {
    let shop = shop();
    check_calls(
        answer::callers(&shop, &calls_request("apply_discount", 2)).unwrap(),
        expect![[r#"
        1 total_price shop/pricing.py:8
        1 test_discount tests/test_pricing.py:6
        2 test_total tests/test_pricing.py:10
    "#]],
    );
    check_calls(
        answer::callees(&shop, &calls_request("Invoice.print", 1)).unwrap(),
        expect![[r#"
        1 Invoice.header legacy/Invoice.java:5
    "#]],
    );
    assert_eq!(
        answer::callers(&shop, &calls_request("apply_discount", 11))
            .unwrap_err()
            .code,
        "query.invalid"
    );
}

#[test]
fn references_come_with_their_lines() {
    let shop = shop();
    let request = api::ReferencesRequest {
        symbol: "formatPrice".into(),
        kind: None,
        limit: None,
        offset: None,
    };
    let response = answer::references(&shop, &request).unwrap();
    let call = response
        .references
        .iter()
        .find(|reference| reference.form == "call")
        .unwrap();
    assert_eq!((call.path.as_str(), call.line), ("web/src/cart.ts", 16));
    assert_eq!(call.text, "return /* 🦀 */ formatPrice(cents);");
    assert_eq!(call.enclosing.as_deref(), Some("Cart.label"));
    // `    return /* 🦀 */ ` has 20 UTF-16 units.
    assert_eq!(
        (call.range.start.character, call.range.end.character),
        (20, 31)
    );
}

#[test]
fn definition_from_a_use_and_from_the_name_itself() {
    let shop = shop();
    let at = |path: &str, line, character| {
        let response = answer::definition(
            &shop,
            &DefinitionRequest {
                path: path.into(),
                line,
                character,
            },
        )
        .unwrap();
        response
            .targets
            .first()
            .map(|target| format!("{}:{}", target.symbol.path, target.symbol.line))
    };
    assert_eq!(
        at("web/src/cart.ts", 15, 25).as_deref(),
        Some("web/src/format.ts:2"),
        "within the name"
    );
    assert_eq!(
        at("web/src/cart.ts", 15, 31).as_deref(),
        Some("web/src/format.ts:2"),
        "right behind it"
    );
    assert_eq!(
        at("web/src/format.ts", 1, 18).as_deref(),
        Some("web/src/format.ts:2"),
        "on the definition"
    );
    assert_eq!(at("web/src/cart.ts", 15, 13), None, "in a comment");
    let outside = DefinitionRequest {
        path: "web/src/cart.ts".into(),
        line: 99,
        character: 0,
    };
    assert_eq!(
        answer::definition(&shop, &outside).unwrap_err().code,
        "position.outside"
    );
}
