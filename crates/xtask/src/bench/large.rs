//! How things grow: 10 thousand to 5 million lines of published packages, indexed by the command line in Node, and the largest of them
//! that is meant for a tab in headless Chromium.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::corpus::{self, Corpus, SIZES};
use super::growth::exponent;
use super::{native, speed};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say};

/// Maximum number of lines for a tab.
const MAX_LINES_IN_TAB: u64 = 1_000_000;

/// Results of one size in Node.
struct Run {
    corpus: Corpus,
    /// Start to saved index, seconds.
    seconds: f64,
    /// Bytes of memory at most, all threads.
    memory: u64,
    /// Output of `tests/benches/large.mjs`.
    answers: Value,
}

/// The tables. `sizes` are numbers of lines; none: all of [`SIZES`].
pub fn run(toolbox: &Toolbox, sizes: &[u64]) -> Result<String> {
    let sizes = if sizes.is_empty() { &SIZES } else { sizes };
    let corpora = corpus::folders(toolbox, sizes)?;
    let mut runs = Vec::new();
    let mut failed = String::new();
    for corpus in corpora {
        match in_node(toolbox, &corpus) {
            Ok(run) => {
                say(&format!("  {}", row(&run)));
                runs.push(run);
            }
            // A failure at five million lines must not hide the results at one.
            Err(why) => {
                say(&format!("  {} lines: {why}", corpus.wanted));
                let _ = writeln!(failed, "{} lines: not measured, {why}", corpus.wanted);
            }
        }
    }
    let mut text = String::from(NODE_HEAD);
    for run in &runs {
        let _ = writeln!(text, "{}", row(run));
    }
    text.push('\n');
    text.push_str(&failed);
    text.push_str(&growth(&runs));
    let for_tab = runs
        .iter()
        .map(|run| &run.corpus)
        .filter(|corpus| corpus.wanted <= MAX_LINES_IN_TAB)
        .max_by_key(|corpus| corpus.wanted);
    if let Some(corpus) = for_tab {
        let _ = write!(text, "\n{}", in_tab(toolbox, corpus)?);
    }
    Ok(text)
}

fn in_node(toolbox: &Toolbox, corpus: &Corpus) -> Result<Run> {
    let saved = native::out().join("large.portolan");
    let indexed = speed::index(toolbox, &corpus.path, &saved, speed::Engine::Wasm, &[])?;
    let script = paths::root().join("tests/benches/large.mjs");
    let answers = answered(toolbox, &script, &[&saved])?;
    Ok(Run {
        corpus: corpus.clone(),
        seconds: indexed.cost.seconds,
        memory: indexed.cost.memory,
        answers,
    })
}

/// The last line that a script prints, as JSON.
fn answered(toolbox: &Toolbox, script: &Path, arguments: &[&Path]) -> Result<Value> {
    let text = toolbox.call("node").arg(script).args(arguments).read()?;
    serde_json::from_str(text.lines().last().unwrap_or_default())
        .map_err(|e| format!("{} printed no JSON: {e}", script.display()))
}

const NODE_HEAD: &str = "\
| lines | files | MB | index | MB/s | memory | chunks | edges | saved, bytes a source byte | first answer after opening, again | search p50, p95 | find p50, p95 | callers p50, p95 | context p50, p95 |
|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
";

fn number(value: &Value, key: &str) -> f64 {
    value.get(key).and_then(Value::as_f64).unwrap_or(f64::NAN)
}

fn row(run: &Run) -> String {
    let of = |key: &str| number(&run.answers, key);
    let pair = |what: &str| {
        format!(
            "{:.2}, {:.2} ms",
            of(&format!("{what}_p50_ms")),
            of(&format!("{what}_p95_ms"))
        )
    };
    let n_bytes = of("n_bytes");
    format!(
        "| {} | {} | {:.1} | {:.2} s | {:.1} | {:.0} MB | {} | {} | {:.3} | {:.0}, {:.0} ms | {} | {} | {} | {} |",
        run.corpus.n_lines,
        of("n_files"),
        n_bytes / 1e6,
        run.seconds,
        n_bytes / 1e6 / run.seconds,
        run.memory as f64 / 1e6,
        of("n_chunks"),
        of("n_edges"),
        of("saved_bytes") / n_bytes,
        of("reopened_ms"),
        of("reopened_warm_ms"),
        pair("search"),
        pair("find"),
        pair("callers"),
        pair("context"),
    )
}

