//! Vectors: four bits a number; scales follow from the rows.

use std::ops::Range;

use rkyv::rancor::Fallible;
use rkyv::util::AlignedVec;
use rkyv::vec::{ArchivedVec, VecResolver};
use rkyv::{Archive, Place, Serialize};
use search::{ArchivedVectors, Hnsw, scale_of};

use super::super::archive::archive_in;
use super::super::columns::{Fault, Reader, Writer};
use super::super::planes::nibbles;

pub(in super::super) fn pack_vectors(vectors: &ArchivedVectors) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.number(u64::from(vectors.dim.to_native()));
    writer.number(vectors.scales.len() as u64);
    let bytes: Vec<u8> = vectors
        .rows
        .chunks(2)
        .map(|pair| match pair {
            [low, high] => nibble(*low) | nibble(*high) << 4,
            [low] => nibble(*low),
            _ => 0,
        })
        .collect();
    writer.bytes(&bytes);
    match vectors.hnsw.as_ref() {
        None => writer.number(0),
        Some(hnsw) => {
            writer.number(1);
            writer.number(u64::from(hnsw.ef_search.to_native()));
            writer.archived(&hnsw.chunks);
            writer.archived(&hnsw.links);
            writer.archived(&hnsw.upper_starts);
            writer.archived(&hnsw.upper_links);
        }
    }
    writer.pack()
}

/// As [`search::Vectors`], whose archive is its own: rows are spread while they are written, as they are most of a section and would be
/// in memory twice.
#[derive(Archive, Serialize)]
#[rkyv(as = ArchivedVectors)]
struct Spread {
    dim: u32,
    scales: Vec<f32>,
    rows: Rows,
    hnsw: Option<Hnsw>,
}

/// Numbers, two a byte, in the bytes of their section.
struct Rows {
    bytes: Vec<u8>,
    cells: Range<usize>,
    n_cells: usize,
}

/// Numbers that are spread at a time.
const BLOCK: usize = 4096;

impl Archive for Rows {
    type Archived = ArchivedVec<i8>;
    type Resolver = VecResolver;

    fn resolve(&self, resolver: VecResolver, out: Place<ArchivedVec<i8>>) {
        ArchivedVec::resolve_from_len(self.n_cells, resolver, out);
    }
}

impl<S: Fallible + rkyv::ser::Writer + ?Sized> Serialize<S> for Rows {
    fn serialize(&self, serializer: &mut S) -> Result<VecResolver, S::Error> {
        let start = serializer.pos();
        let mut left = self.n_cells;
        let mut block = [0_i8; BLOCK];
        let cells = self.bytes.get(self.cells.clone()).unwrap_or_default();
        for cells in cells.chunks(BLOCK / 2) {
            let spread = &mut block[..cells.len() * 2];
            nibbles(cells, spread);
            let n = spread.len().min(left);
            left -= n;
            serializer.write(bytes_of(&spread[..n]))?;
        }
        Ok(VecResolver::from_pos(start))
    }
}

#[expect(
    unsafe_code,
    reason = "there is no other view of numbers with a sign as bytes"
)]
fn bytes_of(cells: &[i8]) -> &[u8] {
    // SAFETY: the same memory, the same length and alignment, and every pattern of bits is a byte.
    unsafe { std::slice::from_raw_parts(cells.as_ptr().cast(), cells.len()) }
}

/// The archive of [`search::Vectors`].
pub(in super::super) fn unpack_vectors(bytes: Vec<u8>) -> Result<AlignedVec<16>, Fault> {
    let mut reader = Reader::new(&bytes);
    let dim = reader.length()?;
    let n_rows = reader.length()?;
    let cells = reader.bytes()?;
    let n_cells = dim.checked_mul(n_rows).ok_or(ROWS)?;
    if dim > usize::from(u16::MAX) || cells.len() != n_cells.div_ceil(2) {
        return Err(ROWS);
    }
    let end = bytes.len() - reader.rest().len();
    let scales = scales(dim, n_rows.min(bytes.len()), cells);
    let hnsw = match reader.number()? {
        0 => None,
        _ => Some(Hnsw {
            ef_search: reader.number()? as u32,
            chunks: reader.numbers()?,
            links: reader.numbers()?,
            upper_starts: reader.numbers()?,
            upper_links: reader.numbers()?,
        }),
    };
    reader.end()?;
    // Beside the rows there may be a graph over them, of numbers of up to four bytes.
    let room = n_cells + 4 * (scales.len() + bytes.len() - cells.len()) + BLOCK;
    let cells = end - cells.len()..end;
    let rows = Rows {
        bytes,
        cells,
        n_cells,
    };
    archive_in(
        room,
        &Spread {
            dim: dim as u32,
            scales,
            rows,
            hnsw,
        },
    )
}

/// The scale of each row.
fn scales(dim: usize, n_rows: usize, cells: &[u8]) -> Vec<f32> {
    if dim == 0 {
        return vec![0.0; n_rows];
    }
    // Rows of an odd number of numbers begin within a byte, every other of them.
    let n_together = 1 + dim % 2;
    let mut rows = vec![0_i8; dim * n_together];
    let mut scales = Vec::with_capacity(n_rows + 1);
    for cells in cells.chunks(rows.len() / 2) {
        rows.fill(0);
        nibbles(cells, &mut rows[..cells.len() * 2]);
        scales.extend(rows.chunks_exact(dim).map(scale_of));
    }
    scales.truncate(n_rows);
    scales
}

const ROWS: Fault = "rows have the wrong length";

fn nibble(cell: i8) -> u8 {
    cell.clamp(-8, 7) as u8 & 15
}

#[cfg(test)]
mod tests {
    use super::super::super::archive::{archive, archived_in};
    use super::super::super::columns::unpack;
    use super::*;
    use search::Vectors;

    /// Rows, rows after their way through a section.
    fn through(dim: usize, n_rows: usize) -> (Vectors, AlignedVec<16>) {
        let cells = (0..dim * n_rows).map(|idx| (idx * 37 % 15) as i8 - 7);
        let vectors = Vectors::of_rows(dim, cells.collect());
        let written = archive(&vectors).unwrap();
        let packed = pack_vectors(archived_in::<Vectors>(&written));
        (vectors, unpack_vectors(unpack(&packed).unwrap()).unwrap())
    }

    #[test]
    fn rows_of_every_length_come_back() {
        for (dim, n_rows) in [(1, 1), (1, 2), (3, 5), (5, 4), (8, 3), (128, 70), (129, 71)] {
            let (vectors, read) = through(dim, n_rows);
            let read = archived_in::<Vectors>(&read);
            let scales: Vec<f32> = read.scales.iter().map(|scale| scale.to_native()).collect();
            assert_eq!(read.rows.as_slice(), vectors.rows, "{dim} × {n_rows}");
            assert_eq!(scales, vectors.scales, "{dim} × {n_rows}");
            read.validate().unwrap();
        }
    }

    #[test]
    fn none_come_back_too() {
        let (_, read) = through(0, 0);
        assert_eq!(archived_in::<Vectors>(&read).n_chunks(), 0);
    }
}
