//! tract, running the graph, and the static evaluation of the same file give the same vectors.
#![cfg(feature = "onnx")]

extern crate portolan_embed as embed;

use embed::{EmbedError, Embedder, ModelOptions, OnnxEmbedder, StaticEmbedder};

const MODEL: &[u8] = include_bytes!("../model/code-embed-128.int8.onnx");
const TOKENIZER: &[u8] = include_bytes!("../model/tokenizer.json");

#[test]
fn both_evaluations_agree() {
    let texts: Vec<&str> = include_str!("tokens.jsonl")
        .lines()
        .chain(["", "日本語", "x"])
        .collect();
    let by_tract = OnnxEmbedder::new(MODEL, TOKENIZER, ModelOptions::default()).unwrap();
    let by_table = StaticEmbedder::from_onnx(MODEL, TOKENIZER).unwrap();
    assert_eq!(by_tract.name(), by_table.name());
    assert_eq!(by_tract.dim(), by_table.dim());
    let (one, other) = (
        by_tract.embed(&texts).unwrap(),
        by_table.embed(&texts).unwrap(),
    );
    let differ = one
        .iter()
        .zip(&other)
        .map(|(x, y)| (x - y).abs())
        .fold(0.0, f32::max);
    assert!(one.len() == other.len() && differ < 1e-6, "{differ}");
}

#[test]
fn broken_models_are_refused_with_a_reason() {
    let refused =
        |model: &[u8]| OnnxEmbedder::new(model, TOKENIZER, ModelOptions::default()).unwrap_err();
    assert!(matches!(refused(b""), EmbedError::NotOnnx(_)));
    assert!(matches!(
        refused(&MODEL[..MODEL.len() / 2]),
        EmbedError::NotOnnx(_)
    ));
    assert!(matches!(
        OnnxEmbedder::new(MODEL, b"[]", ModelOptions::default()).unwrap_err(),
        EmbedError::NotATokenizer(_)
    ));
}
