//! Opening: what is checked when, and what is unpacked when it is asked for.
//!
//! [`Snapshot::open`] reads everything at once and refuses what is wrong. [`Snapshot::open_lazily`] reads the table; a section
//! is read, compared with its checksum, unpacked and compared with others when a question asks for it first. Where that fails, the
//! section is as good as empty, the question has [`Snapshot::take_fault`], and its answer does not count.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rkyv::util::AlignedVec;

use super::archive::{archive, archive_in, checked};
use super::columns::Fault;
use super::container::{self, Section};
use super::room::Room;
use super::slot::{Loaded, Slot};
use super::source::Source;
use super::{FactStore, Held, PARTS, Part, PostingStore, Snapshot, TextStore, damaged, pack};
use crate::Error;
use crate::change::scip::ScipStore;
use crate::frozen::{Chunks, Files, Info};
use ::graph::frozen::Graph;
use search::{Lexical, Names};

/// Which sections can be compared with each other: all, but where they come one by one.
pub(super) type Has<'a> = &'a dyn Fn(Part) -> bool;

impl Snapshot {
    /// Check and open a snapshot, all of it but what only changes read.
    ///
    /// # Errors
    ///
    /// `snapshot.foreign`, `.truncated`, `.version`, `.checksum` or `.damaged`, each with what to do.
    pub fn open(bytes: &[u8]) -> Result<Self, Error> {
        let mut snapshot = Self::listed(bytes, bytes.len())?;
        for part in PARTS {
            let Some(section) = snapshot.slots[part as usize].section.take() else {
                continue;
            };
            let packed = bytes.get(section.range.clone()).unwrap_or_default();
            snapshot.take(part, section, packed, &|_| true)?;
        }
        Ok(snapshot)
    }

    /// Reads the table of a file. What else is wrong with it turns up when it is read: see [`Snapshot::take_fault`].
    ///
    /// # Errors
    ///
    /// As [`Snapshot::open`], as far as header and table tell; those of the source.
    pub fn open_lazily(source: impl Source + 'static) -> Result<Self, Error> {
        let n_bytes = source.n_bytes();
        let mut snapshot = {
            let start = source.read(0..container::HEAD.min(n_bytes))?;
            Self::listed(&start, n_bytes)?
        };
        snapshot.source = Some(Arc::new(source));
        Ok(snapshot)
    }

    /// The sections of a file that begins with `start`, none of them read.
    pub(super) fn listed(start: &[u8], n_bytes: usize) -> Result<Self, Error> {
        let sections = container::read_start(start, n_bytes)?;
        let mut snapshot = Self::empty(container::engine_version(start));
        snapshot.room.limit(Room::usual(n_bytes));
        for part in PARTS {
            let section = sections.iter().find(|section| section.name == part.name());
            let has_texts = snapshot.slots[Part::Texts as usize].section.is_some();
            if section.is_none() && part.is_wanted(has_texts) {
                return Err(damaged(part, "it is missing"));
            }
            snapshot.slots[part as usize].section = section.cloned();
        }
        let sizes = sections.into_iter();
        snapshot.sizes = sizes
            .map(|section| (section.name, section.range.len()))
            .collect();
        Ok(snapshot)
    }

    /// Says how many bytes its sections may take together once they are unpacked, instead of what is usual for a file of its
    /// size. One that takes more is `snapshot.damaged` when it is read.
    #[must_use]
    pub fn with_room(self, n_bytes: usize) -> Self {
        self.room.limit(n_bytes);
        self
    }

    /// What the questions asked since the last call met that could not be read: their answers do not count.
    pub fn take_fault(&self) -> Option<Error> {
        self.met.take()
    }

    /// A section in memory, read now if it has not been. Where that fails, it is empty and the fault is kept for
    /// [`Snapshot::take_fault`].
    pub(super) fn held(&self, part: Part) -> Option<&Held> {
        let loaded = self.load(part);
        if let Some(fault) = &loaded.fault {
            self.met.meet(fault);
        }
        loaded.held.as_ref()
    }

    /// As [`Snapshot::held`], where the fault can be told at once.
    pub(super) fn try_held(&self, part: Part) -> Result<Option<&Held>, Error> {
        let loaded = self.load(part);
        match &loaded.fault {
            Some(fault) => Err(fault.clone()),
            None => Ok(loaded.held.as_ref()),
        }
    }

