//! Messages between a front and a shard: they come back as they were, and whatever else comes is refused or read, never more.
//!
//! Golden bytes: messages that were written once are read, and written again with the same bytes. Where a change is on purpose:
//! raise `MESSAGE_VERSION` and run the test with `UPDATE_GOLDEN=1`.

use std::fs;
use std::path::{Path, PathBuf};

use portolan_search::{
    ChunkPlace, FoundChunk, GlobalPlan, Lengths, MAX_MESSAGE, MESSAGE_VERSION, Message, ShardPart,
    ShardQuery, Statistics, Survey, plan,
};
use proptest::prelude::*;

fn place(file: u32, within: u32) -> ChunkPlace {
    ChunkPlace { file, within }
}

fn query() -> ShardQuery {
    let plan = plan("where is `addTax` of a cart computed");
    let n_terms = plan.terms.len() as u32;
    let global = GlobalPlan {
        statistics: Statistics {
            n_chunks: 1_000,
            n_files: 90,
            frequencies: (0..n_terms).collect(),
        },
        definitions: vec![(7, 1.0), (u64::MAX, 0.9)],
        near: vec!["addTaxes".to_owned()],
        plan,
    };
    ShardQuery {
        lengths: Lengths {
            tokens: [1, 2, 3, 1 << 40],
            n_chunks: 1_000,
        },
        layers: 4,
        vector: vec![0.25, -1.0, 0.0],
        raised: vec![place(0, 3)],
        related: vec![place(2, 0), place(2, 1)],
        request: r#"{"query":"where is `addTax` of a cart computed"}"#.to_owned(),
        ..ShardQuery::of("where is `addTax` of a cart computed", &global)
    }
}

fn part() -> ShardPart {
    let hit = FoundChunk {
        place: place(1, 2),
        main: Some(4),
        lexical_score: 3.5,
        lexical_rank: Some(1),
        vector_score: None,
        vector_rank: None,
        signals: std::array::from_fn(|signal| signal as f32 / 16.0),
        class: 5,
    };
    let other = FoundChunk {
        place: place(9, 0),
        main: None,
        vector_score: Some(-0.5),
        vector_rank: Some(2),
        lexical_rank: None,
        ..hit
    };
    ShardPart {
        found: vec![hit, other],
        defining: vec![vec![place(1, 2)], Vec::new()],
    }
}

fn survey() -> Survey {
    Survey {
        statistics: query().statistics,
        spellings: vec![1, 0, 6],
        has_word: true,
        has_vectors: false,
    }
}

#[track_caller]
fn check_golden<M: Message + PartialEq + std::fmt::Debug>(name: &str, message: &M) {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let file = folder.join(format!("v{MESSAGE_VERSION}.{name}"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&file, message.to_bytes().unwrap()).unwrap();
    }
    let bytes = fs::read(file).expect("golden bytes of this version");
    let found = M::from_bytes(&bytes).unwrap();
    assert_eq!(&found, message);
    assert!(found.to_bytes().unwrap() == bytes, "the form has changed");
}

#[test]
fn golden_messages_are_read_and_written_again() {
    check_golden("query", &query());
    check_golden("part", &part());
    check_golden("survey", &survey());
}

#[test]
fn a_plan_follows_from_its_text() {
    let query = query();
    let global = query.global().unwrap();
    assert_eq!(global.plan, plan(&query.text));
    assert_eq!(global.statistics, query.statistics);
    let mut other = query.clone();
    other.text.push_str(" and shipped");
    let fault = other.global().unwrap_err().fault();
    assert_eq!(fault, "its terms are not those of its text");
}

#[test]
fn what_is_no_message_is_refused_by_what_is_wrong() {
    let bytes = part().to_bytes().unwrap();
    let fault = |bytes: &[u8]| ShardPart::from_bytes(bytes).unwrap_err().fault();
    assert_eq!(fault(b"<html>"), "it is cut off");
    assert_eq!(fault(&[0; 64]), "it is none");
    assert_eq!(fault(&query().to_bytes().unwrap()), "it is another message");
    let mut older = bytes.clone();
    older[8] += 1;
    assert_eq!(fault(&older), "it is of another version");
    let mut long = bytes;
    long.resize(MAX_MESSAGE + 1, 0);
    assert_eq!(fault(&long), "it is too long");
    let mut endless = part();
    endless.found[0].signals[3] = f32::NAN;
    assert_eq!(fault(&endless.to_bytes().unwrap()), "a number is none");
    let many = ShardPart {
        defining: vec![vec![place(0, 0); 20_000]],
        ..ShardPart::default()
    };
    assert_eq!(fault(&many.to_bytes().unwrap()), "it has too many entries");
}

fn finite() -> impl Strategy<Value = f32> {
    prop_oneof![-4.0f32..4.0, Just(0.0), Just(f32::MAX)]
}

fn places() -> impl Strategy<Value = Vec<ChunkPlace>> {
    let one = (any::<u32>(), any::<u32>()).prop_map(|(file, within)| place(file, within));
    prop::collection::vec(one, 0..6)
}

fn found() -> impl Strategy<Value = FoundChunk> {
    let ranks = (
        any::<Option<u32>>(),
        any::<Option<u32>>(),
        any::<Option<u32>>(),
    );
    let scores = (
        finite(),
        prop::option::of(finite()),
        prop::array::uniform16(finite()),
    );
    (any::<(u32, u32)>(), ranks, scores, any::<u16>()).prop_map(|(at, ranks, scores, class)| {
        FoundChunk {
            place: place(at.0, at.1),
            main: ranks.0,
            lexical_score: scores.0,
            lexical_rank: ranks.1,
            vector_score: scores.1,
            vector_rank: ranks.2,
            signals: scores.2,
            class,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn parts_come_back(found in prop::collection::vec(found(), 0..20), defining in prop::collection::vec(places(), 0..4)) {
        let part = ShardPart { found, defining };
        prop_assert_eq!(ShardPart::from_bytes(&part.to_bytes().unwrap()).unwrap(), part);
    }

    #[test]
    fn queries_come_back(
        (text, request) in ("\\PC{0,60}", "\\PC{0,60}"),
        (importance, vector) in (prop::collection::vec(finite(), 0..9), prop::collection::vec(finite(), 0..9)),
        (raised, related) in (places(), places()),
        definitions in prop::collection::vec((any::<u64>(), finite()), 0..4),
        layers in any::<u8>(),
    ) {
        let query = ShardQuery { text, request, importance, vector, raised, related, definitions, layers, ..query() };
        prop_assert_eq!(ShardQuery::from_bytes(&query.to_bytes().unwrap()).unwrap(), query);
    }

    #[test]
    fn changed_and_cut_messages_are_refused_or_read(at in any::<prop::sample::Index>(), value in any::<u32>(), of in 0usize..3) {
        let bytes = [query().to_bytes(), part().to_bytes(), survey().to_bytes()][of].clone().unwrap();
        let at = at.index(bytes.len() - 4);
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
        for bytes in [&changed[..], &bytes[..at]] {
            let _ = ShardPart::from_bytes(bytes);
            let _ = Survey::from_bytes(bytes);
            let _ = ShardQuery::from_bytes(bytes).and_then(|query| query.global());
        }
    }
}
