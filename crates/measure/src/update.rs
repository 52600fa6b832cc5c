//! Measures the cost of editing one file, natively: updates an index of DIR after edits of each kind.
//!
//! `update --data DIR [--repeat N] [--check]`. Prints the median in milliseconds of putting the file and updating the
//! snapshot; with `--check`, fails where a snapshot is not that of building anew.

use std::sync::Arc;
use std::time::Instant;

use engine::{Engine, EngineConfig, Reader};
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
    engine.update(0.0)?;
    println!("first build {:.1} ms", millis(start));
    let step = (files.len() / repeat.max(1)).max(1);
    println!("| edit | read ms | update ms | reader ms |\n|---|--:|--:|--:|");
    for (name, edit) in EDITS {
        let mut rows: Vec<[f64; 3]> = Vec::new();
        for (path, text) in files.iter().step_by(step).take(repeat) {
            let start = Instant::now();
            match edit(text) {
                Some(text) => {
                    let unit = engine::read_file(&mut parsers, path, &text);
                    engine.put(path, text, unit);
                }
                None => {
                    engine.remove(path);
                }
            }
            let read = millis(start);
            let start = Instant::now();
            let snapshot = engine.update(0.0)?;
            let updated = millis(start);
            let start = Instant::now();
            let _reader = Reader::new(Arc::clone(&snapshot))?;
            rows.push([read, updated, millis(start)]);
            if is_checked && engine.build(0.0)?.to_bytes()? != snapshot.to_bytes()? {
                return Err(format!("{path}: an update is not what building anew gives").into());
            }
            let unit = engine::read_file(&mut parsers, path, text);
            engine.put(path, text.clone(), unit);
            engine.update(0.0)?;
        }
        let median = |column: usize| {
            let mut values: Vec<f64> = rows.iter().map(|row| row[column]).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or_default()
        };
        println!(
            "| {name} | {:.2} | {:.1} | {:.1} |",
            median(0),
            median(1),
            median(2)
        );
    }
    Ok(())
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
