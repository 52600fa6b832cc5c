//! Messages between a front and a shard: they come back as they were, and whatever else comes is refused or read, never more.
//!
//! Golden bytes: messages that were written once are read, and written again with the same bytes. Where a change is on purpose:
//! raise `MESSAGE_VERSION` and run the test with `UPDATE_GOLDEN=1`.

use std::fs;
use std::path::{Path, PathBuf};

use portolan_search::{
    ChunkPlace, Conditions, FoundChunk, GlobalPlan, Lengths, MAX_MESSAGE, MESSAGE_VERSION, Message,
    PathClass, SearchConfig, ShardPart, ShardQuery, Statistics, Survey, plan,
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
        conditions: Conditions {
            paths: vec!["*.ts".to_owned(), "!tests/".to_owned()],
            languages: vec!["typescript".to_owned()],
            kinds: vec!["function".to_owned()],
            node_types: Vec::new(),
            min_complexity: 1,
            max_complexity: Some(9),
            candidates: 100,
            joined_words: 0.4,
            penalties: vec![1, 16],
            lexical: true,
            vector: false,
            names: true,
            rerank: true,
        },
        vector: vec![0.25, -1.0, 0.0],
        raised: vec![place(0, 3)],
        related: vec![place(2, 0), place(2, 1)],
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

#[test]
fn conditions_that_no_search_has_are_refused() {
    let fault = |change: &dyn Fn(&mut Conditions)| {
        let mut query = query();
        change(&mut query.conditions);
        let bytes = query.to_bytes().unwrap();
        ShardQuery::from_bytes(&bytes).unwrap_err().fault()
    };
    let many = "it has too many entries";
    assert_eq!(fault(&|of| of.candidates = u32::MAX), many);
    assert_eq!(fault(&|of| of.paths = vec![String::new(); 20_000]), many);
    assert_eq!(fault(&|of| of.penalties = vec![1; 20_000]), many);
    assert_eq!(fault(&|of| of.joined_words = f32::NAN), "a number is none");
}

/// A field that is forgotten here would make shards search in another way than one index.
#[test]
fn a_config_comes_back_with_all_that_finding_reads() {
    let mut config = SearchConfig {
        lexical: false,
        rerank: false,
        ..SearchConfig::default()
    };
    config.set("candidates", 7.0).unwrap();
    config.set("joined_words", 2.0).unwrap();
    config.penalties.truncate(2);
    let back = Conditions::of(&config).config();
    assert_eq!(Conditions::of(&back), Conditions::of(&config));
    assert_eq!((back.candidates, back.joined_words), (7, 2.0));
    let classes = |config: &SearchConfig| -> Vec<PathClass> {
        let penalties = config.penalties.iter();
        penalties.map(|penalty| penalty.class).collect()
    };
    assert_eq!(classes(&back), classes(&config));
    let layers =
        |config: &SearchConfig| (config.lexical, config.vector, config.names, config.rerank);
    assert_eq!(layers(&back), layers(&config));
}

fn finite() -> impl Strategy<Value = f32> {
    prop_oneof![-4.0f32..4.0, Just(0.0), Just(f32::MAX)]
}

fn places() -> impl Strategy<Value = Vec<ChunkPlace>> {
    let one = (any::<u32>(), any::<u32>()).prop_map(|(file, within)| place(file, within));
    prop::collection::vec(one, 0..6)
}

fn conditions() -> impl Strategy<Value = Conditions> {
    let words = || prop::collection::vec("\\PC{0,9}", 0..4);
    let filters = (words(), words(), words(), words());
    let weights = (
        0u32..=10_000,
        finite(),
        prop::collection::vec(any::<u16>(), 0..9),
    );
    let layers = prop::array::uniform4(any::<bool>());
    let complexity = any::<(u32, Option<u32>)>();
    (filters, complexity, weights, layers).prop_map(|(filters, complexity, weights, layers)| {
        let [lexical, vector, names, rerank] = layers;
        Conditions {
            paths: filters.0,
            languages: filters.1,
            kinds: filters.2,
            node_types: filters.3,
            min_complexity: complexity.0,
            max_complexity: complexity.1,
            candidates: weights.0,
            joined_words: weights.1,
            penalties: weights.2,
            lexical,
            vector,
            names,
            rerank,
        }
    })
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
        text in "\\PC{0,60}",
        conditions in conditions(),
        (importance, vector) in (prop::collection::vec(finite(), 0..9), prop::collection::vec(finite(), 0..9)),
        (raised, related) in (places(), places()),
        definitions in prop::collection::vec((any::<u64>(), finite()), 0..4),
    ) {
        let query = ShardQuery { text, conditions, importance, vector, raised, related, definitions, ..query() };
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