/// A figure of a run.
type Measure = Box<dyn Fn(&Run) -> f64>;

/// Exponents of growth: 1 is linear.
fn growth(runs: &[Run]) -> String {
    let of = |key: &'static str| move |run: &Run| number(&run.answers, key);
    let bytes = of("n_bytes");
    let measures: [(&str, Measure); 6] = [
        ("index time", Box::new(|run| run.seconds)),
        ("memory", Box::new(|run| run.memory as f64)),
        ("saved bytes", Box::new(of("saved_bytes"))),
        ("search p50", Box::new(of("search_p50_ms"))),
        ("find p50", Box::new(of("find_p50_ms"))),
        ("callers p50", Box::new(of("callers_p50_ms"))),
    ];
    let mut text = String::from("Growth with bytes, as exponents (1: linear, 0.5: square root): ");
    let of_range = |range: &[Run], measure: &dyn Fn(&Run) -> f64| -> f64 {
        let points: Vec<_> = range.iter().map(|run| (bytes(run), measure(run))).collect();
        exponent(&points)
    };
    let parts: Vec<_> = measures
        .iter()
        .map(|(name, measure)| {
            let all = of_range(runs, measure);
            let last = runs.len().saturating_sub(2);
            let end = of_range(runs.get(last..).unwrap_or_default(), measure);
            format!("{name} {all:.2} (largest step {end:.2})")
        })
        .collect();
    text.push_str(&parts.join("; "));
    text.push_str(
        ".\n\nIndex: `portolan index` from start to saved file, vectors included, with all workers. Memory: of the whole process, its highest. \
         Opening is by path; the first time with compiling the WebAssembly. The questions are the same for every size (tests/benches/questions.mjs), warm.\n",
    );
    text
}

fn in_tab(toolbox: &Toolbox, corpus: &Corpus) -> Result<String> {
    let script = paths::root().join("tests/benches/large-page.mjs");
    let value = answered(toolbox, &script, &[&corpus.path])?;
    say(&format!("  {value}"));
    let of = |key: &str| number(&value, key);
    let (megabytes, n_bytes) = (1e6, of("n_bytes"));
    let mut text = format!(
        "{} lines ({:.1} MB, {} files) in a tab of headless Chromium, from the choice of the folder:\n\n| what | measured | goal |\n|---|--:|--:|\n",
        corpus.n_lines,
        n_bytes / megabytes,
        of("n_files"),
    );
    let mut line = |what: &str, measured: String, goal: &str| {
        let _ = writeln!(text, "| {what} | {measured} | {goal} |");
    };
    let seconds = |key: &str| format!("{:.1} s", of(key) / 1000.0);
    line(
        "first answers, by words",
        seconds("first_answer_ms"),
        "10 s",
    );
    line("names, graph and words", seconds("usable_ms"), "");
    line(
        "vectors, too: fully searchable",
        seconds("complete_ms"),
        "90 s",
    );
    line("stored", seconds("stored_ms"), "");
    line(
        "memory of the tab, at most",
        format!("{:.0} MB", of("peak_memory") / megabytes),
        "1,611 MB",
    );
    line(
        "memory of the tab, afterwards",
        format!("{:.0} MB", of("rest_memory") / megabytes),
        "",
    );
    line(
        "stored bytes a source byte",
        format!("{:.3}", of("saved_bytes") / n_bytes),
        "0.6",
    );
    line(
        "page loaded anew, opened, first answer",
        format!("{:.0} ms", of("reopened_ms")),
        "300 ms",
    );
    line(
        "search p50, p95",
        format!("{:.2}, {:.2} ms", of("search_p50_ms"), of("search_p95_ms")),
        "",
    );
    text.push_str(
        "\nMemory: resident memory of the page's process, which all of its workers are part of.\n",
    );
    Ok(text)
}
