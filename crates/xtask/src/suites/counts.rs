//! How many tests passed, from what test runners print.

use std::fmt;
use std::ops::AddAssign;

/// Numbers of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Ran and were right.
    pub passed: u64,
    /// Ran and were wrong, or could not run.
    pub failed: u64,
    /// Were left out by name: ignored, skipped, to be done.
    pub skipped: u64,
}

impl Counts {
    /// All tests that `text` speaks of. Understood are the closing lines of libtest and wasm-bindgen-test
    /// (`test result: ok. 3 passed; 0 failed; 1 ignored; …`) and of Node's runner (`ℹ pass 3`, `# pass 3`).
    pub fn read(text: &str) -> Self {
        let mut counts = Self::default();
        for line in text.lines().map(plain) {
            let line = line.trim();
            if let Some((_, rest)) = line.split_once("test result: ") {
                counts += libtest(rest);
            } else if let Some(rest) = line.strip_prefix("ℹ ").or_else(|| line.strip_prefix("# "))
            {
                counts += node(rest);
            }
        }
        counts
    }

    /// How many tests ran. One that is left out proves nothing.
    pub fn ran(self) -> u64 {
        self.passed + self.failed
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(f, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

/// `ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out`
fn libtest(rest: &str) -> Counts {
    let number = |what: &str| {
        let part = rest
            .split(['.', ';'])
            .find_map(|part| part.trim().strip_suffix(what))?;
        part.trim().parse().ok()
    };
    Counts {
        passed: number("passed").unwrap_or(0),
        failed: number("failed").unwrap_or(0),
        skipped: number("ignored").unwrap_or(0),
    }
}

/// `pass 3`; Node counts what was cancelled apart from what failed.
fn node(rest: &str) -> Counts {
    let mut counts = Counts::default();
    let mut words = rest.split_whitespace();
    let (Some(what), Some(Ok(n)), None) =
        (words.next(), words.next().map(str::parse), words.next())
    else {
        return counts;
    };
    match what {
        "pass" => counts.passed = n,
        "fail" | "cancelled" => counts.failed = n,
        "skipped" | "todo" => counts.skipped = n,
        _ => {}
    }
    counts
}

/// A line without the codes that colour it.
fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            // Up to the letter that ends the code.
            chars.by_ref().find(char::is_ascii_alphabetic);
        } else {
            plain.push(c);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, want: Expect) {
        want.assert_eq(&Counts::read(text).to_string());
    }

    #[test]
    fn cargo_with_several_binaries() {
        let text = "running 2 tests\ntest a ... ok\n\
            test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: FAILED. 5 passed; 1 failed; 3 ignored; 0 measured; 7 filtered out; finished in 1.20s\n";
        check(text, expect!["7 passed, 1 failed, 3 skipped"]);
    }

    #[test]
    fn wasm_bindgen_test() {
        check(
            "test result: ok. 4 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.01s",
            expect!["4 passed, 0 failed"],
        );
    }

    #[test]
    fn node_in_both_of_its_styles() {
        let spec = "ℹ tests 5\nℹ suites 0\nℹ pass 3\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 12.1";
        check(spec, expect!["3 passed, 2 failed"]);
        check(
            "# tests 4\n# pass 3\n# fail 0\n# skipped 1\n# todo 0",
            expect!["3 passed, 0 failed, 1 skipped"],
        );
    }

    #[test]
    fn colours_and_other_lines() {
        check(
            "\u{1b}[34mℹ pass 2\u{1b}[39m\n# pass the salt please\nℹ 3 files\n",
            expect!["2 passed, 0 failed"],
        );
    }
}
