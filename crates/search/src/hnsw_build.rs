//! Building the graph of [`crate::Hnsw`] with `instant-distance`.

use std::io::Write;

use instant_distance::{Builder, Point};
use serde::{Serialize, Serializer};

use crate::hnsw::{APPROXIMATE_FROM, Hnsw, UPPER_LINKS};
use crate::vectors::{Vectors, dot_rows};

/// Parameters of building the graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HnswConfig {
    /// Sets with fewer vectors are scanned exactly and get no graph.
    pub threshold: usize,
    /// Candidates compared for each point: more give a better graph and take longer.
    pub ef_construction: usize,
    /// Candidates a search keeps: more find more of the nearest and take longer.
    pub ef_search: usize,
    /// Decides the layers of points. The same seed gives the same graph.
    pub seed: u64,
}

impl Default for HnswConfig {
    fn default() -> HnswConfig {
        HnswConfig {
            threshold: APPROXIMATE_FROM,
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

/// Builds the graph, one point after the other, so that the same vectors give the same graph, on hosts with pointers of the same
/// size. Minutes for 100,000; whatever `config.threshold` says.
#[must_use]
pub fn build(vectors: &Vectors, config: &HnswConfig) -> Option<Hnsw> {
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
    let mut columns = Columns::default();
    serde_json::to_writer(&mut columns, &hnsw).ok()?;
    Some(columns.into_hnsw(config))
}

/// Takes the numbers of the graph out of the JSON that is written here, byte by byte: as a text it would be as large as all
/// of the graph once more.
#[derive(Default)]
struct Columns {
    /// Brackets that are open: `{"zero": [[1, …], …]}` has its numbers at 3.
    depth: usize,
    /// The key being read, between its quotes.
    key: Option<String>,
    field: Field,
    number: Option<u32>,
    points: Vec<u32>,
    zero: Vec<u32>,
    upper_starts: Vec<u32>,
    upper_links: Vec<u32>,
}

/// A field of the graph as `instant-distance` names it.
#[derive(Default, Clone, Copy, PartialEq)]
enum Field {
    Points,
    Zero,
    Layers,
    #[default]
    Other,
}

impl Columns {
    fn take(&mut self, byte: u8) {
        if let (Some(key), false) = (&mut self.key, byte == b'"') {
            key.push(char::from(byte));
            return;
        }
        if byte.is_ascii_digit() {
            let number = self.number.unwrap_or(0);
            self.number = Some(number.wrapping_mul(10).wrapping_add(u32::from(byte - b'0')));
            return;
        }
        if let Some(number) = self.number.take() {
            match self.field {
                Field::Points => self.points.push(number),
                Field::Zero => self.zero.push(number),
                Field::Layers => self.upper_links.push(number),
                Field::Other => {}
            }
        }
        match byte {
            b'"' => match self.key.take() {
                Some(key) => self.field = field_of(&key),
                None => self.key = Some(String::new()),
            },
            b'[' | b'{' => self.depth += 1,
            b']' | b'}' => {
                // A layer ends: `{"layers": [[[1, …], …], …]}`.
                if self.field == Field::Layers && self.depth == 3 {
                    let n_nodes = self.upper_links.len() / UPPER_LINKS;
                    self.upper_starts.push(n_nodes as u32);
                }
                self.depth = self.depth.saturating_sub(1);
            }
            _ => {}
        }
    }

    fn into_hnsw(self, config: &HnswConfig) -> Hnsw {
        Hnsw {
            ef_search: config.ef_search as u32,
            chunks: self.points,
            links: self.zero,
            upper_starts: [&[0], self.upper_starts.as_slice()].concat(),
            upper_links: self.upper_links,
        }
    }
}

fn field_of(key: &str) -> Field {
    match key {
        "points" => Field::Points,
        "zero" => Field::Zero,
        "layers" => Field::Layers,
        _ => Field::Other,
    }
}

impl Write for Columns {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        bytes.iter().for_each(|&byte| self.take(byte));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
