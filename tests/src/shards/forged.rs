//! Roots and shards that somebody else made or changed: they are refused, or questions end.

use std::sync::Arc;

use engine::Snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};
use shards::{Root, Shards};

use super::{SHOP, ask, in_turn, questions, saved, texts, whole};

#[test]
fn shards_of_other_sources_are_refused() {
    let texts = texts(&SHOP);
    let division = in_turn(&texts, 2);
    let (snapshots, root) = saved(&texts, &division);
    let root = Root::from_bytes(&root).unwrap();
    // The two shards in the wrong order.
    let open = move |shard: u16| {
        Ok(Arc::new(Snapshot::open(
            &snapshots[1 - usize::from(shard)],
        )?))
    };
    let index = Arc::new(Shards::new(root, Box::new(open))).index().unwrap();
    let answer = ask(&index, "callers", &json!({ "symbol": "helper" }));
    assert_eq!(answer["error"], "snapshot.damaged");
    assert!(
        answer["message"]
            .as_str()
            .unwrap()
            .contains("does not belong to this root"),
        "{answer}"
    );
}

#[test]
fn changed_and_cut_roots_are_refused() {
    let (_, root) = saved(&texts(&SHOP), &in_turn(&texts(&SHOP), 3));
    for at in (0..root.len()).step_by(7) {
        let mut changed = root.clone();
        changed[at] ^= 0x55;
        assert!(Root::from_bytes(&changed).is_err(), "byte {at}");
        assert!(Root::from_bytes(&root[..at]).is_err(), "cut at {at}");
    }
}

/// A root with a word of its section `kind` changed, and a right checksum.
fn forged(root: &[u8], kind: usize, at: usize, value: u32) -> Vec<u8> {
    let entry = |kind: usize| 16 + kind * 24;
    let number =
        |at: usize| u32::from_le_bytes(root[at..at + 4].try_into().expect("4 bytes")) as usize;
    let n_sections = number(12);
    let mut table = root[..entry(n_sections)].to_vec();
    let mut sections = Vec::new();
    let mut start = entry(n_sections);
    for section in 0..n_sections {
        let end = start + number(entry(section) + 4);
        let mut packed = root[start..end].to_vec();
        if section == kind {
            let mut flat = Vec::with_capacity(number(entry(section) + 8));
            zstd_safe::decompress(&mut flat, &packed).expect("a frame");
            let at = at % flat.len().saturating_sub(4).max(1);
            flat[at..at + 4].copy_from_slice(&value.to_le_bytes());
            packed = Vec::with_capacity(zstd_safe::compress_bound(flat.len()));
            zstd_safe::compress(&mut packed, &flat, 1).expect("a frame");
            let checksum = xxhash_rust::xxh3::xxh3_64(&packed);
            table[entry(section) + 4..][..4].copy_from_slice(&(packed.len() as u32).to_le_bytes());
            table[entry(section) + 16..][..8].copy_from_slice(&checksum.to_le_bytes());
        }
        sections.extend_from_slice(&packed);
        start = end;
    }
    table.extend_from_slice(&sections);
    table
}

#[test]
fn a_root_that_says_too_many_chunks_or_lines_costs_nothing() {
    let texts = texts(&SHOP);
    let (snapshots, root) = saved(&texts, &in_turn(&texts, 3));
    // The last start has no other after it that it would pass.
    let path = texts.keys().next_back().expect("a file");
    let mut opened = [0; 6];
    let places = [FILES, WORDS]
        .into_iter()
        .flat_map(|kind| (0..600).step_by(4).map(move |at| (kind, at)));
    for (kind, at) in places {
        let Ok(root) = Root::from_bytes(&forged(&root, kind, at, u32::MAX)) else {
            continue;
        };
        let snapshots = snapshots.clone();
        let open = move |shard: u16| Ok(Arc::new(Snapshot::open(&snapshots[usize::from(shard)])?));
        if let Ok(index) = Arc::new(Shards::new(root, Box::new(open))).index() {
            opened[kind] += 1;
            let request = json!({ "path": path, "line": 1, "column": 1 });
            ask(&index, "link_lsp_to_chunk", &request);
            ask(&index, "chunks", &json!({ "path": path }));
            ask(&index, "find_chunks_for_symbol", &json!({ "symbol": path }));
            let gone = json!({ "path": path, "text": null });
            ask(&index, "detect_changes", &json!({ "after": [gone] }));
        }
    }
    assert!(opened[FILES] > 0 && opened[WORDS] > 0, "some are opened");
}

/// Number of the section with files and their lines.
const FILES: usize = 2;
/// Number of the section with words and chunks.
const WORDS: usize = 5;

/// Snapshots of shards, their root, and questions about them.
type Saved = (Vec<Vec<u8>>, Vec<u8>, Vec<(&'static str, Value)>);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn forged_roots_are_refused_or_answer(kind in 0usize..6, at in any::<usize>(), value in prop_oneof![any::<u32>(), 0u32..64, Just(u32::MAX)]) {
        static SAVED: std::sync::LazyLock<Saved> = std::sync::LazyLock::new(|| {
            let texts = texts(&SHOP);
            let (snapshots, root) = saved(&texts, &in_turn(&texts, 3));
            let questions = questions(&whole(&texts)).into_iter().step_by(9).collect();
            (snapshots, root, questions)
        });
        let (snapshots, root, questions) = &*SAVED;
        if let Ok(root) = Root::from_bytes(&forged(root, kind, at & !3, value)) {
            let open = |shard: u16| Ok(Arc::new(Snapshot::open(&snapshots[usize::from(shard)])?));
            let index = Arc::new(Shards::new(root, Box::new(open))).index();
            if let Ok(index) = index {
                for (tool, request) in questions {
                    ask(&index, tool, request);
                }
            }
        }
    }
}
