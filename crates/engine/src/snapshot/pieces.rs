//! A snapshot's file in pieces, for who keeps it elsewhere than in memory: sections are handed out one after the other as they are
//! packed, the head last, since it holds their lengths and checksums.

use xxhash_rust::xxh3::Xxh3;

use super::container::{self, Described};
use super::{PARTS, Part, Snapshot};

/// Takes a piece of the file, and where it lies there.
pub type Give<'a> = dyn FnMut(u64, &[u8]) + 'a;

impl Snapshot {
    /// The file of [`Snapshot::to_bytes`], piece by piece: beside what is packed already, one section at a time is. Pieces come in
    /// order, but for the first bytes of the file, which come last: a file that was not written to its end is none.
    pub fn write_pieces(&self, give: &mut Give<'_>) {
        let parts = PARTS.into_iter().filter(|part| self.has_to_write(*part));
        let parts: Vec<Part> = parts.collect();
        let mut at = container::n_head(parts.len());
        let mut table = Vec::with_capacity(parts.len());
        for part in parts {
            let start = at;
            let mut hasher = Xxh3::new();
            self.pack_pieces(part, &mut |piece| {
                hasher.update(piece);
                give(at, piece);
                at += piece.len() as u64;
            });
            table.push(Described {
                name: part.name(),
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
    }

    fn has_to_write(&self, part: Part) -> bool {
        let slot = |part: Part| self.slots[part as usize].is_there();
        match part {
            Part::Postings | Part::Rows => slot(Part::Lexical),
            Part::Blocks => slot(Part::Texts),
            part => slot(part),
        }
    }

    fn pack_pieces(&self, part: Part, give: &mut dyn FnMut(&[u8])) {
        let is_built = self.slots[part as usize].section.is_none();
        if let Some(packed) = self.ahead[part as usize].get().filter(|_| is_built) {
            return give(packed);
        }
        match self.texts() {
            Some(texts) if is_built && part == Part::Blocks => texts.packed_blocks().for_each(give),
            _ => give(&self.pack(part).unwrap_or_default()),
        }
    }
}

#[cfg(all(test, feature = "all-languages"))]
mod tests {
    use std::sync::Arc;

    use crate::{Engine, EngineConfig, Snapshot, read_file};
    use syntax::{ParseConfig, Parsers};

    /// The file that the pieces make, in the order in which they come; and the longest of them.
    fn put_together(snapshot: &Snapshot) -> (Vec<u8>, usize) {
        let (mut file, mut longest) = (Vec::new(), 0);
        let mut end = None;
        snapshot.write_pieces(&mut |at, piece| {
            let at = at as usize;
            if at > 0 && end.is_some_and(|end| end != at) {
                panic!("a piece at {at} after {end:?}");
            }
            end = Some(at + piece.len());
            let n_bytes = file.len().max(at + piece.len());
            file.resize(n_bytes, 0);
            file[at..at + piece.len()].copy_from_slice(piece);
            longest = longest.max(piece.len());
        });
        (file, longest)
    }

    #[test]
    fn pieces_make_the_file() {
        let mut engine = Engine::new(EngineConfig::default());
        let mut parsers = Parsers::new(ParseConfig::default());
        for n in 0..200 {
            let path = format!("src/{n:03}.py");
            let text =
                (0..60).map(|line| format!("def f{}(): return {}\n", n * line, n * 7919 * line));
            let text: String = text.collect();
            let unit = read_file(&mut parsers, &path, &text);
            engine.put(&path, text, unit);
        }
        let built = engine.build(0.0).unwrap();
        let whole = engine.build(0.0).unwrap().to_bytes().to_vec();
        let (file, longest) = put_together(&built);
        assert!(file == whole);
        assert!(longest < whole.len() / 2, "{longest} of {}", whole.len());
        // What was opened, read or not, is what it was.
        let opened = Snapshot::open(&whole).unwrap();
        assert!(put_together(&opened).0 == whole);
        let mut aligned = rkyv::util::AlignedVec::<16>::new();
        aligned.extend_from_slice(&whole);
        let lazily = Arc::new(Snapshot::open_lazily(aligned).unwrap());
        assert!(put_together(&lazily).0 == whole);
        let without = lazily.without(&["facts", "texts"]);
        assert!(put_together(&without).0 == without.write(&[]).as_slice());
    }

    #[test]
    fn an_empty_index_has_a_file_too() {
        let built = Engine::new(EngineConfig::default()).build(0.0).unwrap();
        assert!(put_together(&built).0 == built.to_bytes());
    }
}
