//! Instructions of each stage over a small fixed input, counted by callgrind: a change of what a stage costs shows as a
//! difference, on however loaded a machine.

use std::fmt::Write as _;

use crate::bench::native;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say, which};

const FILE: &str = "tests/measures/instructions.snap";

/// Texts of this repository in several languages; a change of them is a change of the counts.
const FIXTURES: &str = "tests/relevance/corpus.txt,tests/suite/everything.txt";

/// Counts differ a little between compilers, C libraries and processors.
const TOLERANCE: f64 = 0.03;

/// Counts anew and writes the snapshot; with `check`, compares. Without valgrind nothing is done.
pub fn run(toolbox: &Toolbox, check: bool) -> Result<()> {
    if which("valgrind").is_none() {
        say("  – no valgrind: instructions are not counted");
        return Ok(());
    }
    let counts = count(toolbox)?;
    let file = paths::root().join(FILE);
    if !check {
        let text = table(&counts);
        say(&text);
        return paths::write(&file, text);
    }
    let known = parse(&paths::read(&file)?);
    let strayed = strayed(&known, &counts);
    if strayed.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{FILE} is out of date: run `cargo xtask measure` and look at the difference\n{}",
        strayed.join("\n")
    ))
}

fn count(toolbox: &Toolbox) -> Result<Vec<(String, u64)>> {
    let program = native::build(toolbox)?;
    let out = native::out().join("callgrind.out");
    paths::make_dir(&native::out())?;
    toolbox
        .call("valgrind")
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(&program)
        .args(["stages", "--fixture", FIXTURES])
        .read()?;
    let text = toolbox
        .call("callgrind_annotate")
        .args(["--inclusive=yes", "--threshold=100", "--show-percs=no"])
        .arg(&out)
        .read()?;
    let counts = stages(&text);
    if counts.is_empty() {
        return Err("callgrind saw no stage of portolan-measure".to_owned());
    }
    Ok(counts)
}

/// `1,234  …:portolan_measure::stages::stage_parse [/…]`, by name of the stage.
fn stages(annotated: &str) -> Vec<(String, u64)> {
    let mut counts: Vec<_> = annotated.lines().filter_map(stage).collect();
    // The stage's own line says more than those of what is written within it.
    counts.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
    counts.dedup_by(|a, b| a.0 == b.0);
    counts
}

fn stage(line: &str) -> Option<(String, u64)> {
    let (_, name) = line.split_once("stages::stage_")?;
    let end = name
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(name.len());
    let number = line.split_whitespace().next()?.replace(',', "");
    Some((name.get(..end)?.to_owned(), number.parse().ok()?))
}

fn table(counts: &[(String, u64)]) -> String {
    let mut text = format!(
        "# instructions of each stage over {}, by callgrind; `cargo xtask measure` writes this file\n",
        FIXTURES.replace(',', " and ")
    );
    for (name, n) in counts {
        let _ = writeln!(text, "{name:12} {n:>14}");
    }
    text
}

fn parse(text: &str) -> Vec<(String, u64)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let (name, n) = line.split_once(' ')?;
            Some((name.to_owned(), n.trim().parse().ok()?))
        })
        .collect()
}

/// Stages that are not the same, or cost another amount, in words.
fn strayed(known: &[(String, u64)], counts: &[(String, u64)]) -> Vec<String> {
    let of = |list: &[(String, u64)], name: &str| {
        list.iter()
            .find(|(other, _)| other == name)
            .map_or(0, |(_, n)| *n)
    };
    let mut names: Vec<_> = known.iter().chain(counts).map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    let lines = names.into_iter().filter_map(|name| {
        let (was, is) = (of(known, name), of(counts, name));
        let change = (is as f64 - was as f64) / (was as f64).max(1.0);
        (change.abs() > TOLERANCE).then(|| {
            format!(
                "  {name}: {was} before, {is} now ({:+.1} %)",
                change * 100.0
            )
        })
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_callgrind() {
        let text = "12,345  ???:portolan_measure::stages::stage_parse [/target/release/portolan-measure]\n\
                    99  ???:portolan_measure::stages::stage_terms::{{closure}} [x]\n\
                    1,000  ???:portolan_measure::stages::stage_terms [x]\n7  ???:main [x]\n";
        let expected = [("parse".to_owned(), 12_345), ("terms".to_owned(), 1000)];
        assert_eq!(stages(text), expected);
    }

    #[test]
    fn small_differences_are_none() {
        let was = parse("# words\nparse   1000\nopen    500\n");
        let now = |parse: u64| vec![("parse".to_owned(), parse), ("open".to_owned(), 500)];
        assert!(strayed(&was, &now(1020)).is_empty());
        assert_eq!(
            strayed(&was, &now(1100)),
            ["  parse: 1000 before, 1100 now (+10.0 %)"]
        );
        assert_eq!(strayed(&was, &now(1000)[..1]).len(), 1);
    }
}
