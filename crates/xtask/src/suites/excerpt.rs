//! The lines of a runner's output that say why it failed. The sum repeats them: a whole run prints thousands of lines, and
//! whoever reads one begins at its end.

use std::collections::BTreeSet;

/// More lines than this of one suite are not repeated.
const MAX_LINES: usize = 60;
/// Lines of one failed test of libtest, of an error of the compiler, or before a program ended early.
const MAX_OF_ONE: usize = 12;
/// A program that has no memory, or no stack, says from where it was called; the first calls are those of the standard library.
const MAX_OF_CRASH: usize = 36;

/// Finds in `text`, the output of a suite, the lines about failed tests and programs that ended early; where there are none,
/// its errors, else its last lines.
pub fn of_failure(text: &str) -> String {
    let lines: Vec<_> = text.lines().collect();
    let mut kept = around(&lines, of_tests);
    if kept.is_empty() {
        kept = around(&lines, of_errors);
    }
    if kept.is_empty() {
        kept.extend(lines.len().saturating_sub(MAX_OF_ONE)..lines.len());
    }
    let n_more = kept.len().saturating_sub(MAX_LINES);
    let shown = kept.iter().take(MAX_LINES);
    let mut excerpt: Vec<_> = shown.filter_map(|&n| lines.get(n).copied()).collect();
    let more = format!("… {n_more} more lines: see above");
    if n_more > 0 {
        excerpt.push(&more);
    }
    excerpt.join("\n")
}

/// Which lines around one tell of a failure.
enum Around {
    Following(usize),
    AllFollowing,
    Before,
}

/// The numbers of lines around those that `tells` knows, each once.
fn around(lines: &[&str], tells: impl Fn(&str) -> Option<Around>) -> BTreeSet<usize> {
    let mut kept = BTreeSet::new();
    for (n, line) in lines.iter().enumerate() {
        let (from, to) = match tells(line.trim()) {
            None => continue,
            Some(Around::Following(n_lines)) => (n, n + n_lines),
            Some(Around::AllFollowing) => (n, lines.len()),
            Some(Around::Before) => ((n + 1).saturating_sub(MAX_OF_ONE), n + 1),
        };
        kept.extend(from..to.min(lines.len()));
    }
    kept
}

/// Failed tests of libtest, programs that ended early, failed tests of Node.
fn of_tests(line: &str) -> Option<Around> {
    if line.starts_with("---- ") && line.ends_with(" stdout ----") {
        return Some(Around::Following(MAX_OF_ONE));
    }
    if line.starts_with("memory allocation of ") || line.starts_with("fatal runtime error") {
        return Some(Around::Following(MAX_OF_CRASH));
    }
    if line.starts_with("process didn't exit successfully") {
        return Some(Around::Before);
    }
    line.ends_with("failing tests:")
        .then_some(Around::AllFollowing)
}

/// Errors of the compiler, of gates and of steps.
fn of_errors(line: &str) -> Option<Around> {
    let is_error = line.starts_with("error");
    is_error.then_some(Around::Following(MAX_OF_ONE))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, want: Expect) {
        want.assert_eq(&of_failure(text));
    }

    #[test]
    fn a_failed_test_of_libtest() {
        let text = "running 2 tests\ntest a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\n\
            thread 'b' panicked at src/lib.rs:3:1:\nleft: 1\n\nfailures:\n    b\n\n\
            test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n\n\
            error: test failed, to rerun pass `-p c --lib`\n";
        check(
            text,
            expect![[r#"
                ---- b stdout ----
                thread 'b' panicked at src/lib.rs:3:1:
                left: 1

                failures:
                    b

                test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out

                error: test failed, to rerun pass `-p c --lib`"#]],
        );
    }

    #[test]
    fn a_program_that_ended_early_with_what_it_said_before() {
        let before: String = (0..40).map(|n| format!("test t{n} ... ok\n")).collect();
        let text = format!(
            "{before}fatal runtime error: stack overflow\nerror: test failed, to rerun pass `-p c --test d`\n\n\
            Caused by:\n  process didn't exit successfully: `d-1` (signal: 6, SIGABRT: process abort signal)\n\
            \nrunning 1 test\ntest e ... ok\n\n\
            test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"
        );
        check(
            &text,
            expect![[r#"
                test t33 ... ok
                test t34 ... ok
                test t35 ... ok
                test t36 ... ok
                test t37 ... ok
                test t38 ... ok
                test t39 ... ok
                fatal runtime error: stack overflow
                error: test failed, to rerun pass `-p c --test d`

                Caused by:
                  process didn't exit successfully: `d-1` (signal: 6, SIGABRT: process abort signal)

                running 1 test
                test e ... ok

                test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"#]],
        );
    }

    #[test]
    fn failed_tests_of_node() {
        let text = "✔ a (1 ms)\n✖ b (2 ms)\nℹ tests 2\n\n✖ failing tests:\n\ntest at pkg/test/a.test.mjs:3:1\n✖ b (2 ms)\n  AssertionError";
        check(
            text,
            expect![[r#"
            ✖ failing tests:

            test at pkg/test/a.test.mjs:3:1
            ✖ b (2 ms)
              AssertionError"#]],
        );
    }

    #[test]
    fn otherwise_the_last_lines_and_never_too_many() {
        let text: String = (0..30).map(|n| format!("{n}\n")).collect();
        check(
            &text,
            expect![[r#"
            18
            19
            20
            21
            22
            23
            24
            25
            26
            27
            28
            29"#]],
        );
        let errors: String = (0..500).map(|n| format!("error[E0308]: {n}\n")).collect();
        assert_eq!(of_failure(&errors).lines().count(), MAX_LINES + 1);
    }
}
