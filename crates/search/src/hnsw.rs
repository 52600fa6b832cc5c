//! Approximate nearest neighbours for large sets of vectors: the graph that `instant-distance` builds, laid out flat.
//!
//! "Here is a vector, give me near chunks." Not useful below some hundred thousand chunks: the exact scan is faster
//! there, and exact. The crate builds (a point is an index into the shared INT8 table, so vectors are not copied); queries walk
//! the flat links themselves, straight from a snapshot. There is no insertion: a changed index builds its graph again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rkyv::rend::u32_le;
use rkyv::{Archive, Deserialize, Serialize};

use crate::csr::{FrozenError, check_csr, ensure};
use crate::frozen::ChunkId;
use crate::vectors::{ArchivedVectors, QueryVector};

/// Number of vectors from which building the graph pays off.
pub const APPROXIMATE_FROM: usize = 300_000;

/// Neighbours of a point in the lowest layer.
const LINKS: usize = 64;
/// Neighbours of a point in the layers above.
pub(crate) const UPPER_LINKS: usize = 32;

/// The layers of a hierarchical navigable small world graph (Malkov and Yashunin 2016) over the rows of
/// [`crate::Vectors`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Archive, Serialize, Deserialize)]
pub struct Hnsw {
    /// Number of candidates that a search keeps: more find more and take longer.
    pub ef_search: u32,
    /// Per point: the chunk whose row it is. Points of upper layers come first.
    pub chunks: Vec<u32>,
    /// Per point: its neighbours in the lowest layer, [`u32::MAX`] where there are fewer than 64.
    pub links: Vec<u32>,
    /// First point of each upper layer in `upper_links`, lowest layer first; one more entry at the end.
    pub upper_starts: Vec<u32>,
    /// Per point of an upper layer: its neighbours, [`u32::MAX`] where there are fewer than 32.
    pub upper_links: Vec<u32>,
}

impl Hnsw {
    /// All of it as one list of numbers, for where it is built in one worker and used in another: a head of five lengths, then
    /// the columns.
    #[must_use]
    pub fn to_numbers(&self) -> Vec<u32> {
        let columns = [
            &self.chunks,
            &self.links,
            &self.upper_starts,
            &self.upper_links,
        ];
        let mut numbers = vec![self.ef_search];
        numbers.extend(columns.iter().map(|column| column.len() as u32));
        columns
            .iter()
            .for_each(|column| numbers.extend_from_slice(column));
        numbers
    }

    /// Reads the output of [`Hnsw::to_numbers`]; none if the numbers are not valid. Adding it to the vectors checks
    /// that it belongs to them.
    #[must_use]
    pub fn from_numbers(numbers: &[u32]) -> Option<Hnsw> {
        let (head, mut rest) = numbers.split_first_chunk::<5>()?;
        let [ef_search, lengths @ ..] = *head;
        let mut column = |length: u32| {
            let (column, after) = rest.split_at_checked(length as usize)?;
            rest = after;
            Some(column.to_vec())
        };
        let [chunks, links, upper_starts, upper_links] = lengths.map(&mut column);
        let hnsw = Hnsw {
            ef_search,
            chunks: chunks?,
            links: links?,
            upper_starts: upper_starts?,
            upper_links: upper_links?,
        };
        rest.is_empty().then_some(hnsw)
    }
}

/// A point and its cosine, ordered by cosine, then the lower point first.
#[derive(Clone, Copy, PartialEq)]
struct Near {
    cosine: f32,
    point: u32,
}

impl Eq for Near {}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Near) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Near {
    fn cmp(&self, other: &Near) -> std::cmp::Ordering {
        self.cosine
            .total_cmp(&other.cosine)
            .then(other.point.cmp(&self.point))
    }
}

/// One search: the rows that it has seen, and their distances.
struct Walk<'a> {
    hnsw: &'a ArchivedHnsw,
    vectors: &'a ArchivedVectors,
    query: &'a QueryVector,
    seen: Vec<bool>,
}

