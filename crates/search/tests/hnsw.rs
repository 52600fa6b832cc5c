//! The approximate index finds what the exact scan finds, and is the same every time.
#![cfg(feature = "hnsw")]

extern crate portolan_search as search;

use rkyv::rancor::Error;
use rkyv::util::AlignedVec;
use search::{ArchivedVectors, ChunkId, HnswConfig, VectorsBuilder};

const DIM: usize = 32;
const N_VECTORS: u32 = 500;

/// Clustered, as real vectors are. A linear congruential generator: the same on every machine.
fn vectors() -> Vec<Vec<f32>> {
    let mut state = 7_u64;
    let mut next = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    let centres: Vec<Vec<f32>> = (0..40)
        .map(|_| (0..DIM).map(|_| next()).collect())
        .collect();
    (0..N_VECTORS as usize)
        .map(|idx| centres[idx % 40].iter().map(|x| x + 0.5 * next()).collect())
        .collect()
}

fn build(config: &HnswConfig) -> AlignedVec {
    // One chunk more than vectors: it has none and must never be found.
    let mut builder = VectorsBuilder::new(DIM, N_VECTORS as usize + 1);
    for (chunk, vector) in (0..).map(ChunkId).zip(vectors()) {
        assert!(builder.set(chunk, &vector));
    }
    rkyv::to_bytes::<Error>(&builder.build_hnsw(config)).unwrap()
}

#[test]
fn recall_and_repeatability() {
    let config = HnswConfig {
        threshold: 400,
        ef_construction: 40,
        ..HnswConfig::default()
    };
    let built = build(&config);
    assert_eq!(built.as_slice(), build(&config).as_slice());
    let vectors_read = rkyv::access::<ArchivedVectors, Error>(&built).unwrap();
    assert!(vectors_read.hnsw.is_some());
    let (mut found, mut wanted) = (0, 0);
    for query in vectors().iter().step_by(10) {
        let exact = vectors_read.nearest_exact(query, 10);
        let near = vectors_read.nearest(query, 10, &|_| true);
        wanted += exact.len();
        found += exact.iter().filter(|hit| near.contains(hit)).count();
    }
    assert!(found * 100 >= wanted * 98, "{found} of {wanted}");
}

#[test]
fn a_narrow_filter_still_finds() {
    let bytes = build(&HnswConfig {
        threshold: 400,
        ef_construction: 30,
        ..HnswConfig::default()
    });
    let vectors_read = rkyv::access::<ArchivedVectors, Error>(&bytes).unwrap();
    let only = ChunkId(77);
    let found = vectors_read.nearest(&vectors()[3], 10, &|chunk| chunk == only);
    assert_eq!(found.iter().map(|hit| hit.0).collect::<Vec<_>>(), [only]);
}

#[test]
fn small_sets_get_no_graph() {
    let bytes = build(&HnswConfig {
        threshold: 10_000,
        ..HnswConfig::default()
    });
    assert!(
        rkyv::access::<ArchivedVectors, Error>(&bytes)
            .unwrap()
            .hnsw
            .is_none()
    );
}
