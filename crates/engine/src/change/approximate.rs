//! An approximate index over the vectors of a snapshot, made while the snapshot is already in use.
//!
//! The exact scan compares every vector, which is fast enough for most repositories. For large sets a graph (HNSW)
//! finds nearly the same vectors in a fraction of the time, but takes minutes to build. So building it is a step of its
//! own, which a host may run in the background, in another thread or process: it passes the rows to `NearRows` and
//! attaches the resulting numbers with [`with_neighbours`]. Until then, and after the next change to the index, queries
//! scan.

use search::Hnsw;
use snapshot::SectionKind;

use crate::change::build::freeze;
use crate::{Error, ErrorKind, Reader, Snapshot};

impl Reader {
    /// Returns the length of a row and the rows of all chunks, for `NearRows`; none where there are
    /// no vectors, or where there is a graph already.
    #[must_use]
    pub fn vector_rows(&self) -> Option<(usize, &[i8])> {
        let vectors = self.view().vectors();
        let vectors = vectors.filter(|vectors| vectors.hnsw.is_none())?;
        Some((vectors.dim.to_native() as usize, &vectors.rows))
    }

    /// Whether a graph over the vectors would pay: there are at least `threshold` vectors and no graph yet.
    #[must_use]
    pub fn wants_neighbours(&self, threshold: usize) -> bool {
        let vectors = self.view().vectors();
        vectors.is_some_and(|vectors| vectors.hnsw.is_none() && vectors.n_vectors() >= threshold)
    }
}

/// Returns the snapshot with the graph that `NearRows` built from its rows.
///
/// # Errors
///
/// `vectors.mismatch` where it is no graph of these vectors; `index.too-large` where the section would be too large.
pub fn with_neighbours(snapshot: &Snapshot, numbers: &[u32]) -> Result<Snapshot, Error> {
    let mismatch = || {
        Error::new(
            ErrorKind::VectorsMismatch,
            "the graph is not one of these vectors",
        )
    };
    let hnsw = Hnsw::from_numbers(numbers).ok_or_else(mismatch)?;
    snapshot.read(|view| {
        let vectors = view.vectors().ok_or_else(mismatch)?.with_hnsw(hnsw);
        let section = freeze(&vectors, SectionKind::Vectors)?;
        let next = Snapshot::assemble(Some(snapshot), vec![(SectionKind::Vectors, section)]);
        let fits = next.read(|view| {
            let vectors = view.vectors();
            Ok::<_, Error>(vectors.is_some_and(|vectors| vectors.validate().is_ok()))
        })?;
        if fits { Ok(next) } else { Err(mismatch()) }
    })
}

/// Returns the snapshot with an approximate index over its vectors; none if it has fewer than `config.threshold`
/// vectors, or an approximate index already. Takes some 10 µs times the number of vectors times its logarithm.
///
/// # Errors
///
/// `index.too-large` where the section would be too large.
#[cfg(feature = "hnsw")]
pub fn approximated(
    snapshot: &Snapshot,
    config: &search::HnswConfig,
) -> Result<Option<Snapshot>, Error> {
    snapshot.read(|view| {
        let vectors = view.vectors();
        let Some(vectors) = vectors.and_then(|vectors| vectors.approximated(config)) else {
            return Ok(None);
        };
        let section = freeze(&vectors, SectionKind::Vectors)?;
        let sections = vec![(SectionKind::Vectors, section)];
        Ok(Some(Snapshot::assemble(Some(snapshot), sections)))
    })
}

/// Rows with a graph over them.
#[cfg(feature = "hnsw")]
pub struct NearRows {
    numbers: Vec<u32>,
    archive: rkyv::util::AlignedVec,
}

#[cfg(feature = "hnsw")]
impl NearRows {
    /// Builds the graph over rows of `dim` numbers, however few they are; none where `rows` are not rows of `dim`
    /// numbers. Takes minutes for 100,000 rows.
    #[must_use]
    pub fn build(dim: usize, rows: Vec<i8>, config: &search::HnswConfig) -> Option<Self> {
        if dim == 0 || !rows.len().is_multiple_of(dim) {
            return None;
        }
        let mut vectors = search::Vectors::of_rows(dim, rows);
        let hnsw = search::build_hnsw(&vectors, config)?;
        let numbers = hnsw.to_numbers();
        vectors.hnsw = Some(hnsw);
        let archive = rkyv::to_bytes::<rkyv::rancor::Error>(&vectors).ok()?;
        Some(Self { numbers, archive })
    }

    /// The graph, for [`with_neighbours`].
    #[must_use]
    pub fn numbers(&self) -> Vec<u32> {
        self.numbers.clone()
    }

    /// Rows near a vector, best first, found by the graph, or by comparing every row if `exact`.
    #[must_use]
    pub fn nearest(&self, vector: &[f32], limit: usize, exact: bool) -> Vec<u32> {
        type Archived = search::ArchivedVectors;
        let vectors = rkyv::access::<Archived, rkyv::rancor::Error>(&self.archive);
        let found = vectors.map(|vectors| match exact {
            true => vectors.nearest_exact(vector, limit),
            false => vectors.nearest(vector, limit, &|_| true),
        });
        let found = found.unwrap_or_default();
        found.into_iter().map(|(chunk, _)| chunk.0).collect()
    }
}
