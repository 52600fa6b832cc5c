//! Golden bytes: each codec makes of committed values the committed bytes, and of the bytes the values. So nothing can change the
//! format unseen: neither a codec, nor a heuristic that it uses, nor a new version of a compressor.
//!
//! Where such a change is on purpose: raise `FORMAT_VERSION` in `src/container.rs`, write new golden bytes with
//! `cargo run -p portolan-engine --example golden --features hnsw`, leave the older folders as they are (they have to be refused by
//! their version), and tell users in CHANGELOG.md that older indexes are rebuilt.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use graph::frozen::Graph;
use portolan_snapshot::{
    FORMAT_VERSION, FactStore, Facts, Files, SECTIONS, Section, SectionKind, Snapshot, Text,
    TextStore, archived_in, table,
};
use rkyv::rancor;
use rkyv::util::AlignedVec;
use syntax::facts::FileFacts;

const ON_PURPOSE: &str = "if that is on purpose, do as the head of tests/golden.rs says";

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn golden(name: &str) -> Vec<u8> {
    let path = folder().join(format!("v{FORMAT_VERSION}")).join(name);
    fs::read(&path).unwrap_or_else(|error| {
        let path = path.display();
        panic!("{path}: {error}; the format version has no golden bytes: {ON_PURPOSE}")
    })
}

fn flat(kind: SectionKind) -> AlignedVec<16> {
    let bytes = golden(&format!("{}.flat", kind.name()));
    let mut aligned = AlignedVec::with_capacity(bytes.len());
    aligned.extend_from_slice(&bytes);
    aligned
}

fn facts() -> Vec<FileFacts> {
    rkyv::from_bytes::<_, rancor::Error>(&flat(SectionKind::Facts)).unwrap()
}

fn texts() -> Vec<String> {
    let texts = String::from_utf8(golden("texts.flat")).unwrap();
    texts.split('\0').map(str::to_owned).collect()
}

/// Sections whose flat form is one archive.
const ARCHIVES: [SectionKind; 8] = [
    SectionKind::Info,
    SectionKind::Files,
    SectionKind::Chunks,
    SectionKind::Graph,
    SectionKind::Names,
    SectionKind::Lexical,
    SectionKind::Vectors,
    SectionKind::Scip,
];

/// The snapshot of all flat forms.
fn assembled() -> Snapshot {
    let mut sections: Vec<(SectionKind, Section)> =
        ARCHIVES.map(|kind| (kind, Section::of(flat(kind)))).into();
    let (files, graph) = (flat(SectionKind::Files), flat(SectionKind::Graph));
    let files = archived_in::<Files>(&files);
    let graph = archived_in::<Graph>(&graph);
    let (texts, facts) = (texts(), facts());
    assert_eq!([texts.len(), facts.len()], [files.len(); 2]);
    let paths = || (0..files.len()).map(|file| files.paths.get(file).unwrap());
    let shared: Vec<Text> = texts.iter().map(|text| text.as_str().into()).collect();
    let stored = TextStore::new(paths().zip(&shared), None);
    sections.push((SectionKind::Texts, Section::Texts(Arc::new(stored))));
    let given = paths().zip(&texts).zip(&facts);
    let given = given.map(|((path, text), facts)| Facts { path, text, facts });
    let given: Vec<_> = given.collect();
    let stored = FactStore::new(&given, graph, None, &mut graph::in_turn);
    sections.push((SectionKind::Facts, Section::Facts(Arc::new(stored))));
    Snapshot::assemble(None, sections)
}

fn sections(file: &[u8]) -> BTreeMap<String, &[u8]> {
    let table = table(file).unwrap().into_iter();
    table.map(|(name, range)| (name, &file[range])).collect()
}

#[test]
fn flat_forms_become_the_golden_bytes() {
    let written = assembled().write(&[]).unwrap();
    let golden = golden("sample.portolan");
    let (written, golden) = (sections(&written), sections(&golden));
    assert_eq!(golden.len(), SECTIONS.len());
    for kind in SECTIONS {
        let name = kind.name();
        let is_same = written.get(name) == golden.get(name);
        assert!(
            is_same,
            "the bytes of section {name} have changed; {ON_PURPOSE}"
        );
    }
}

/// The facts of a snapshot are no archive, but those that workers send and hosts keep are.
#[test]
fn facts_become_their_golden_archive() {
    let written = rkyv::to_bytes::<rancor::Error>(&facts()).unwrap();
    let is_same = written.as_slice() == flat(SectionKind::Facts).as_slice();
    assert!(is_same, "the archive of facts has changed; {ON_PURPOSE}");
}

#[test]
fn golden_bytes_become_the_flat_forms() {
    let opened = Snapshot::open(&golden("sample.portolan")).unwrap();
    for kind in ARCHIVES {
        let is_same = match kind {
            SectionKind::Lexical => {
                opened.read(|view| view.whole_lexical()).unwrap().as_slice()
                    == flat(kind).as_slice()
            }
            _ => opened.archive(kind).unwrap() == Some(flat(kind).as_slice()),
        };
        assert!(
            is_same,
            "section {} is read otherwise; {ON_PURPOSE}",
            kind.name()
        );
    }
    let read = opened.read(|view| {
        let found = view.texts().map(|found| {
            let texts = (0..found.len()).filter_map(|file| found.get(file));
            texts.map(str::to_owned).collect::<Vec<_>>()
        });
        view.all_facts().map(|facts| (found, facts))
    });
    let (found, read) = read.unwrap();
    assert_eq!(found, Some(texts()), "{ON_PURPOSE}");
    assert_eq!(read, Some(facts()), "{ON_PURPOSE}");
}

#[test]
fn every_section_alone_comes_back_as_it_was() {
    let file = golden("sample.portolan");
    let mut aligned = AlignedVec::<16>::new();
    aligned.extend_from_slice(&file);
    // Read section by section, each when it is asked for.
    let lazily = Snapshot::open_lazily(aligned).unwrap();
    let built = Snapshot::open(&file).unwrap();
    for kind in ARCHIVES {
        assert_eq!(
            lazily.archive(kind).unwrap(),
            built.archive(kind).unwrap(),
            "{}",
            kind.name()
        );
    }
    assert!(built.to_bytes().unwrap() == file.as_slice());
}

#[test]
fn other_versions_are_refused_by_name() {
    for version in fs::read_dir(folder()).unwrap() {
        let path = version.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let opened = Snapshot::open(&fs::read(path.join("sample.portolan")).unwrap());
        let code = opened.err().map(|error| error.code());
        let is_ours = name == format!("v{FORMAT_VERSION}");
        assert_eq!(code, (!is_ours).then_some("snapshot.version"), "{name}");
    }
}
