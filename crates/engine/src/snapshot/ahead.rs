//! Packing by other hands: what stands is given away while the rest is built, packed by workers that have nothing else to do, and
//! taken back before the snapshot is written. The file is the same, byte for byte.

use std::sync::Arc;

use rkyv::util::AlignedVec;
use search::{Lexical, Names};

use super::archive::check;
use super::columns::Fault;
use super::{Held, PARTS, Part, Snapshot, damaged};
use crate::Error;
use crate::frozen::Chunks;
use ::graph::frozen::Graph;

/// Takes what can be packed elsewhere, as soon as it stands. What is not taken is packed when the snapshot is written.
pub trait Packers {
    /// The archive of a section, for [`pack_section`].
    fn section(&mut self, name: &'static str, archive: &[u8]) {
        let _ = (name, archive);
    }

    /// Blocks of texts from this number on, for [`pack_texts`].
    fn texts(&mut self, first: usize, blocks: &[&[u8]]) {
        let _ = (first, blocks);
    }
}

/// Nobody.
impl Packers for () {}

/// Whether bytes are an archive of some type.
type Check = fn(&[u8]) -> Result<(), Fault>;

/// A section of this name as it lies in the file, with those that are made from the same archive. Some 80 MB a second in
/// WebAssembly.
///
/// # Errors
///
/// `snapshot.damaged` where the archive is not that of such a section.
pub fn pack_section(name: &str, archive: &[u8]) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
    let (part, check): (Part, Check) = match name {
        "chunks" => (Part::Chunks, check::<Chunks>),
        "graph" => (Part::Graph, check::<Graph>),
        "names" => (Part::Names, check::<Names>),
        "lexical" => (Part::Lexical, check::<Lexical>),
        _ => return Err(damaged(Part::Info, "no such section is packed ahead")),
    };
    let mut aligned = AlignedVec::with_capacity(archive.len());
    aligned.extend_from_slice(archive);
    check(&aligned).map_err(|fault| damaged(part, fault))?;
    let held = Held::Archive(Arc::new(aligned));
    let snapshot = Snapshot::assemble(None, vec![(part, held)]);
    let made: &[Part] = match part {
        Part::Lexical => &[Part::Lexical, Part::Postings, Part::Rows],
        _ => &[part],
    };
    let packed = made.iter();
    Ok(packed
        .filter_map(|part| Some((part.name(), snapshot.pack(*part)?)))
        .collect())
}

/// Blocks of texts, packed: `ends` says where each ends.
#[must_use]
pub fn pack_texts(blocks: &[u8], ends: &[u32]) -> Vec<Vec<u8>> {
    let starts = std::iter::once(&0).chain(ends);
    let ranges = starts.zip(ends);
    ranges
        .map(|(start, end)| {
            let block = blocks.get(*start as usize..*end as usize);
            super::texts::pack_block(block.unwrap_or_default())
        })
        .collect()
}

impl Snapshot {
    /// Takes a section that [`pack_section`] made of this snapshot's archive.
    pub fn set_packed(&self, name: &str, packed: Vec<u8>) {
        let part = PARTS.into_iter().find(|part| part.name() == name);
        if let Some(part) = part.filter(|part| self.slots[*part as usize].section.is_none()) {
            let _ = self.ahead[part as usize].set(packed);
        }
    }

    /// Takes a block of texts that [`pack_texts`] made of this snapshot's block of this number.
    pub fn set_packed_texts(&self, number: usize, packed: Vec<u8>) {
        if let Some(texts) = self.texts() {
            texts.set_packed(number, packed);
        }
    }
}

#[cfg(all(test, feature = "all-languages"))]
mod tests {
    use std::collections::BTreeSet;

    use syntax::{ParseConfig, Parsers};

    use super::*;
    use crate::{Engine, EngineConfig, read_file};

    /// Packs at once, as a worker would.
    #[derive(Default)]
    struct Worker {
        sections: Vec<(&'static str, Vec<u8>)>,
        texts: Vec<(usize, Vec<u8>)>,
    }

    impl Packers for Worker {
        fn section(&mut self, name: &'static str, archive: &[u8]) {
            self.sections.extend(pack_section(name, archive).unwrap());
        }

        fn texts(&mut self, first: usize, blocks: &[&[u8]]) {
            let mut end = 0;
            let ends = blocks.iter().map(|block| {
                end += block.len() as u32;
                end
            });
            let packed = pack_texts(&blocks.concat(), &ends.collect::<Vec<_>>());
            self.texts.extend((first..).zip(packed));
        }
    }

    impl Worker {
        fn hand_back(self, snapshot: &Snapshot) {
            for (name, packed) in self.sections {
                snapshot.set_packed(name, packed);
            }
            for (number, packed) in self.texts {
                snapshot.set_packed_texts(number, packed);
            }
        }
    }

    fn engine() -> Engine {
        let mut parsers = Parsers::new(ParseConfig::default());
        let mut engine = Engine::new(EngineConfig::default());
        for n in 0..60 {
            let text = format!(
                "import {{ b }} from './{n}';\n{}",
                format!("export function handler{n}() {{ return b(); }}\n").repeat(90)
            );
            let path = format!("src/{n}.ts");
            let unit = read_file(&mut parsers, &path, &text);
            engine.put(&path, text, unit);
        }
        engine
    }

    #[test]
    fn what_others_pack_is_what_is_packed_here() {
        let mut worker = Worker::default();
        let snapshot = engine().update_giving(0.0, &mut worker).unwrap();
        let names: BTreeSet<_> = worker.sections.iter().map(|(name, _)| *name).collect();
        assert!(
            ["chunks", "graph", "lexical", "names"]
                .iter()
                .all(|name| names.contains(name)),
            "{names:?}"
        );
        assert!(worker.texts.len() > 1, "{}", worker.texts.len());
        worker.hand_back(&snapshot);
        assert!(*snapshot.write(&[]) == *engine().build(0.0).unwrap().write(&[]));
    }

    #[test]
    fn so_it_is_where_little_has_changed() {
        let (mut updated, mut anew) = (engine(), engine());
        updated.update(0.0).unwrap();
        for engine in [&mut updated, &mut anew] {
            let text = "export function other() {}\n".to_owned();
            let unit = read_file(&mut Parsers::new(ParseConfig::default()), "src/7.ts", &text);
            engine.put("src/7.ts", text, unit);
        }
        let mut worker = Worker::default();
        let snapshot = updated.update_giving(0.0, &mut worker).unwrap();
        assert!(worker.sections.iter().any(|(name, _)| *name == "lexical"));
        worker.hand_back(&snapshot);
        assert!(*snapshot.write(&[]) == *anew.build(0.0).unwrap().write(&[]));
    }

    #[test]
    fn what_is_no_section_is_refused() {
        let code = |name: &str, bytes: &[u8]| pack_section(name, bytes).unwrap_err().code();
        assert_eq!(code("lexical", b"short"), "snapshot.damaged");
        assert_eq!(code("vectors", b""), "snapshot.damaged");
        assert!(pack_texts(b"abc", &[9]).len() == 1);
    }
}
