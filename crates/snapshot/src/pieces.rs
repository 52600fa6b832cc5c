//! A snapshot's file in pieces, for a host that keeps it elsewhere than in memory: sections are given one after the other as they are
//! packed, the head last, since it holds their lengths and checksums.

use xxhash_rust::xxh3::Xxh3;

use super::container::{self, Described};
use super::{SECTIONS, SectionKind, Snapshot};
use crate::Error;

/// Takes a piece of the file, and its place there.
pub type Give<'a> = dyn FnMut(u64, &[u8]) + 'a;

impl Snapshot {
    /// Gives the file of [`Snapshot::to_bytes`] piece by piece: besides packed sections, one section at a time is in memory.
    /// Pieces come in order, except the first bytes of the file, which come last: a file that was not written to its end is no snapshot.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::to_bytes`]; the first bytes do not come then.
    pub fn write_pieces(&self, give: &mut Give<'_>) -> Result<(), Error> {
        let kinds = SECTIONS.into_iter().filter(|kind| self.has_to_write(*kind));
        let kinds: Vec<SectionKind> = kinds.collect();
        let mut at = container::n_head(kinds.len());
        let mut table = Vec::with_capacity(kinds.len());
        for kind in kinds {
            let start = at;
            let mut hasher = Xxh3::new();
            self.pack_pieces(kind, &mut |piece| {
                hasher.update(piece);
                give(at, piece);
                at += piece.len() as u64;
            })?;
            table.push(Described {
                name: kind.name(),
                offset: start,
                n_bytes: at - start,
                checksum: hasher.digest(),
            });
            let n_gap = container::align_up(at) - at;
            if n_gap > 0 {
                give(at, &[0; 16][..n_gap as usize]);
                at += n_gap;
            }
        }
        give(0, &container::head(&table, at));
        Ok(())
    }

    fn has_to_write(&self, kind: SectionKind) -> bool {
        match kind {
            SectionKind::Postings | SectionKind::Rows => self.is_there(SectionKind::Lexical),
            SectionKind::Blocks => self.is_there(SectionKind::Texts),
            kind => self.is_there(kind),
        }
    }

    fn pack_pieces(&self, kind: SectionKind, give: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        let is_built = !self.store.has(kind);
        if is_built && kind == SectionKind::Blocks {
            let texts = self.text_store()?;
            texts
                .into_iter()
                .flat_map(|texts| texts.packed_blocks())
                .for_each(|block| give(&block));
        } else if let Some(packed) = self.written.ahead[kind as usize].get().filter(|_| is_built) {
            give(packed);
        } else {
            give(&self.pack(kind)?.unwrap_or_default());
        }
        Ok(())
    }
}