    fn load(&self, part: Part) -> &Loaded {
        let slot = &self.slots[part as usize];
        slot.held.get_or_init(|| {
            let Some(section) = &slot.section else {
                return Loaded::default();
            };
            match self.read(part, section) {
                Ok(held) => Loaded {
                    held: Some(held),
                    fault: None,
                },
                Err(fault) => Loaded {
                    held: blank(part).ok(),
                    fault: Some(fault),
                },
            }
        })
    }

    /// Reads a section from where it lies.
    fn read(&self, part: Part, section: &Section) -> Result<Held, Error> {
        // What is wrong with a section that this one is written against is said of that one.
        for beside in part.beside() {
            self.try_held(*beside)?;
        }
        let packed = self.packed(part, section)?;
        let mut held = self.unpack(part, packed, &|_| true)?;
        if let Some(source) = &self.source {
            let blocks = |part: Part| {
                let section = self.slots[part as usize].section.as_ref();
                section.map_or(0..0, |section| section.range.clone())
            };
            self.shelve(&mut held, source, blocks)?;
        }
        Ok(held)
    }

    /// Says to what comes in blocks where its blocks lie.
    fn shelve(
        &self,
        held: &mut Held,
        source: &Arc<dyn Source>,
        range: impl Fn(Part) -> Range<usize>,
    ) -> Result<(), Error> {
        let source = Arc::clone(source);
        let (part, shelved) = match held {
            Held::Texts(texts) => {
                let (part, met) = (Part::Blocks, Arc::clone(&self.met));
                let texts = Arc::get_mut(texts);
                (
                    part,
                    texts.map(|texts| texts.read_from(source, range(part), met)),
                )
            }
            Held::Postings(postings) => {
                let (part, postings) = (Part::Rows, Arc::get_mut(postings));
                (
                    part,
                    postings.map(|postings| postings.read_from(source, range(part))),
                )
            }
            _ => return Ok(()),
        };
        let shelved = shelved.unwrap_or(Err("it is in use"));
        shelved.map_err(|fault| damaged(part, fault))
    }

    /// The bytes of a section in its file, as they were written.
    pub(super) fn packed(&self, part: Part, section: &Section) -> Result<Cow<'_, [u8]>, Error> {
        let slot = &self.slots[part as usize];
        let packed = match (&slot.packed, &self.source) {
            (Some(packed), _) => Cow::Borrowed(&packed[..]),
            (None, Some(source)) => source.read(section.range.clone())?,
            (None, None) => return Err(damaged(part, "it is missing")),
        };
        container::check(&packed, section)?;
        Ok(packed)
    }

    /// Takes a section that has come. Files come before what is written against them, see [`PARTS`].
    pub(super) fn take(
        &mut self,
        part: Part,
        section: Section,
        packed: &[u8],
        has: Has<'_>,
    ) -> Result<(), Error> {
        let slot = if part.is_for_changes() {
            Slot {
                section: Some(section),
                packed: Some(packed.into()),
                ..Slot::default()
            }
        } else {
            container::check(packed, &section)?;
            if part == Part::Blocks {
                let texts = self.texts();
                let filled = texts.map_or(Ok(()), |texts| texts.fill(packed));
                return filled.map_err(|fault| damaged(part, fault));
            }
            if part == Part::Rows {
                return self.take_rows(packed);
            }
            Slot::holding(self.unpack(part, packed.into(), has)?)
        };
        self.slots[part as usize] = slot;
        Ok(())
    }

    /// Takes the blocks of postings, which are all unpacked once: a snapshot that was opened has nothing in it that cannot be read.
    fn take_rows(&mut self, packed: &[u8]) -> Result<(), Error> {
        let mut rows = AlignedVec::with_capacity(packed.len());
        rows.extend_from_slice(packed);
        let slot = std::mem::take(&mut self.slots[Part::Postings as usize]);
        let Some(mut held) = slot.into_held() else {
            return Ok(());
        };
        let rows: Arc<dyn Source> = Arc::new(rows);
        self.shelve(&mut held, &rows, |_| 0..packed.len())?;
        if let Held::Postings(store) = &held {
            store.check(self.lexical());
        }
        self.slots[Part::Postings as usize] = Slot::holding(held);
        self.take_fault().map_or(Ok(()), Err)
    }

    /// Unpacks a section and compares it with those that it belongs to.
    fn unpack(&self, part: Part, packed: Cow<'_, [u8]>, has: Has<'_>) -> Result<Held, Error> {
        let room = self.room.section(part, &packed);
        let held = room.and_then(|()| self.unpacked(part, packed));
        let held = held.map_err(|fault| damaged(part, fault))?;
        let (blocks, room) = match &held {
            Held::Texts(texts) => (Part::Blocks, self.room.texts(texts.n_bytes())),
            Held::Postings(_) => {
                let n_postings = self.lexical().posting_starts.last();
                let n_postings = n_postings.map_or(0, |n| n.to_native() as usize);
                (Part::Rows, self.room.postings(n_postings))
            }
            _ => (part, Ok(())),
        };
        room.map_err(|fault| damaged(blocks, fault))?;
        self.check(part, &held, has)?;
        Ok(held)
    }

    fn unpacked(&self, part: Part, packed: Cow<'_, [u8]>) -> Result<Held, Fault> {
        let archive = match part {
            Part::Info => checked::<Info>(&packed)?,
            Part::Files => checked::<Files>(&packed)?,
            Part::Scip => checked::<ScipStore>(&packed)?,
            Part::Chunks => {
                let bytes = unpack(packed)?;
                archive_in(room_for(&bytes), &pack::unpack_chunks(&bytes)?)?
            }
            Part::Graph => {
                let graph = pack::unpack_graph(unpack(packed)?)?;
                archive_in(graph.n_bytes(), &graph)?
            }
            Part::Names => {
                let bytes = unpack(packed)?;
                archive_in(room_for(&bytes), &pack::unpack_names(&bytes, self.graph())?)?
            }
            Part::Lexical => {
                let lexical = pack::unpack_lexical(unpack(packed)?, self.files())?;
                archive_in(lexical.n_bytes(), &lexical)?
            }
            Part::Vectors => pack::unpack_vectors(unpack(packed)?)?,
            Part::Postings | Part::Rows => {
                let store = PostingStore::read(&packed, Arc::clone(&self.met))?;
                return Ok(Held::Postings(Arc::new(store)));
            }
            Part::Texts | Part::Blocks => {
                return Ok(Held::Texts(Arc::new(TextStore::read(&packed)?)));
            }
            Part::Facts => return Ok(Held::Facts(Arc::new(FactStore::read(&packed)?))),
        };
        Ok(Held::Archive(Arc::new(archive)))
    }
}

