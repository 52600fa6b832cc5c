//! A snapshot that is written piece by piece has the same bytes as one written at once.

use std::sync::Arc;

use portolan_engine::{Engine, EngineConfig, Snapshot, read_file};
use syntax::{ParseConfig, Parsers};

/// Joins the pieces in the order in which they come; returns the file and the length of the longest piece.
fn put_together(snapshot: &Snapshot) -> (Vec<u8>, usize) {
    let (mut file, mut longest) = (Vec::new(), 0);
    let mut end = None;
    let written = snapshot.write_pieces(&mut |at, piece| {
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
    written.unwrap();
    (file, longest)
}

#[test]
fn pieces_make_the_file() {
    let mut engine = Engine::new(EngineConfig::default());
    let mut parsers = Parsers::new(ParseConfig::default());
    for n in 0..200 {
        let path = format!("src/{n:03}.py");
        let text = (0..60).map(|line| format!("def f{}(): return {}\n", n * line, n * 7919 * line));
        let text: String = text.collect();
        let unit = read_file(&mut parsers, &path, &text);
        engine.put(&path, text, unit);
    }
    let built = engine.build(0.0).unwrap();
    let whole = engine.build(0.0).unwrap().to_bytes().unwrap().to_vec();
    let (file, longest) = put_together(&built);
    assert!(file == whole);
    assert!(longest < whole.len() / 2, "{longest} of {}", whole.len());
    // A snapshot that was opened, read or not, has the same bytes.
    let opened = Snapshot::open(&whole).unwrap();
    assert!(put_together(&opened).0 == whole);
    let mut aligned = rkyv::util::AlignedVec::<16>::new();
    aligned.extend_from_slice(&whole);
    let lazily = Arc::new(Snapshot::open_lazily(aligned).unwrap());
    assert!(put_together(&lazily).0 == whole);
    let without = lazily.without(&["facts", "texts"]);
    assert!(put_together(&without).0 == without.write(&[]).unwrap().as_slice());
}

#[test]
fn an_empty_index_has_a_file_too() {
    let built = Engine::new(EngineConfig::default()).build(0.0).unwrap();
    assert!(put_together(&built).0 == built.to_bytes().unwrap());
}
