//! A second try for test files of Node that failed on a shared machine: tests of a browser have time limits, and another
//! program's work can push them past one. Nothing is tried again for a person, who wants to see the failure.

use std::path::{Path, PathBuf};

use super::counts::Counts;
use super::excerpt;
use crate::shell::{Heard, Result, say};

/// More failed files than this are a fault, not a coincidence.
const MAX_FILES: usize = 5;

/// Runs the files of `heard` that failed once more through `run`, where CI does that, and returns what counts: the first
/// run, its failures replaced by those of the second.
pub fn on_ci(
    heard: Heard,
    files: &[PathBuf],
    run: impl FnOnce(Vec<PathBuf>) -> Result<Heard>,
) -> Result<Heard> {
    if heard.ok || std::env::var_os("CI").is_none() {
        return Ok(heard);
    }
    let failed = failed(&heard.text, files);
    if failed.is_empty() || failed.len() > MAX_FILES {
        return Ok(heard);
    }
    let names: Vec<_> = failed.iter().map(|file| name(file)).collect();
    say(&format!(
        "  – failed, tried once more: {}",
        names.join(", ")
    ));
    let second = run(failed)?;
    if second.ok {
        say("  – passed at the second try: see above for what it was");
    }
    Ok(joined(&heard, &second))
}

/// The files among `files` that a report of Node's runner places failed tests in: `test at tests/a.test.mjs:12:1`. None if
/// a test is placed elsewhere: running these files again would not tell about it.
fn failed(text: &str, files: &[PathBuf]) -> Vec<PathBuf> {
    let mut failed = Vec::new();
    let places = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("test at "));
    for place in places {
        let path = place.rsplitn(3, ':').nth(2).unwrap_or(place);
        match files.iter().find(|file| file.ends_with(path)) {
            Some(file) if failed.contains(file) => {}
            Some(file) => failed.push(file.clone()),
            None => return Vec::new(),
        }
    }
    failed
}

fn name(file: &Path) -> String {
    file.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn joined(first: &Heard, second: &Heard) -> Heard {
    let (before, after) = (Counts::read(&first.text), Counts::read(&second.text));
    let is_mended = second.ok && after.passed > 0;
    let failed = if is_mended { 0 } else { after.failed.max(1) };
    let mut text = format!(
        "ℹ pass {}\nℹ fail {failed}\nℹ skipped {}\n",
        (before.passed + before.failed).saturating_sub(failed),
        before.skipped
    );
    if !is_mended {
        // Without its own counts.
        let told = excerpt::of_failure(&second.text);
        let told = told.lines().filter(|line| !line.starts_with("ℹ "));
        text.extend(told.flat_map(|line| [line, "\n"]));
    }
    Heard {
        ok: is_mended,
        text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str =
        "✖ failing tests:\n\ntest at tests/browser/smooth.alone.test.mjs:13:1\n✖ no task …\n";

    #[test]
    fn the_file_of_a_failed_test_is_found_by_its_place() {
        let files = [
            "/p/tests/browser/smooth.alone.test.mjs",
            "/p/tests/browser/h.alone.test.mjs",
        ]
        .map(PathBuf::from);
        assert_eq!(failed(REPORT, &files), files[..1]);
        assert!(failed("ℹ pass 3", &files).is_empty());
        let of_a_helper = format!("{REPORT}test at tests/browser/harness.mjs:2:1\n");
        assert!(failed(&of_a_helper, &files).is_empty());
    }

    #[test]
    fn failures_of_the_second_run_replace_those_of_the_first() {
        let first = Heard {
            ok: false,
            text: "ℹ pass 8\nℹ fail 2\nℹ skipped 1\n".to_owned(),
        };
        let heard = |ok, text: &str| Heard {
            ok,
            text: text.to_owned(),
        };
        let sum = |second: Heard| Counts::read(&joined(&first, &second).text).to_string();
        assert_eq!(
            sum(heard(true, "ℹ pass 4\n")),
            "10 passed, 0 failed, 1 skipped"
        );
        assert_eq!(
            sum(heard(false, "ℹ pass 3\nℹ fail 1\n")),
            "9 passed, 1 failed, 1 skipped"
        );
        assert_eq!(sum(heard(false, "")), "9 passed, 1 failed, 1 skipped");
    }
}
