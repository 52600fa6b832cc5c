//! docs/benchmarks.md: each bench owns the text between `<!-- NAME -->` and `<!-- /NAME -->`; the ten figures at its head are made of them.

use super::summary;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Call, Result};

const FILE: &str = "docs/benchmarks.md";
const INTRODUCTION: &str = "# Benchmarks\n\nEvery figure of ours is written by `cargo xtask bench NAME --data DIR`; published and earlier figures of other tools say so. Figures of one table\nwere measured in one run on one machine: compare within a table, not between tables of different dates.\n\n## Ten figures\n\n<!-- summary -->\n<!-- /summary -->\n";

/// Puts `section` into its place, under the day and the machine.
pub fn write(name: &str, section: &str, toolbox: &Toolbox) -> Result<()> {
    let file = paths::root().join(FILE);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|_| INTRODUCTION.to_owned());
    let section = format!("{}\n\n{}\n", provenance(toolbox), section.trim_end());
    paths::write(&file, with_summary(&replace(&text, name, &section)))
}

/// The page with the figures at its head written again.
pub fn with_summary(text: &str) -> String {
    replace(text, "summary", &summary::table(text))
}

/// `text` with the section `name` replaced, or added at the end.
fn replace(text: &str, name: &str, section: &str) -> String {
    let (open, close) = (format!("<!-- {name} -->"), format!("<!-- /{name} -->"));
    let inside = format!("{open}\n{section}{close}");
    let place = text
        .find(&open)
        .zip(text.find(&close).map(|at| at + close.len()));
    match place.filter(|(start, end)| start < end) {
        Some((start, end)) => {
            let (before, after) = (
                text.get(..start).unwrap_or_default(),
                text.get(end..).unwrap_or_default(),
            );
            format!("{before}{inside}{after}")
        }
        None => format!("{}\n\n## {}\n\n{inside}\n", text.trim_end(), title(name)),
    }
}

fn title(name: &str) -> &str {
    match name {
        "retrieval" => "Finding the right code",
        "graph" => "Call edges against compilers",
        "calls" => "Call edges, by language",
        "locate" => "From issues to the places of their fixes",
        "replay" => "Tokens read until the answer is there",
        "ripwire" => "ripwire by the same truths",
        "symbols" => "Definitions against compilers",
        "read" => "Reading, by language",
        "speed" => "Cold index, native and WebAssembly",
        "open" => "Opening a saved index, and warm answers",
        "agents" => "Agents: the hook, the MCP server",
        "update" => "One edited file",
        "overlay" => "Worktrees of one repository",
        "shards" => "Indexes in shards",
        "shared" => "Clone and ask",
        "size" => "Sizes of what is fetched",
        "peers" => "Cold index beside other tools",
        "stages" => "Every stage, and how it grows",
        "large" => "Growth, and a million lines in a tab",
        "scale" => "A server of shared indexes under load",
        "history" => "The git history of 20,000 commits",
        "breadth" => "Cold index of many repositories, beside the fastest",
        "bare" => "The first hour: both commands on a bare machine",
        other => other,
    }
}

/// `Measured 2026-01-31 on 2 cores of …, 24 GB, Linux; Node v20, rustc 1.95.`
fn provenance(toolbox: &Toolbox) -> String {
    let day = Call::new("date")
        .args(["-u", "+%F"])
        .read()
        .unwrap_or_default();
    let n_cores = std::thread::available_parallelism().map_or(0, usize::from);
    let cpu =
        field("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let memory = field("/proc/meminfo", "MemTotal")
        .and_then(|kilobytes| kilobytes.split(' ').next()?.parse::<u64>().ok())
        .map_or_else(String::new, |kilobytes| {
            format!(", {} GB", kilobytes.div_ceil(1_000_000))
        });
    let version = |program: &str| {
        toolbox
            .call(program)
            .arg("--version")
            .read()
            .unwrap_or_default()
    };
    let rustc = version("rustc");
    let rustc = rustc.split(" (").next().unwrap_or_default();
    format!(
        "Measured {} on {n_cores} cores of {cpu}{memory}, {}; Node {}, {rustc}.",
        day.trim(),
        std::env::consts::OS,
        version("node").trim()
    )
}

fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_section_is_added_once_and_then_replaced() {
        let first = replace("# Benchmarks\n", "open", "old\n");
        let other = replace(&first, "size", "sizes\n");
        let second = replace(&other, "open", "new\n");
        expect![[r#"
            # Benchmarks

            ## Opening a saved index, and warm answers

            <!-- open -->
            new
            <!-- /open -->

            ## Sizes of what is fetched

            <!-- size -->
            sizes
            <!-- /size -->
        "#]]
        .assert_eq(&second);
    }
}
