//! Building the graph of [`crate::Hnsw`] with `instant-distance`.

use instant_distance::{Builder, Point};
use serde::{Deserialize, Serialize, Serializer};

use crate::hnsw::Hnsw;
use crate::vectors::{Vectors, dot_rows};

/// How the graph is built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HnswConfig {
    /// Sets with fewer vectors are scanned exactly and get no graph.
    pub threshold: usize,
    /// Candidates looked at for each point: more give a better graph and take longer.
    pub ef_construction: usize,
    /// Candidates a search keeps: more find more of the nearest and take longer.
    pub ef_search: usize,
    /// Decides the layers of points. The same seed gives the same graph.
    pub seed: u64,
}

impl Default for HnswConfig {
    fn default() -> HnswConfig {
        HnswConfig {
            threshold: 300_000,
            ef_construction: 100,
            ef_search: 200,
            seed: 1,
        }
    }
}

/// A row of the shared table.
#[derive(Clone, Copy)]
struct Row<'a> {
    vectors: &'a Vectors,
    chunk: u32,
}

impl Point for Row<'_> {
    fn distance(&self, other: &Row<'_>) -> f32 {
        1.0 - dot_rows(self.vectors, self.chunk, other.chunk)
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.chunk.serialize(serializer)
    }
}

/// The graph as `instant-distance` writes it out.
#[derive(Deserialize)]
struct Written {
    points: Vec<u32>,
    zero: Vec<Vec<u32>>,
    layers: Vec<Vec<Vec<u32>>>,
}

/// Builds the graph, one point after the other, so that the same vectors give the same graph.
pub(crate) fn build(vectors: &Vectors, config: &HnswConfig) -> Option<Hnsw> {
    let chunks = (0..)
        .zip(&vectors.scales)
        .filter(|&(_, &scale)| scale > 0.0);
    let points: Vec<Row<'_>> = chunks.map(|(chunk, _)| Row { vectors, chunk }).collect();
    let builder = Builder::default()
        .seed(config.seed)
        .ef_construction(config.ef_construction)
        .ef_search(config.ef_search);
    // The crate inserts points in parallel, in an order that differs each time: one thread keeps the order. Where there are no
    // threads, it has only one anyway.
    let hnsw = match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(|| builder.build_hnsw(points).0),
        Err(_) => builder.build_hnsw(points).0,
    };
    // Its layers are private, but it can be written out.
    let written: Written = serde_json::from_slice(&serde_json::to_vec(&hnsw).ok()?).ok()?;
    Some(flatten(written, config))
}

fn flatten(written: Written, config: &HnswConfig) -> Hnsw {
    let mut upper_starts = vec![0];
    let mut upper_links = Vec::new();
    let mut n_upper = 0;
    for layer in written.layers {
        n_upper += layer.len() as u32;
        upper_starts.push(n_upper);
        upper_links.extend(layer.into_iter().flatten());
    }
    Hnsw {
        ef_search: config.ef_search as u32,
        chunks: written.points,
        links: written.zero.into_iter().flatten().collect(),
        upper_starts,
        upper_links,
    }
}