/// What is in a section. What it was packed in is let go of: what is made of it next can lie there.
fn unpack(packed: Cow<'_, [u8]>) -> Result<Vec<u8>, Fault> {
    super::columns::unpack(&packed)
}

/// Bytes to set aside for the archive of a section: what its columns take as planes and somewhat more than as much again. What is too
/// little is made more; a memory that grows as it is filled is copied, and touched, several times.
fn room_for(bytes: &[u8]) -> usize {
    bytes.len().saturating_mul(9) / 4
}

/// What stands in for a section that has not come, or cannot be read.
pub(super) fn blank(part: Part) -> Result<Held, Error> {
    let bytes = match part {
        Part::Postings | Part::Rows => return Ok(Held::Postings(Arc::default())),
        Part::Info => archive(&Info::default()),
        Part::Files => archive(&Files::default()),
        Part::Chunks => archive(&Chunks::default()),
        Part::Graph => archive(&Graph::default()),
        Part::Names => archive(&Names::default()),
        Part::Lexical => archive(&Lexical::default()),
        _ => Err("it can be left out"),
    };
    let bytes = bytes.map_err(|fault| damaged(part, fault))?;
    Ok(Held::Archive(Arc::new(bytes)))
}

#[cfg(all(test, feature = "all-languages"))]
mod tests {
    use super::*;
    use crate::unreadable;
    use crate::{Engine, EngineConfig, FileFilter, FindConfig, Reader, SearchQuery, read_file};
    use search::SearchConfig;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use syntax::{ParseConfig, Parsers};

    /// A file that counts the bytes that are read from it.
    struct Counted {
        file: Vec<u8>,
        n_read: Arc<AtomicUsize>,
    }

    impl Source for Counted {
        fn n_bytes(&self) -> usize {
            self.file.len()
        }

        fn read(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, Error> {
            self.n_read.fetch_add(range.len(), Ordering::Relaxed);
            let piece = self.file.get(range).map(Cow::Borrowed);
            piece.ok_or_else(|| unreadable("it has become shorter"))
        }
    }

