//! Snapshots whose sections are fetched.

use portolan_engine::{
    Engine, EngineConfig, Error, FindConfig, Index, N_START, Partial, Wanted, read_file,
};
use syntax::{ParseConfig, Parsers};

fn file() -> Vec<u8> {
    let mut engine = Engine::new(EngineConfig::default());
    let mut parsers = Parsers::new(ParseConfig::default());
    for n in 0..40 {
        let path = format!("src/{n:02}.py");
        let text = format!(
            "def name_{n}():\n    return {}\n\n\n",
            "1 + ".repeat(2_000) + "1"
        )
        .repeat(3);
        let unit = read_file(&mut parsers, &path, &text);
        engine.put(&path, text, unit);
    }
    engine.build(0.0).unwrap().to_bytes().unwrap().to_vec()
}

fn give(partial: &mut Partial, file: &[u8], wanted: Vec<Wanted>) -> usize {
    let mut n_bytes = 0;
    for Wanted { name, range } in wanted {
        let bytes = &file[range.start as usize..range.end as usize];
        partial.provide(&name, bytes).unwrap();
        n_bytes += bytes.len();
    }
    n_bytes
}

/// The text of the last file.
fn last_text(partial: &Partial) -> Result<String, Error> {
    let index = Index::new(partial.snapshot())?;
    index.ask(|reader| {
        let last = reader.files().last().unwrap();
        reader.text(last).map(str::to_owned)
    })
}

#[test]
fn a_symbol_is_found_without_texts_and_a_text_without_the_others() {
    let file = file();
    let mut partial = Partial::new(&file[..N_START.min(file.len())], file.len()).unwrap();
    let symbols = partial.missing(&["info", "files", "graph", "names"]);
    let n_symbols = give(&mut partial, &file, symbols);
    let index = Index::new(partial.snapshot()).unwrap();
    let config = FindConfig {
        kind: None,
        fuzzy: false,
        limit: 10,
    };
    let found = index.ask(|reader| reader.find("name_7", &config));
    assert_eq!(found.unwrap().symbols.len(), 3);

    let texts = partial.missing(&["texts", "graph"]);
    assert_eq!(texts.len(), 1);
    give(&mut partial, &file, texts);
    assert!(last_text(&partial).is_err());
    let blocks = partial.missing_blocks();
    assert_eq!(blocks.len(), 1);
    let n_block = give(&mut partial, &file, blocks);
    assert!(last_text(&partial).unwrap().starts_with("def name_39"));
    assert!(n_symbols + n_block < file.len());
    assert_eq!(partial.missing_blocks(), []);
}

#[test]
fn freed_sections_come_again() {
    let file = file();
    let mut partial = Partial::new(&file, file.len()).unwrap();
    let symbols = ["info", "files", "graph", "names", "texts"];
    let read = |partial: &mut Partial| {
        let wanted = partial.missing(&symbols);
        let n_wanted = wanted.len();
        give(partial, &file, wanted);
        assert!(last_text(partial).is_err());
        let n_before = partial.n_bytes();
        let blocks = partial.missing_blocks();
        give(partial, &file, blocks);
        assert!(last_text(partial).unwrap().starts_with("def name_39"));
        assert!(partial.n_bytes() > n_before);
        (n_wanted, n_before)
    };
    let first = read(&mut partial);
    partial.forget_but(&symbols);
    assert_eq!(read(&mut partial), (0, first.1));
    let words = ["info", "files", "chunks", "lexical", "postings"];
    let wanted = partial.missing(&words);
    give(&mut partial, &file, wanted);
    assert!(partial.n_bytes() > first.1);
    partial.forget_but(&["info"]);
    assert!(partial.n_bytes() < first.1 / 2);
    assert_eq!(read(&mut partial), (first.0 - 1, first.1));
}

#[test]
fn damage_is_refused_by_name() {
    let file = file();
    let mut partial = Partial::new(&file, file.len()).unwrap();
    for wanted in partial.missing(&[
        "info", "files", "chunks", "graph", "names", "lexical", "texts",
    ]) {
        let mut bytes = file[wanted.range.start as usize..wanted.range.end as usize].to_vec();
        bytes[9] ^= 1;
        let refused = partial.provide(&wanted.name, &bytes).unwrap_err();
        assert_eq!(refused.code(), "snapshot.checksum");
        bytes[9] ^= 1;
        assert!(partial.provide(&wanted.name, &bytes[1..]).is_err());
        partial.provide(&wanted.name, &bytes).unwrap();
    }
    assert_eq!(
        Partial::new(&file[..40], file.len()).err().unwrap().code(),
        "snapshot.truncated"
    );
    assert_eq!(
        Partial::new(b"<html>", 6).err().unwrap().code(),
        "snapshot.foreign"
    );
    assert_eq!(
        Partial::new(&file, file.len() - 16).err().unwrap().code(),
        "snapshot.truncated"
    );
}
