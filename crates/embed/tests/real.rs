//! A real transformer, where somebody fetched one: 90 MB are not in the repository. `make_models.py --real DIR` fetches it, then
//! `PORTOLAN_MINILM=DIR/teacher cargo test -p portolan-embed --features onnx --test real -- --ignored --nocapture`.
#![cfg(feature = "onnx")]

extern crate portolan_embed as embed;

use std::path::PathBuf;
use std::time::Instant;

use embed::{Embedder, ModelOptions, OnnxEmbedder};
use serde::Deserialize;

#[derive(Deserialize)]
struct Expected {
    texts: Vec<String>,
    vectors: Vec<Vec<f32>>,
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "whoever runs it by hand wants the times"
)]
#[ignore = "wants all-MiniLM-L6-v2, which make_models.py --real fetches"]
fn minilm_gives_the_vectors_of_the_reference() {
    let folder = PathBuf::from(std::env::var_os("PORTOLAN_MINILM").expect("the model's folder"));
    let read = |file: &str| std::fs::read(folder.join(file)).expect(file);
    let Expected { texts, vectors } = serde_json::from_slice(&read("expected.json")).unwrap();
    let options = ModelOptions {
        max_tokens: Some(256),
        ..ModelOptions::default()
    };
    let started = Instant::now();
    let embedder =
        OnnxEmbedder::new(&read("model.onnx"), &read("tokenizer.json"), options).unwrap();
    println!("loaded in {:.2?}", started.elapsed());
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let started = Instant::now();
    let found = embedder.embed(&texts).unwrap();
    println!("{} texts in {:.2?}", texts.len(), started.elapsed());
    let cosines = found
        .chunks(embedder.dim())
        .zip(&vectors)
        .map(|(found, vector)| found.iter().zip(vector).map(|(x, y)| x * y).sum::<f32>());
    let least = cosines.fold(1.0, f32::min);
    println!("least cosine {least:.6}");
    assert!(least > 0.999, "{least}");
}
