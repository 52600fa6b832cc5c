//! Users' models: tract and the tokenizer give what onnxruntime and Hugging Face's tokenizers give; `make_models.py`
//! wrote
//! the models and the answers.
#![cfg(feature = "onnx")]

extern crate portolan_embed as embed;

use embed::{CrossEncoder, EmbedError, Embedder, ModelOptions, OnnxEmbedder, Pooling};
use serde::Deserialize;
use std::collections::BTreeMap;

const ENCODER: &[u8] = include_bytes!("models/encoder.onnx");
const CROSS: &[u8] = include_bytes!("models/cross.onnx");
const WORD_PIECE: &[u8] = include_bytes!("models/wordpiece.json");
const OURS: &[u8] = include_bytes!("../model/tokenizer.json");

#[derive(Deserialize)]
struct Expected {
    texts: Vec<String>,
    max_tokens: usize,
    tokenizers: BTreeMap<String, Vectors>,
    scores: Vec<f32>,
}

#[derive(Deserialize)]
struct Vectors {
    mean: Vec<Vec<f32>>,
    cls: Vec<Vec<f32>>,
}

fn expected() -> Expected {
    serde_json::from_str(include_str!("models/expected.json")).unwrap()
}

fn options(max_tokens: usize) -> ModelOptions {
    ModelOptions {
        max_tokens: Some(max_tokens),
        ..ModelOptions::default()
    }
}

fn tokenizer(kind: &str) -> &'static [u8] {
    match kind {
        "wordpiece" => WORD_PIECE,
        "bpe" => include_bytes!("models/bpe.json"),
        _ => include_bytes!("models/unigram.json"),
    }
}

fn check(embedder: &OnnxEmbedder, texts: &[String], vectors: &[Vec<f32>]) {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let found = embedder.embed(&texts).unwrap();
    for ((text, found), vector) in texts.iter().zip(found.chunks(embedder.dim())).zip(vectors) {
        let cosine: f32 = found.iter().zip(vector).map(|(x, y)| x * y).sum();
        assert!((cosine - 1.0).abs() < 1e-4, "{text:?}: {cosine}");
    }
}

#[test]
fn vectors_are_those_of_the_reference() {
    let Expected {
        texts,
        max_tokens,
        tokenizers,
        ..
    } = expected();
    assert_eq!(tokenizers.len(), 3);
    for (kind, vectors) in tokenizers {
        let mean = OnnxEmbedder::new(ENCODER, tokenizer(&kind), options(max_tokens)).unwrap();
        check(&mean, &texts, &vectors.mean);
        let pooled = ModelOptions {
            pooling: Pooling::Cls,
            ..options(max_tokens)
        };
        let cls = OnnxEmbedder::new(ENCODER, tokenizer(&kind), pooled).unwrap();
        check(&cls, &texts, &vectors.cls);
        assert_ne!(mean.name(), cls.name(), "their vectors cannot be compared");
    }
}

#[test]
fn prefixes_stand_before_queries_and_passages() {
    let plain = OnnxEmbedder::new(ENCODER, WORD_PIECE, options(64)).unwrap();
    let prefixed = ModelOptions {
        query_prefix: "query: ".to_owned(),
        passage_prefix: "passage: ".to_owned(),
        ..options(64)
    };
    let embedder = OnnxEmbedder::new(ENCODER, WORD_PIECE, prefixed).unwrap();
    let same =
        |one: Vec<f32>, other: Vec<f32>| one.iter().zip(&other).all(|(x, y)| (x - y).abs() < 1e-6);
    assert!(same(
        embedder.embed_query("a").unwrap(),
        plain.embed(&["query: a"]).unwrap()
    ));
    assert!(same(
        embedder.embed(&["a"]).unwrap(),
        plain.embed(&["passage: a"]).unwrap()
    ));
    assert!(!same(
        embedder.embed(&["a"]).unwrap(),
        plain.embed(&["a"]).unwrap()
    ));
}

#[test]
fn pairs_are_scored_as_by_the_reference() {
    let Expected {
        texts,
        max_tokens,
        scores,
        ..
    } = expected();
    let cross = CrossEncoder::new(CROSS, WORD_PIECE, Some(max_tokens)).unwrap();
    let passages: Vec<&str> = texts.iter().map(String::as_str).collect();
    let found = cross.score(&texts[0], &passages).unwrap();
    for (found, score) in found.iter().zip(&scores) {
        assert!((found - score).abs() < 1e-3, "{found} {score}");
    }
    assert!(cross.score("q", &[]).unwrap().is_empty());
}

#[test]
fn what_does_not_fit_is_refused_with_a_reason() {
    let refused = |model: &[u8], tokenizer: &[u8]| {
        OnnxEmbedder::new(model, tokenizer, ModelOptions::default()).unwrap_err()
    };
    assert!(matches!(refused(ENCODER, OURS), EmbedError::Mismatch(_)));
    assert!(matches!(
        refused(ENCODER, b"{}"),
        EmbedError::NotATokenizer(_)
    ));
    assert!(matches!(
        refused(ENCODER, &WORD_PIECE[..500]),
        EmbedError::NotATokenizer(_)
    ));
    assert!(matches!(
        refused(&ENCODER[..999], WORD_PIECE),
        EmbedError::NotOnnx(_)
    ));
    let cross = |model: &[u8], tokenizer: &[u8]| CrossEncoder::new(model, tokenizer, None);
    assert!(matches!(
        cross(ENCODER, WORD_PIECE),
        Err(EmbedError::Unsupported(_))
    ));
    assert!(matches!(
        cross(CROSS, OURS),
        Err(EmbedError::UnsupportedTokenizer(_))
    ));
}

#[test]
fn a_model_with_too_few_positions_is_refused() {
    for tokens in [None, Some(65)] {
        let options = ModelOptions {
            max_tokens: tokens,
            ..ModelOptions::default()
        };
        let error = OnnxEmbedder::new(ENCODER, WORD_PIECE, options).unwrap_err();
        let EmbedError::Positions {
            n_positions,
            max_tokens,
        } = error
        else {
            panic!("{error}");
        };
        assert_eq!((n_positions, max_tokens), (64, tokens.unwrap_or(512)));
        assert!(error.to_string().contains("to 64 or less"), "{error}");
        let cross = CrossEncoder::new(CROSS, WORD_PIECE, tokens).unwrap_err();
        assert!(matches!(cross, EmbedError::Positions { .. }), "{cross}");
    }
    // As many tokens as positions are embedded, however long the text is.
    let embedder = OnnxEmbedder::new(ENCODER, WORD_PIECE, options(64)).unwrap();
    assert_eq!(
        embedder
            .embed(&["word ".repeat(500).as_str()])
            .unwrap()
            .len(),
        embedder.dim()
    );
}