impl Walk<'_> {
    fn visit(&mut self, point: u32) -> Option<Near> {
        let seen = self.seen.get_mut(point as usize)?;
        if std::mem::replace(seen, true) {
            return None;
        }
        let chunk = ChunkId(self.hnsw.chunks.get(point as usize)?.to_native());
        Some(Near {
            cosine: self.vectors.cosine(self.query, chunk)?,
            point,
        })
    }

    /// The `ef` points of a layer that are nearest, found by always following the nearest one not yet followed.
    fn layer<'b>(
        &mut self,
        entries: &[Near],
        ef: usize,
        links: impl Fn(u32) -> &'b [u32_le],
    ) -> Vec<Near> {
        let mut open: BinaryHeap<Near> = entries.iter().copied().collect();
        let mut best: BinaryHeap<Reverse<Near>> = entries.iter().copied().map(Reverse).collect();
        while let Some(next) = open.pop() {
            if best.len() >= ef && best.peek().is_some_and(|worst| next < worst.0) {
                break;
            }
            for link in links(next.point) {
                let Some(near) = self.visit(link.to_native()) else {
                    continue;
                };
                if best.len() < ef || best.peek().is_some_and(|worst| near > worst.0) {
                    open.push(near);
                    best.push(Reverse(near));
                }
                if best.len() > ef {
                    best.pop();
                }
            }
        }
        best.into_iter().map(|near| near.0).collect()
    }
}

impl ArchivedHnsw {
    /// About the `limit` nearest chunks with their cosines, best first.
    pub(crate) fn nearest(
        &self,
        vectors: &ArchivedVectors,
        query: &QueryVector,
        limit: usize,
    ) -> Vec<(ChunkId, f32)> {
        let mut walk = Walk {
            hnsw: self,
            vectors,
            query,
            seen: vec![false; self.chunks.len()],
        };
        let mut entries: Vec<Near> = walk.visit(0).into_iter().collect();
        for layer in (0..self.upper_starts.len().saturating_sub(1)).rev() {
            entries = walk.layer(&entries, 1, |point| self.upper_links_of(layer, point));
            walk.seen.fill(false);
            entries
                .iter()
                .for_each(|near| walk.seen[near.point as usize] = true);
        }
        let ef = (self.ef_search.to_native() as usize).max(limit);
        let mut found = walk.layer(&entries, ef, |point| {
            row(&self.links, LINKS, point as usize)
        });
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.truncate(limit);
        let chunk = |near: Near| {
            Some((
                ChunkId(self.chunks.get(near.point as usize)?.to_native()),
                near.cosine,
            ))
        };
        found.into_iter().filter_map(chunk).collect()
    }

    fn upper_links_of(&self, layer: usize, point: u32) -> &[u32_le] {
        let at = |idx: usize| {
            self.upper_starts
                .get(idx)
                .map_or(0, |start| start.to_native())
        };
        let node = at(layer).saturating_add(point);
        if node < at(layer + 1) {
            row(&self.upper_links, UPPER_LINKS, node as usize)
        } else {
            &[]
        }
    }

    pub(crate) fn validate(&self, n_chunks: usize) -> Result<(), FrozenError> {
        let n_points = self.chunks.len();
        ensure(
            self.chunks
                .iter()
                .all(|chunk| (chunk.to_native() as usize) < n_chunks),
            "hnsw",
            "a chunk that is not there",
        )?;
        ensure(
            self.links.len() == n_points * LINKS,
            "hnsw",
            "wrong number of links",
        )?;
        check_csr(
            &self.upper_starts,
            self.upper_starts.len().saturating_sub(1),
            self.upper_links.len() / UPPER_LINKS,
            "hnsw",
        )
    }
}

fn row(links: &[u32_le], width: usize, point: usize) -> &[u32_le] {
    let row = links.get(point * width..(point + 1) * width).unwrap_or(&[]);
    let used = row
        .iter()
        .position(|link| link.to_native() == u32::MAX)
        .unwrap_or(row.len());
    &row[..used]
}
