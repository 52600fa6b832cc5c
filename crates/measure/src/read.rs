//! Speed of reading, by language: parsing alone, parsing with facts and chunks, and all that a parsing worker does with a
//! file (terms, hashes and the message to the builder too), on one core.
//!
//! `read --data DIR,… [--megabytes N] [--repeat N] [--list FILE]`. Each DIR is a repository. Of a language at most about
//! `N` megabytes are read, files taken evenly from all. Of `N` passes, or as many as 0.4 s hold where that is more, the
//! fastest of each step counts. Prints a line of JSON for each language; `--list` writes which files were read, for the same
//! measure elsewhere.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;
use syntax::{Language, ParseConfig, Parsers};

use crate::flags::{Failure, Flags};
use crate::index::walk;

/// How long a step is repeated at least.
const SECONDS: f64 = 0.4;

/// A file of a language.
struct Material {
    place: PathBuf,
    path: String,
    text: String,
}

/// Measurements of a language; the fastest pass of each step, in seconds.
#[derive(Debug, Serialize)]
struct Figures {
    language: &'static str,
    files: usize,
    bytes: usize,
    /// Whether there is a grammar: documents are read by hand.
    parsed: bool,
    parse: f64,
    read: f64,
    work: f64,
}

/// Which files were read of a language.
#[derive(Debug, Serialize)]
struct Listed {
    language: &'static str,
    /// Name within the repository, and path of the file.
    files: Vec<(String, PathBuf)>,
}

pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let data = flags.get("data").ok_or("--data DIR,… is missing")?;
    let most = flags.number("megabytes", 3.0_f64)? * 1e6;
    let repeat: usize = flags.number("repeat", 3)?;
    let mut languages: BTreeMap<&'static str, (Language, Vec<Material>)> = BTreeMap::new();
    for root in data.split(',').map(PathBuf::from) {
        for file in walk(&root)?.files {
            let language = Language::from_text(&file.path, &file.text);
            let (_, files) = languages
                .entry(language.name())
                .or_insert_with(|| (language, Vec::new()));
            files.push(Material {
                place: root.join(&file.path),
                text: file.text.to_string(),
                path: file.path,
            });
        }
    }
    languages.remove(Language::Text.name());
    let mut list = Vec::new();
    for (name, (language, files)) in languages {
        let files = some_of(files, most);
        let figures = measure(language, &files, repeat.max(1));
        println!("{}", serde_json::to_string(&figures)?);
        let named = |file: Material| (file.path, file.place);
        list.push(Listed {
            language: name,
            files: files.into_iter().map(named).collect(),
        });
    }
    if let Some(path) = flags.get("list") {
        std::fs::write(path, serde_json::to_string(&list)?)?;
    }
    Ok(())
}

/// Picks files at regular intervals, so that they add up to about `most` bytes.
fn some_of(mut files: Vec<Material>, most: f64) -> Vec<Material> {
    files.sort_by(|a, b| a.place.cmp(&b.place));
    let bytes: usize = files.iter().map(|file| file.text.len()).sum();
    let step = (bytes as f64 / most).max(1.0);
    let n_files = files.len();
    let taken = |idx: usize| (idx as f64 / step) as usize;
    let mut kept = Vec::new();
    for (idx, file) in files.into_iter().enumerate() {
        if idx == 0 || idx + 1 == n_files || taken(idx) != taken(idx - 1) {
            kept.push(file);
        }
    }
    kept
}

fn measure(language: Language, files: &[Material], repeat: usize) -> Figures {
    let mut parsers = Parsers::new(ParseConfig::default());
    // A grammar and its queries are made ready once, whatever the number of files.
    let _ = parsers.compile(language);
    let parse = fastest(repeat, || {
        for file in files {
            std::hint::black_box(parsers.only_parse(language, &file.text));
        }
    });
    let read = fastest(repeat, || {
        for file in files {
            std::hint::black_box(parsers.read(language, &file.text));
        }
    });
    let work = fastest(repeat, || {
        for file in files {
            let unit = engine::read_file(&mut parsers, &file.path, &file.text);
            std::hint::black_box(unit.to_bytes());
        }
    });
    Figures {
        language: language.name(),
        files: files.len(),
        bytes: files.iter().map(|file| file.text.len()).sum(),
        parsed: language.grammar().is_some(),
        parse,
        read,
        work,
    }
}

/// Seconds of the fastest pass. Few files are read as long as many are, so that a tiered compiler has seen them as often.
fn fastest(repeat: usize, mut pass: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    let (begin, mut n_passes) = (Instant::now(), 0);
    while n_passes < repeat || begin.elapsed().as_secs_f64() < SECONDS {
        let start = Instant::now();
        pass();
        best = best.min(start.elapsed().as_secs_f64());
        n_passes += 1;
    }
    best
}
