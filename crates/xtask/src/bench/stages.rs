//! Every stage of an index by itself, at each size: time, throughput, memory and growth, natively in one thread.

use std::fmt::Write as _;

use serde_json::Value;

use super::corpus::{self, Corpus};
use super::growth::exponent;
use super::native;
use crate::setup::Toolbox;
use crate::shell::{Call, Result, say};

/// Sizes of the growth curves, in lines.
const SIZES: [u64; 3] = [10_000, 100_000, 1_000_000];

/// The stages of one size, in their order.
struct Run {
    corpus: Corpus,
    stages: Vec<Value>,
    /// Sizes, and what queries took.
    sum: Value,
}

/// The table. `sizes` are numbers of lines; none: [`SIZES`].
pub fn run(toolbox: &Toolbox, sizes: &[u64]) -> Result<String> {
    let sizes = if sizes.is_empty() { &SIZES } else { sizes };
    let program = native::build(toolbox)?;
    let mut runs = Vec::new();
    for corpus in corpus::folders(toolbox, sizes)? {
        let call = Call::new(&program).args(["stages", "--data"]);
        let printed = call.arg(&corpus.path).read()?;
        say(printed.trim_end());
        runs.push(read(corpus, &printed)?);
    }
    Ok(table(&runs))
}

fn read(corpus: Corpus, printed: &str) -> Result<Run> {
    let lines: std::result::Result<Vec<Value>, _> =
        printed.lines().map(serde_json::from_str).collect();
    let mut stages = lines.map_err(|e| format!("portolan-measure stages printed no JSON: {e}"))?;
    let sum = stages
        .pop()
        .ok_or("portolan-measure stages printed nothing")?;
    Ok(Run {
        corpus,
        stages,
        sum,
    })
}

fn number(value: Option<&Value>, key: &str) -> f64 {
    value
        .and_then(|value| value.get(key)?.as_f64())
        .unwrap_or(f64::NAN)
}

fn table(runs: &[Run]) -> String {
    let mut text = String::from("| stage |");
    for Run { corpus, .. } in runs {
        let _ = write!(text, " {} lines | MB/s | memory |", corpus.n_lines);
    }
    let _ = write!(
        text,
        " growth |\n|---|{}--:|\n",
        "--:|--:|--:|".repeat(runs.len())
    );
    let names = runs.first().map_or(&[] as &[Value], |run| &run.stages);
    for (row, stage) in names.iter().enumerate() {
        let name = stage
            .get("stage")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let _ = write!(text, "| {name} |");
        let mut points = Vec::new();
        for run in runs {
            let of = |key: &str| number(run.stages.get(row), key);
            let seconds = of("seconds");
            let _ = write!(
                text,
                " {} | {:.1} | {:.0} MB |",
                shown(seconds),
                of("megabytes_a_second"),
                of("peak") / 1e6
            );
            points.push((number(Some(&run.sum), "n_bytes"), seconds));
        }
        let _ = writeln!(text, " {:.2} |", exponent(&points));
    }
    let points: Vec<_> = runs
        .iter()
        .map(|run| {
            let of = |key: &str| number(Some(&run.sum), key);
            (of("n_bytes"), of("query_p50_ms"))
        })
        .collect();
    let _ = write!(text, "| one query, p50 |");
    for (_, millis) in &points {
        let _ = write!(text, " {millis:.2} ms | | |");
    }
    let _ = writeln!(text, " {:.2} |", exponent(&points));
    text.push_str(
        "\nNatively, in one thread, over the packages of tests/benches/large.tsv. Growth: exponent of time over bytes, 1 is linear. Memory: the process's highest while the \
         stage ran, all that earlier stages left included. Facts and chunks are read from the same tree that parsing makes, so that stage parses again; \
         build makes postings and graph again, names and packed facts and texts too. Queries: a hundred names of the code's own, with the model, cold.\n",
    );
    text
}

fn shown(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{:.1} ms", seconds * 1000.0)
    } else {
        format!("{seconds:.2} s")
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn a_stage_is_a_row() {
        let run = |n_bytes: u64, seconds: f64| {
            let printed = format!(
                "{{\"stage\":\"parse\",\"seconds\":{seconds},\"megabytes_a_second\":2.0,\"peak\":3000000}}\n{{\"n_bytes\":{n_bytes},\"query_p50_ms\":1}}"
            );
            let corpus = Corpus {
                path: PathBuf::new(),
                wanted: n_bytes,
                n_files: 1,
                n_lines: n_bytes / 10,
                n_bytes,
            };
            read(corpus, &printed).expect("two lines")
        };
        let text = table(&[run(1000, 0.5), run(10_000, 5.0)]);
        let row = text.lines().nth(2).expect("a row");
        assert_eq!(
            row,
            "| parse | 500.0 ms | 2.0 | 3 MB | 5.00 s | 2.0 | 3 MB | 1.00 |"
        );
    }
}
