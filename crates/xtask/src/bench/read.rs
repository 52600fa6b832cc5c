//! Speed of reading by language: parsing alone, with facts and chunks, and a parsing worker's whole work, native and as
//! WebAssembly, each on one core.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use serde::Deserialize;

use super::data::Repository;
use super::native;
use super::process::measure;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Call, Result, say};

const LIMIT: Duration = Duration::from_secs(1800);
/// Passes over the files of a language; the fastest counts.
const N_PASSES: &str = "5";

/// Why a language may be slower than half the median. Printed only where it is.
const NOTES: [(&str, &str); 3] = [
    (
        "cpp",
        "its grammar alone parses half as many bytes a second as the median does, with several parses side by side (`stack__iter`); the text \
         behind a macro that the grammar cannot read is parsed once more, a quarter of fmt's bytes",
    ),
    (
        "scala",
        "the time is tree-sitter's: at 2.7 times the instructions that Java's grammar takes a byte it carries several parses side by side until \
         a later token decides (`stack__iter`, `ts_subtree_summarize_children`), and its scanner asks for the column of each token (8 %)",
    ),
    (
        "haskell",
        "its lines are short and full of tokens, layout is decided by the grammar's scanner, and operators and application leave several parses \
         open side by side (`stack__iter` 10 %): 1.2 times the instructions that Java's grammar takes a byte, and more names a line to read",
    ),
];

/// A line of the native program.
#[derive(Deserialize)]
struct Native {
    language: String,
    files: usize,
    bytes: f64,
    parsed: bool,
    parse: f64,
    read: f64,
    work: f64,
}

/// A line of the Node script.
#[derive(Deserialize)]
struct Wasm {
    language: String,
    work: f64,
}

/// The table of all languages.
pub fn run(toolbox: &Toolbox, repositories: &[Repository]) -> Result<String> {
    let program = native::build(toolbox)?;
    paths::make_dir(&native::out())?;
    let list = native::out().join("read.json");
    let folders: Vec<_> = repositories
        .iter()
        .map(|repository| repository.path.to_string_lossy())
        .collect();
    let call = Call::new(program).args(["read", "--repeat", N_PASSES, "--data"]);
    let native = call
        .arg(folders.join(","))
        .arg("--list")
        .arg(&list)
        .read()?;
    say(&native);
    let script = paths::root().join("tests/benches/read.mjs");
    let (script, list) = (script.to_string_lossy(), list.to_string_lossy());
    let wasm = measure(
        &toolbox.program("node"),
        &[&*script, &*list, N_PASSES],
        &paths::root(),
        &toolbox.env(),
        LIMIT,
    )?;
    Ok(table(&lines(&native)?, &lines(&wasm.output)?))
}

fn lines<T: for<'a> Deserialize<'a>>(output: &str) -> Result<Vec<T>> {
    let found = output.lines().filter(|line| line.starts_with('{'));
    found
        .map(|line| serde_json::from_str(line).map_err(|why| format!("{line}: {why}")))
        .collect()
}

fn table(native: &[Native], wasm: &[Wasm]) -> String {
    let wasm: BTreeMap<&str, f64> = wasm
        .iter()
        .map(|row| (row.language.as_str(), row.work))
        .collect();
    let mut out = String::from(
        "| language | files | MB | parse | parse, facts, chunks | parse's share | worker, native | worker, wasm | wasm / native |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let (parsed, documents): (Vec<&Native>, Vec<&Native>) =
        native.iter().partition(|row| row.parsed);
    for row in parsed.iter().chain(&documents) {
        let _ = writeln!(out, "{}", shown(row, wasm.get(&*row.language).copied()));
    }
    let ratios = parsed
        .iter()
        .filter_map(|row| Some(row.work / wasm.get(&*row.language)?));
    let speeds: Vec<f64> = parsed.iter().map(|row| speed(row, row.read)).collect();
    let (middle, ratio) = (median(speeds), median(ratios.collect()));
    let _ = writeln!(
        out,
        "\nMB/s on one core, the fastest of {N_PASSES} passes or more over at most about 3 MB of each language, grammars and queries ready. Share: parsing \
         alone against parsing with facts\nand chunks. Worker: all that a parsing worker does with a file, terms, hashes and the message to the builder \
         too. The median language with a\ngrammar reads {middle:.1} MB/s; by the median, WebAssembly has {:.0} % of the native speed.",
        ratio * 100.0
    );
    for row in parsed {
        if speed(row, row.read) < middle / 2.0 {
            let note = NOTES.iter().find(|(language, _)| *language == row.language);
            let note = note.map_or("not yet explained", |(_, note)| note);
            let _ = writeln!(
                out,
                "\n{}, slower than half the median: {note}.",
                row.language
            );
        }
    }
    out
}

fn shown(row: &Native, wasm: Option<f64>) -> String {
    let parse = if row.parsed {
        format!("{:.1}", speed(row, row.parse))
    } else {
        "–".to_owned()
    };
    let share = if row.parsed {
        format!("{:.0} %", 100.0 * row.parse / row.read)
    } else {
        "–".to_owned()
    };
    let wasm = wasm.map_or("– | –".to_owned(), |seconds| {
        format!(
            "{:.1} | {:.0} %",
            speed(row, seconds),
            100.0 * row.work / seconds
        )
    });
    format!(
        "| {} | {} | {:.2} | {parse} | {:.1} | {share} | {:.1} | {wasm} |",
        row.language,
        row.files,
        row.bytes / 1e6,
        speed(row, row.read),
        speed(row, row.work),
    )
}

/// MB/s.
fn speed(row: &Native, seconds: f64) -> f64 {
    row.bytes / 1e6 / seconds
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_ratios_and_notes() {
        let row = |language: &str, read: f64| {
            format!(
                r#"{{"language": "{language}", "files": 2, "bytes": 1000000, "parsed": true, "parse": 0.1, "read": {read}, "work": 0.5}}"#
            )
        };
        let native = [
            row("c", 0.2),
            row("go", 0.2),
            row("scala", 1.0),
            row("x", 1.0),
        ]
        .join("\n");
        // The median of four is the third.
        let native = native + "\n" + &row("java", 0.2);
        let wasm = "noise\n{\"language\": \"c\", \"work\": 1.0}\n";
        let (native, wasm) = (lines(&native), lines(wasm));
        let table = table(&native.expect("rows"), &wasm.expect("rows"));
        assert!(
            table.contains("| c | 2 | 1.00 | 10.0 | 5.0 | 50 % | 2.0 | 1.0 | 50 % |"),
            "{table}"
        );
        assert!(
            table.contains("| go | 2 | 1.00 | 10.0 | 5.0 | 50 % | 2.0 | – | – |"),
            "{table}"
        );
        assert!(table.contains("reads 5.0 MB/s"), "{table}");
        assert!(
            table.contains("scala, slower than half the median: the time is"),
            "{table}"
        );
        assert!(
            table.contains("x, slower than half the median: not yet explained."),
            "{table}"
        );
    }
}
