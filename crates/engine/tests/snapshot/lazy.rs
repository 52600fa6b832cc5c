//! Snapshots that are opened lazily: the bytes that a question reads, and the question that gets an error.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use portolan_engine::{
    Engine, EngineConfig, Error, FindConfig, Index, Reader, SearchQuery, Snapshot, SnapshotError,
    Source, read_file, table, unreadable,
};
use rkyv::util::AlignedVec;
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

    fn read(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, SnapshotError> {
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
    engine.build(0.0).unwrap().to_bytes().unwrap().to_vec()
}

fn lazily(file: &[u8]) -> (Index, Arc<AtomicUsize>) {
    let n_read = Arc::new(AtomicUsize::new(0));
    let source = Counted {
        file: file.to_vec(),
        n_read: Arc::clone(&n_read),
    };
    let snapshot = Snapshot::open_lazily(source).unwrap();
    (Index::new(Arc::new(snapshot)).unwrap(), n_read)
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
        explain: true,
        ..SearchQuery::default()
    };
    let hits = reader
        .search(&query)
        .map_or(Vec::new(), |answer| answer.hits);
    hits.iter()
        .map(|hit| (hit.chunk.file.0, hit.score))
        .collect()
}

/// Asks questions that read every section.
fn read_all(reader: &Reader) {
    let words: Vec<String> = (0..90).map(|word| format!("word{word}")).collect();
    let misspelt = FindConfig {
        kind: None,
        fuzzy: true,
        limit: 10,
    };
    let _ = (reader.find("nmae_7", &misspelt), find(reader));
    let _ = search(reader, &words.join(" "));
    for file in reader.files() {
        let _ = reader.text(file);
    }
}

#[test]
fn a_question_reads_only_its_sections() {
    let file = file();
    let (index, n_read) = lazily(&file);
    let n_found = index.ask(|reader| Ok::<_, Error>(find(reader))).unwrap();
    assert_eq!(n_found, 1);
    let n_find = n_read.load(Ordering::Relaxed);
    assert!(n_find < file.len() / 2, "{n_find} of {}", file.len());
    let whole = Reader::new(Arc::new(Snapshot::open(&file).unwrap())).unwrap();
    let found = index.ask(|reader| Ok::<_, Error>(search(reader, "word12 name_3")));
    assert_eq!(found.unwrap(), search(&whole, "word12 name_3"));
    let n_search = n_read.load(Ordering::Relaxed);
    assert!(n_search < file.len(), "{n_search} of {}", file.len());
    // A snapshot is saved byte by byte as it was opened, whether its sections were read or not.
    assert!(index.snapshot().to_bytes().unwrap() == file.as_slice());
    assert!(whole.snapshot().to_bytes().unwrap() == file.as_slice());
}

#[test]
fn damage_is_an_error_of_every_question_that_meets_it() {
    let mut file = file();
    for (name, range) in table(&file).unwrap() {
        let at = range.start + range.len() / 2;
        file[at] ^= 1;
        let opened = Snapshot::open(&file).err().map(|error| error.code());
        let expected = (name != "facts").then_some("snapshot.checksum");
        assert_eq!(opened, expected, "{name}");
        let n_read = Arc::default();
        let source = Counted {
            file: file.clone(),
            n_read,
        };
        let snapshot = Arc::new(Snapshot::open_lazily(source).unwrap());
        for _ in 0..2 {
            let asked = Index::new(Arc::clone(&snapshot)).and_then(|index| {
                index.ask(|reader| {
                    read_all(reader);
                    Ok::<_, Error>(())
                })
            });
            let changed = Engine::from_snapshot(&snapshot).map(|_| ());
            let code = asked.and(changed).map_err(|error| error.code());
            assert_eq!(code, Err("snapshot.checksum"), "{name}");
            let whole = Reader::new(Arc::clone(&snapshot)).map(|_| ());
            assert_eq!(
                whole.map_err(|error| error.code()).err(),
                expected,
                "{name}"
            );
            assert!(snapshot.to_bytes().is_err(), "{name}");
        }
        file[at] ^= 1;
    }
}

#[test]
fn faults_of_two_threads_never_swap() {
    let mut file = file();
    let sections = table(&file).unwrap();
    let (_, words) = sections.iter().find(|(name, _)| name == "lexical").unwrap();
    file[words.start + words.len() / 2] ^= 1;
    let (index, _) = lazily(&file);
    let n_rounds = 400;
    std::thread::scope(|scope| {
        let sound = scope.spawn(|| {
            for _ in 0..n_rounds {
                let found = index.ask(|reader| Ok::<_, Error>(find(reader)));
                assert_eq!(found.map_err(|error| error.code()), Ok(1));
            }
        });
        let damaged = scope.spawn(|| {
            for _ in 0..n_rounds {
                let found = index.ask(|reader| Ok::<_, Error>(search(reader, "word12")));
                assert_eq!(
                    found.err().map(|error| error.code()),
                    Some("snapshot.checksum")
                );
            }
        });
        sound.join().unwrap();
        damaged.join().unwrap();
    });
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
