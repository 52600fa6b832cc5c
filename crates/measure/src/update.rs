//! Measures the cost of editing one file, natively and in one thread: updates an index of DIR after edits of each kind.
//!
//! `update --data DIR [--repeat N] [--check]`. Prints medians in milliseconds. An open index: reading the file, updating the snapshot,
//! making a reader of it. An index in a file: opening it for changes, its first update, packing the file anew. With `--check`, fails
//! where either is not, byte for byte, what building anew gives.

use std::sync::Arc;
use std::time::Instant;

use engine::{Engine, EngineConfig, Reader, Snapshot};
use rkyv::util::AlignedVec;
use syntax::{ParseConfig, Parsers};

use crate::flags::{Failure, Flags};

/// Edits of each kind, if not said otherwise.
const N_EDITS: usize = 9;

pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let data = flags.path("data")?;
    let repeat: usize = flags.number("repeat", N_EDITS)?;
    let is_checked = flags.has("check");
    let set = crate::index::walk(&data)?;
    let mut parsers = Parsers::new(ParseConfig::default());
    let mut engine = Engine::new(EngineConfig::default());
    let mut files: Vec<(String, String)> = Vec::new();
    for file in set.files {
        let unit = engine::read_file(&mut parsers, &file.path, &file.text);
        if unit.facts.symbols.len() > 3 && file.text.len() < 100_000 {
            files.push((file.path.clone(), file.text.clone()));
        }
        engine.put(&file.path, file.text, unit);
    }
    let embedder = crate::index::embedder()?;
    engine.embed(&embedder, &mut |_| true)?;
    let start = Instant::now();
    let snapshot = engine.update(0.0)?;
    println!("first build {:.1} ms", millis(start));
    let mut bench = Bench {
        saved: aligned(snapshot.to_bytes()?),
        parsers,
        engine,
        is_checked,
    };
    let step = (files.len() / repeat.max(1)).max(1);
    println!("| edit | read | update | reader | open a file | its update | save |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for (name, edit) in EDITS {
        let mut rows: Vec<[f64; 6]> = Vec::new();
        for (path, text) in files.iter().step_by(step).take(repeat) {
            let edited = edit(text);
            let [read, update, reader] = bench.open_index(path, text, edited.as_deref())?;
            let [open, first, save] = bench.index_in_file(path, edited.as_deref())?;
            rows.push([read, update, reader, open, first, save]);
        }
        let median = |column: usize| {
            let mut values: Vec<f64> = rows.iter().map(|row| row[column]).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or_default()
        };
        let cells: Vec<String> = (0..6).map(|at| format!("{:.1}", median(at))).collect();
        println!("| {name} | {} |", cells.join(" | "));
    }
    Ok(())
}

/// An index that is open, and the file that it was saved to.
struct Bench {
    engine: Engine,
    parsers: Parsers,
    saved: AlignedVec<16>,
    is_checked: bool,
}

impl Bench {
    /// Edits a file of the open index: milliseconds of reading it, updating the snapshot and making a reader. Takes the edit back.
    fn open_index(
        &mut self,
        path: &str,
        text: &str,
        edited: Option<&str>,
    ) -> Result<[f64; 3], Failure> {
        let start = Instant::now();
        put(&mut self.engine, &mut self.parsers, path, edited);
        let read = millis(start);
        let start = Instant::now();
        let snapshot = self.engine.update(0.0)?;
        let updated = millis(start);
        let start = Instant::now();
        let _reader = Reader::new(Arc::clone(&snapshot))?;
        let reader = millis(start);
        if self.is_checked && self.engine.build(0.0)?.to_bytes()? != snapshot.to_bytes()? {
            return Err(format!("{path}: an update is not what building anew gives").into());
        }
        put(&mut self.engine, &mut self.parsers, path, Some(text));
        self.engine.update(0.0)?;
        Ok([read, updated, reader])
    }

    /// Edits a file of the saved index: milliseconds of opening it for changes, updating it and packing the result.
    fn index_in_file(&mut self, path: &str, edited: Option<&str>) -> Result<[f64; 3], Failure> {
        let file = aligned(&self.saved);
        let start = Instant::now();
        let mut engine = Engine::reopen(Arc::new(Snapshot::open_lazily(file)?))?;
        let opened = millis(start);
        put(&mut engine, &mut self.parsers, path, edited);
        let start = Instant::now();
        let snapshot = engine.update(0.0)?;
        let updated = millis(start);
        let start = Instant::now();
        let bytes = snapshot.to_bytes()?;
        let saved = millis(start);
        if self.is_checked && engine.build(0.0)?.to_bytes()? != bytes {
            let message =
                format!("{path}: the first update of a file is not what building anew gives");
            return Err(message.into());
        }
        Ok([opened, updated, saved])
    }
}

/// Puts a text in the place of a file's; deletes the file if there is none.
fn put(engine: &mut Engine, parsers: &mut Parsers, path: &str, text: Option<&str>) {
    match text {
        Some(text) => {
            let unit = engine::read_file(parsers, path, text);
            engine.put(path, text, unit);
        }
        None => drop(engine.remove(path)),
    }
}

fn aligned(bytes: &[u8]) -> AlignedVec<16> {
    let mut aligned = AlignedVec::with_capacity(bytes.len());
    aligned.extend_from_slice(bytes);
    aligned
}

/// Returns the new text; none if the file is deleted.
type Edit = fn(&str) -> Option<String>;

const EDITS: [(&str, Edit); 4] = [
    ("a line within", |text| {
        let middle = text.len() / 2;
        let at = text[..text.floor_char_boundary(middle)]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        Some(format!("{}\n{}", &text[..at], &text[at..]))
    }),
    ("a call within", |text| {
        let at = text.find("return ").unwrap_or(text.len());
        Some(format!("{}get(); {}", &text[..at], &text[at..]))
    }),
    ("a new function", |text| {
        Some(format!(
            "{text}\n\ndef brand_new(value):\n    return value\n"
        ))
    }),
    ("deleted", |_| None),
];

fn millis(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1_000.0
}
