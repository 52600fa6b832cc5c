//! How long a file and a function may be. Longer ones hold two things, and are read by nobody from end to end.
//! Biome counts the lines of functions in TypeScript.

use super::files::{text, tracked};
use super::{Outcome, judged};
use crate::setup::Toolbox;
use crate::shell::Result;

const LONGEST: usize = 430;
const LONGEST_FUNCTION: usize = 75;
/// A table in the form of code: tests, their data and what is generated are as long as their cases.
const DATA: [&str; 4] = ["/tests/", ".test.", ".snap.", "/tests.rs"];

pub fn check(_: &Toolbox) -> Result<Outcome> {
    let paths = tracked(&[".rs", ".ts", ".tsx", ".mjs", ".js", ".css"])?;
    let mut faults = Vec::new();
    for path in paths.into_iter().filter(|path| !is_data(path)) {
        let Some(text) = text(&path) else { continue };
        faults.extend(faults_of(&path, &text));
    }
    judged(&faults, "split it by what its parts are about")
}

fn is_data(path: &str) -> bool {
    path.starts_with("tests/") || DATA.iter().any(|part| path.contains(part))
}

/// The file, if it is too long, and its functions that are.
fn faults_of(path: &str, text: &str) -> Vec<String> {
    let n_lines = text.lines().count();
    let file = (n_lines > LONGEST).then(|| format!("{path}: {n_lines} lines, more than {LONGEST}"));
    let functions = if path.ends_with(".rs") {
        functions(text)
    } else {
        Vec::new()
    };
    let long = functions
        .into_iter()
        .filter(|(_, n_lines)| *n_lines > LONGEST_FUNCTION);
    let long = long.map(|(line, n_lines)| {
        format!("{path}:{line}: a function of {n_lines} lines, more than {LONGEST_FUNCTION}")
    });
    file.into_iter().chain(long).collect()
}

/// The functions of a file that rustfmt formatted: line and number of lines. Ends at the tests at the end of the file.
fn functions(text: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let tests = lines
        .windows(2)
        .position(|pair| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod "));
    let lines = &lines[..tests.unwrap_or(lines.len())];
    let starts = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_function(line));
    starts
        .map(|(at, line)| {
            let indent = line.len() - line.trim_start().len();
            let is_end = |line: &&str| {
                let depth = line.len() - line.trim_start().len();
                let ends = line.ends_with(['}', ';']);
                depth == indent && ends && !line.trim_start().starts_with("where")
            };
            let n_lines = lines[at..].iter().position(is_end);
            (at + 1, n_lines.map_or(1, |n| n + 1))
        })
        .collect()
}

fn is_function(line: &str) -> bool {
    let Some((before, _)) = line.split_once("fn ") else {
        return false;
    };
    let words = ["pub", "const", "async", "unsafe", "extern"];
    before.split_whitespace().all(|word| {
        word.starts_with('"')
            || word.starts_with("pub(")
            || word.ends_with(')')
            || words.contains(&word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, want: &[&str]) {
        assert_eq!(faults_of(path, text), want);
    }

    #[test]
    fn long_files_are_faults() {
        check("a.ts", &"x\n".repeat(LONGEST), &[]);
        check(
            "a.ts",
            &"x\n".repeat(431),
            &["a.ts: 431 lines, more than 430"],
        );
        assert!(is_data("pkg/test/mcp.test.mjs") && is_data("crates/edge/src/route/tests.rs"));
        assert!(!is_data("crates/edge/src/route/mod.rs"));
    }

    /// A function of `n_lines` in an `impl`, behind a declaration and a short one.
    fn source(n_lines: usize) -> String {
        let body = "        step();\n".repeat(n_lines - 2);
        format!(
            "trait A {{\n    fn declared(\n        &self,\n    ) -> u32;\n    fn one() {{}}\n}}\n\nimpl B {{\n    pub(in a::b) fn long() {{\n{body}    }}\n}}\n"
        )
    }

    #[test]
    fn long_functions_are_faults_outside_tests() {
        check("a.rs", &source(LONGEST_FUNCTION), &[]);
        let n_lines = LONGEST_FUNCTION + 1;
        let fault = format!("a.rs:9: a function of {n_lines} lines, more than {LONGEST_FUNCTION}");
        check("a.rs", &source(n_lines), &[&fault]);
        check("a.ts", &source(n_lines), &[]);
        let tests = format!(
            "#[cfg(test)]\nmod tests {{\n{}}}\n",
            source(LONGEST_FUNCTION + 1)
        );
        check("a.rs", &tests, &[]);
    }
}
