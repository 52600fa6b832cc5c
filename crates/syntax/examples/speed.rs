//! Reads every file below the given folders and prints MB/s per language, parsing alone and the whole job:
//! `cargo run --release --example speed -- FOLDER…`.
#![allow(clippy::print_stdout)]

extern crate portolan_syntax as syntax;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use syntax::{Language, ParseConfig, Parsers};

#[derive(Default)]
struct Sum {
    bytes: usize,
    files: usize,
    parse: f64,
    read: f64,
    highlight: f64,
    symbols: usize,
    references: usize,
    problems: usize,
}

fn main() {
    let mut parsers = Parsers::new(ParseConfig::default());
    let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
    for folder in std::env::args().skip(1) {
        for path in files_below(Path::new(&folder)) {
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            let language = Language::from_text(&path.to_string_lossy(), &text);
            measure(
                &mut parsers,
                language,
                &text,
                sums.entry(language.name()).or_default(),
            );
        }
    }
    println!(
        "language        files       MB  parse MB/s   read MB/s   share   symbols references  problems  highlight MB/s"
    );
    for (name, sum) in sums {
        let mb = sum.bytes as f64 / 1e6;
        println!(
            "{name:12} {:8} {mb:8.2} {:11.2} {:11.2} {:6.0}% {:9} {:9} {:9} {:9.2}",
            sum.files,
            mb / sum.parse,
            mb / sum.read,
            100.0 * sum.parse / sum.read,
            sum.symbols,
            sum.references,
            sum.problems,
            mb / sum.highlight,
        );
    }
}

fn measure(parsers: &mut Parsers, language: Language, text: &str, sum: &mut Sum) {
    let _ = parsers.compile(language);
    let start = Instant::now();
    parsers.only_parse(language, text);
    sum.parse += start.elapsed().as_secs_f64();
    let start = Instant::now();
    let facts = parsers.read(language, text);
    sum.read += start.elapsed().as_secs_f64();
    sum.bytes += text.len();
    sum.files += 1;
    sum.symbols += facts.symbols.len();
    sum.references += facts.references.len();
    sum.problems += facts.problems.len();
    assert!(
        facts
            .chunks
            .iter()
            .map(|chunk| chunk.span.end - chunk.span.start)
            .sum::<u32>() as usize
            == text.len()
    );
}

fn files_below(root: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut pending = vec![root.to_path_buf()];
    while let Some(path) = pending.pop() {
        if path.is_dir() && !path.is_symlink() {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            pending.extend(
                entries
                    .map(|entry| entry.path())
                    .filter(|path| path.file_name().is_some_and(|name| name != ".git")),
            );
        } else if path.is_file() {
            out.push(path);
        }
    }
    out.sort();
    out
}
