//! The fast tokenizer gives what Hugging Face's `tokenizers` gives for the same file; `make_tokens.py` wrote the cases.

extern crate portolan_embed as embed;

use embed::{EmbedError, Embedder, RowEmbedder, StaticEmbedder, Tokenizer};
use serde::Deserialize;

const MODEL: &[u8] = include_bytes!("../model/code-embed-128.int8.onnx");
const TOKENIZER: &[u8] = include_bytes!("../model/tokenizer.json");
const CASES: &str = include_str!("tokens.jsonl");

#[derive(Deserialize)]
struct Case {
    text: String,
    ids: Vec<u32>,
}

#[test]
fn tokens_are_those_of_the_reference() {
    let tokenizer = Tokenizer::from_json(TOKENIZER).unwrap();
    for line in CASES.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let mut ids = Vec::new();
        tokenizer.encode(&case.text, &mut ids);
        assert_eq!(ids, case.ids, "{:?}", case.text);
    }
}

#[test]
fn lines_said_again_are_tokens_again() {
    let tokenizer = Tokenizer::from_json(TOKENIZER).unwrap();
    let ids_of = |text: &str| {
        let mut ids = Vec::new();
        tokenizer.encode(text, &mut ids);
        ids
    };
    for text in [
        "http router\nhttp router\nhttp router\nadd\nadd\nfn add() {}\n",
        "a\na",
        "ab\nabc\nab\nab\n",
        "\n\n\nx\nx\n\n",
        "add\r\nadd\r\nadd",
    ] {
        // Without lines there is nothing to say again.
        assert_eq!(ids_of(text), ids_of(&text.replace('\n', " ")), "{text:?}");
    }
    assert_eq!(ids_of("add\nadd\nadd\n").len(), 3);
}

#[test]
fn vectors_are_normalised_or_zero() {
    let embedder = StaticEmbedder::from_onnx(MODEL, TOKENIZER).unwrap();
    assert_eq!(embedder.dim(), 128);
    assert!(embedder.embed(&[]).unwrap().is_empty());
    let vectors = embedder.embed(&["fn main() {}", "", "日本語"]).unwrap();
    let norms: Vec<f32> = vectors
        .chunks(128)
        .map(|vector| vector.iter().map(|x| x * x).sum::<f32>().sqrt())
        .collect();
    assert!(
        (norms[0] - 1.0).abs() < 1e-5 && norms[1] == 0.0 && norms[2] == 0.0,
        "{norms:?}"
    );
}

#[test]
fn broken_models_are_refused_with_a_reason() {
    let refused =
        |model: &[u8], tokenizer: &[u8]| StaticEmbedder::from_onnx(model, tokenizer).unwrap_err();
    assert!(matches!(refused(b"", TOKENIZER), EmbedError::NotOnnx(_)));
    assert!(matches!(
        refused(b"PK\x03\x04 no model", TOKENIZER),
        EmbedError::NotOnnx(_)
    ));
    assert!(matches!(
        refused(&MODEL[..MODEL.len() / 2], TOKENIZER),
        EmbedError::NotOnnx(_)
    ));
    assert!(matches!(
        refused(MODEL, b"{}"),
        EmbedError::NotATokenizer(_)
    ));
    assert!(matches!(
        refused(MODEL, b"\xff\xfe"),
        EmbedError::NotATokenizer(_)
    ));
    let bert = br#"{"normalizer": {"type": "BertNormalizer"}, "model": {"type": "BPE", "unk_token": "u", "continuing_subword_prefix": "", "max_input_chars_per_word": 1, "vocab": {"u": 0}}}"#;
    assert!(matches!(
        refused(MODEL, bert),
        EmbedError::UnsupportedTokenizer(_)
    ));
    let larger = String::from_utf8_lossy(TOKENIZER).replacen(
        "\"[PAD]\":0",
        "\"[PAD]\":0,\"no such token\":99999",
        1,
    );
    assert!(matches!(
        refused(MODEL, larger.as_bytes()),
        EmbedError::Mismatch(_)
    ));
}

#[test]
fn no_flipped_bit_of_the_model_panics() {
    let mut model = MODEL.to_vec();
    // Names, shapes and operations stand at both ends of the file, the table between them.
    for at in (0..600).chain(MODEL.len() - 2000..MODEL.len()).step_by(29) {
        model[at] ^= 0x55;
        let _ = StaticEmbedder::from_onnx(&model, TOKENIZER)
            .map(|embedder| embedder.embed(&["some text"]));
        model[at] ^= 0x55;
    }
}

#[test]
fn rows_that_are_read_alone_give_the_same_vectors() {
    let embedder = StaticEmbedder::from_onnx(MODEL, TOKENIZER).unwrap();
    let lookup = embedder.lookup(MODEL, TOKENIZER).unwrap();
    let read = |range: std::ops::Range<usize>| MODEL.get(range).map(<[u8]>::to_vec);
    let rows = RowEmbedder::new(&lookup, MODEL.len(), read).unwrap();
    assert_eq!((rows.name(), rows.dim()), (embedder.name(), embedder.dim()));
    let cases: Vec<Case> = CASES
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    // Few texts, and enough for the pieces to be put into a table.
    for case in cases.iter().cycle().take(40 * cases.len()) {
        assert_eq!(rows.n_tokens(&case.text), case.ids.len(), "{:?}", case.text);
    }
    let n_bytes: usize = cases.iter().map(|case| case.text.len()).sum();
    assert!(40 * n_bytes > 256 * 1024, "{n_bytes}");
    let texts: Vec<&str> = cases.iter().map(|case| case.text.as_str()).collect();
    let bits = |vectors: Vec<f32>| vectors.into_iter().map(f32::to_bits).collect::<Vec<u32>>();
    let expected = bits(embedder.embed(&texts).unwrap());
    assert_eq!(bits(rows.embed(&texts).unwrap()), expected);
    let whole = StaticEmbedder::from_lookup(MODEL.to_vec(), &lookup).unwrap();
    assert_eq!(whole.name(), embedder.name());
    assert_eq!(
        whole.tokenizer().n_tokens(),
        embedder.tokenizer().n_tokens()
    );
    assert_eq!(bits(whole.embed(&texts).unwrap()), expected);
}

#[test]
fn a_layout_of_another_file_is_refused_and_a_short_one_never_read_beyond() {
    let embedder = StaticEmbedder::from_onnx(MODEL, TOKENIZER).unwrap();
    let lookup = embedder.lookup(MODEL, TOKENIZER).unwrap();
    assert!(RowEmbedder::new(&lookup, MODEL.len() - 1, |_| None).is_err());
    let shorter = MODEL[..MODEL.len() - 1].to_vec();
    assert!(StaticEmbedder::from_lookup(shorter, &lookup).is_none());
    for length in [0, 7, 8, 40, 60, 1000, lookup.len() - 1] {
        assert!(
            RowEmbedder::new(&lookup[..length], MODEL.len(), |_| None).is_err(),
            "{length}"
        );
    }
    let unreadable = RowEmbedder::new(&lookup, MODEL.len(), |_| None).unwrap();
    assert!(matches!(
        unreadable.embed(&["parse"]),
        Err(EmbedError::Run(_))
    ));
}