    fn file() -> Vec<u8> {
        let mut engine = Engine::new(EngineConfig::default());
        let mut parsers = Parsers::new(ParseConfig::default());
        for n in 0..300 {
            let path = format!("src/{n:03}.py");
            let words: Vec<String> = (0..200)
                .map(|word| format!("word{}", n * word % 3_001))
                .collect();
            let text = format!("def name_{n}():\n    # {}\n    return 1\n", words.join(" "));
            let unit = read_file(&mut parsers, &path, &text);
            engine.put(&path, text, unit);
        }
        engine.build(0.0).unwrap().to_bytes().to_vec()
    }

    fn lazily(file: &[u8]) -> (Reader, Arc<AtomicUsize>) {
        let n_read = Arc::new(AtomicUsize::new(0));
        let source = Counted {
            file: file.to_vec(),
            n_read: Arc::clone(&n_read),
        };
        let snapshot = Snapshot::open_lazily(source).unwrap();
        (Reader::new(Arc::new(snapshot)), n_read)
    }

    fn find(reader: &Reader) -> usize {
        let config = FindConfig {
            kind: None,
            fuzzy: false,
            limit: 10,
        };
        reader
            .find("name_7", &config)
            .map_or(0, |found| found.symbols.len())
    }

    fn search(reader: &Reader, text: &str) -> Vec<(u32, f32)> {
        let query = SearchQuery {
            text,
            vector: None,
            limit: 20,
            offset: 0,
            files: FileFilter::new(&[], &[]).unwrap(),
            kinds: Vec::new(),
            explain: true,
            grouped: false,
            config: SearchConfig::default(),
        };
        let hits = reader.search(&query).unwrap().hits;
        hits.iter()
            .map(|hit| (hit.chunk.file.0, hit.score))
            .collect()
    }

    #[test]
    fn a_question_reads_what_it_needs() {
        let file = file();
        let (reader, n_read) = lazily(&file);
        assert_eq!(find(&reader), 1);
        let n_find = n_read.load(Ordering::Relaxed);
        assert!(n_find < file.len() / 2, "{n_find} of {}", file.len());
        let whole = Reader::new(Arc::new(Snapshot::open(&file).unwrap()));
        assert_eq!(
            search(&reader, "word12 name_3"),
            search(&whole, "word12 name_3")
        );
        let n_search = n_read.load(Ordering::Relaxed);
        assert!(n_search < file.len(), "{n_search} of {}", file.len());
        reader.check_read().unwrap();
        // What was opened is saved byte by byte, read or not.
        assert!(reader.snapshot().to_bytes() == file.as_slice());
        assert!(whole.snapshot().to_bytes() == file.as_slice());
    }

    #[test]
    fn what_is_wrong_is_said_when_it_is_read_and_again() {
        let mut file = file();
        let sections = container::read(&file).unwrap();
        for section in &sections {
            let at = section.range.start + section.range.len() / 2;
            file[at] ^= 1;
            assert_eq!(
                Snapshot::open(&file).err().map(|error| error.code()),
                match section.name.as_str() {
                    "facts" => None,
                    _ => Some("snapshot.checksum"),
                }
            );
            let (reader, _) = lazily(&file);
            for _ in 0..2 {
                let words: Vec<String> = (0..90).map(|word| format!("word{word}")).collect();
                let misspelt = FindConfig {
                    kind: None,
                    fuzzy: true,
                    limit: 10,
                };
                let _ = (reader.find("nmae_7", &misspelt), find(&reader));
                let _ = search(&reader, &words.join(" "));
                let files = reader.files();
                assert!(files.filter(|file| reader.text(*file).is_ok()).count() <= 300);
                let answered = reader.check_read();
                let changed = Engine::from_snapshot(reader.snapshot()).map(|_| ());
                let code = answered.and(changed).map_err(|error| error.code());
                assert_eq!(code, Err("snapshot.checksum"), "{}", section.name);
            }
            file[at] ^= 1;
        }
    }

    #[test]
    fn a_file_that_ends_early_is_refused_at_once() {
        let file = file();
        for n_bytes in [0, 7, 40, 400, file.len() - 1] {
            let mut cut = AlignedVec::<16>::new();
            cut.extend_from_slice(&file[..n_bytes]);
            let code = Snapshot::open_lazily(cut).err().map(|error| error.code());
            let expected = if n_bytes == 0 {
                "snapshot.foreign"
            } else {
                "snapshot.truncated"
            };
            assert_eq!(code, Some(expected));
        }
    }
}
