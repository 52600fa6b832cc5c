//! A test that does not run passes. Test files lie where a suite runs them and have tests; none is the only one of its
//! file, and one that is left out says why.

use super::files::{is_below, text, tracked};
use super::{Outcome, judged};
use crate::paths::TEST_FOLDERS;
use crate::setup::Toolbox;
use crate::shell::Result;

pub fn check(_: &Toolbox) -> Result<Outcome> {
    let mut faults = Vec::new();
    for path in tracked(&[".test.mjs", ".test.js", ".test.ts", ".test.tsx"])? {
        faults.extend(in_script(&path, &text(&path).unwrap_or_default()));
    }
    for path in tracked(&[".rs"])? {
        faults.extend(in_rust(&path, &text(&path).unwrap_or_default()));
    }
    judged(&faults, "let it run, or say in its place why it cannot")
}

/// Faults of a test file for Node's runner. It counts a file without a test as one that passed.
fn in_script(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if !TEST_FOLDERS.iter().any(|folder| is_below(path, folder)) {
        faults.push(format!("{path}: no suite runs the tests of its folder"));
    }
    let calls = ["test(", "it(", "check(", "describe("];
    if !text.contains("node:test") || !calls.iter().any(|call| text.contains(call)) {
        faults.push(format!("{path}: has no test"));
    }
    for (at, line) in text.lines().enumerate() {
        let at = at + 1;
        if [".only(", "only: true"]
            .iter()
            .any(|only| line.contains(only))
        {
            faults.push(format!(
                "{path}:{at}: all other tests of the file are left out"
            ));
        }
        // `skip: true` and `test.skip("name", () => …)` have no reason to read; a condition or a text is one.
        if ["skip: true", "test.skip(", "it.skip(", "todo: true"]
            .iter()
            .any(|skip| line.contains(skip))
        {
            faults.push(format!("{path}:{at}: is left out without a reason"));
        }
    }
    faults
}

/// A test of Rust's that is ignored has its reason in the attribute.
fn in_rust(path: &str, text: &str) -> Vec<String> {
    let bare = concat!("#[ign", "ore]");
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| line.trim() == bare)
        .map(|(at, _)| format!("{path}:{}: is left out without a reason", at + 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, want: &[&str]) {
        assert_eq!(in_script(path, text), want);
    }

    #[test]
    fn a_test_file_runs_and_has_tests() {
        let good = "import { test } from \"node:test\";\ntest(\"a\", () => {});\n";
        check("pkg/test/a.test.mjs", good, &[]);
        check(
            "pkg/test/a.test.mjs",
            "export {};\n",
            &["pkg/test/a.test.mjs: has no test"],
        );
        check(
            "tools/a.test.mjs",
            good,
            &["tools/a.test.mjs: no suite runs the tests of its folder"],
        );
    }

    #[test]
    fn tests_that_are_left_out_have_a_reason() {
        let head = "import { test } from \"node:test\";\n";
        let only = format!("{head}test.{}(\"a\", () => {{}});\n", "only");
        let all_others = "pkg/test/a.test.mjs:2: all other tests of the file are left out";
        check(
            "pkg/test/a.test.mjs",
            &only,
            &["pkg/test/a.test.mjs: has no test", all_others],
        );
        let skipped = format!("{head}test(\"a\", {{ {}: true }}, () => {{}});\n", "skip");
        check(
            "pkg/test/a.test.mjs",
            &skipped,
            &["pkg/test/a.test.mjs:2: is left out without a reason"],
        );
        let why =
            format!("{head}test(\"a\", {{ skip: isOld && \"needs Node 22\" }}, () => {{}});\n");
        check("pkg/test/a.test.mjs", &why, &[]);
        let rust = concat!("#[test]\n#[ign", "ore]\nfn a() {}\n");
        assert_eq!(
            in_rust("a.rs", rust),
            ["a.rs:2: is left out without a reason"]
        );
        assert!(in_rust("a.rs", "#[ignore = \"needs valgrind\"]\n").is_empty());
    }
}
