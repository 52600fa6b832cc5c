//! Every test there is, suite by suite, with one sum at the end.

mod again;
mod counts;
mod excerpt;
mod runs;

use std::time::{Duration, Instant};

use counts::Counts;
pub use runs::node22;
use runs::{native, node, node_test, structure, wasm};

use crate::bare;
use crate::build;
use crate::gates;
use crate::setup::{self, Need, Toolbox};
use crate::shell::{Heard, Result, say};

/// One way of running tests.
struct Suite {
    name: &'static str,
    about: &'static str,
    needs: &'static [Need],
    /// Targets to build first, in the words of `cargo xtask build`.
    builds: &'static [&'static str],
    run: fn(&Toolbox, Option<&str>) -> Result<Heard>,
    /// Runs only if it is asked for by name: another suite runs these tests, too, or they are no part of handing in.
    by_name_only: bool,
}

/// Suites that show once more what others have shown, with other programs or on another system. Where time is short they
/// are left out.
const REPEATING: [&str; 2] = ["matrix", "bare"];

const JS: &[Need] = &[Need::Npm, Need::Grammars, Need::Wasm, Need::WasmPack];
const JS_NODE22: &[Need] = &[
    Need::Npm,
    Need::Node22,
    Need::Grammars,
    Need::Wasm,
    Need::WasmPack,
];

/// All of the package, without the page.
const PACKAGE: &[&str] = &[
    "grammars",
    "engine",
    "engine-node",
    "onnx",
    "reader",
    "seal",
    "history",
    "hnsw",
    "edge",
    "pkg",
];

const JS_CONTRACT: &[Need] = &[
    Need::Npm,
    Need::Node22,
    Need::Grammars,
    Need::Wasm,
    Need::WasmPack,
    Need::Contract,
];
const JS_BROWSER: &[Need] = &[
    Need::Npm,
    Need::Node22,
    Need::Browser,
    Need::Grammars,
    Need::Wasm,
    Need::WasmPack,
];

const GATES: &[Need] = &[Need::Native, Need::Npm, Need::Wasm];

const SUITES: [Suite; 12] = [
    Suite {
        name: "gates",
        about: "formats, lints, licences, dependencies: what a reviewer asks",
        needs: GATES,
        builds: &[],
        run: gates::run,
        by_name_only: false,
    },
    Suite {
        name: "native",
        about: "cargo test over the whole workspace",
        needs: &[Need::Native],
        builds: &[],
        run: native,
        by_name_only: false,
    },
    Suite {
        name: "structure",
        about: "who depends on whom, and how files are kept (part of native)",
        needs: &[Need::Native],
        builds: &[],
        run: structure,
        by_name_only: true,
    },
    Suite {
        name: "wasm",
        about: "wasm-bindgen-test in headless Chromium, and the example page in Rust",
        needs: &[
            Need::Npm,
            Need::Wasm,
            Need::WasmPack,
            Need::Browser,
            Need::Grammars,
        ],
        builds: &[],
        run: wasm,
        by_name_only: false,
    },
    Suite {
        name: "node",
        about: "the npm package and its command line in Node",
        needs: JS,
        // The page too: every example of the command line's help is run, `portolan build` among them.
        builds: &["all"],
        run: node,
        by_name_only: false,
    },
    Suite {
        name: "worker",
        about: "the Worker in workerd",
        needs: JS_NODE22,
        builds: PACKAGE,
        run: |toolbox, filter| node_test(toolbox, &node22(toolbox), &["tests/worker"], filter),
        by_name_only: false,
    },
    Suite {
        name: "contract",
        about: "every route by a generated client and by schemathesis, Node and workerd; buckets of S3",
        needs: JS_CONTRACT,
        builds: PACKAGE,
        run: |toolbox, filter| node_test(toolbox, &node22(toolbox), &["tests/contract"], filter),
        by_name_only: false,
    },
    Suite {
        name: "page",
        about: "the page in headless Chromium",
        needs: JS_BROWSER,
        builds: &["all"],
        run: |toolbox, filter| node_test(toolbox, "node", &["tests/browser"], filter),
        by_name_only: false,
    },
    Suite {
        name: "hostile",
        about: "attacks, with everything watched that is written or started",
        needs: JS_BROWSER,
        builds: &["all"],
        run: |toolbox, filter| node_test(toolbox, &node22(toolbox), &["tests/hostile"], filter),
        by_name_only: false,
    },
    Suite {
        name: "packaging",
        about: "the packed tarball, installed and run as users do",
        needs: JS_BROWSER,
        builds: &["all"],
        run: |toolbox, filter| node_test(toolbox, &node22(toolbox), &["tests/packaging"], filter),
        by_name_only: false,
    },
    Suite {
        name: "matrix",
        about: "the packed tarball, built by each bundler and run by each runtime",
        needs: JS_BROWSER,
        builds: &["all"],
        run: |toolbox, filter| node_test(toolbox, &node22(toolbox), &["tests/matrix"], filter),
        by_name_only: false,
    },
    Suite {
        name: "bare",
        about: "one thing of each kind on a minimal Debian (without --quick: the README's commands)",
        needs: JS,
        builds: &["all"],
        run: bare::quick,
        by_name_only: false,
    },
];

/// Names of the suites, for the help text.
pub fn names() -> Vec<(&'static str, &'static str)> {
    SUITES
        .iter()
        .map(|suite| (suite.name, suite.about))
        .collect()
}

/// Runs the suites called `wanted` (none: all of them) and says the sum as the last line. Does not begin one of
/// [`REPEATING`] after `limit`. An error means that a test failed or a suite could not run.
pub fn run(wanted: &[String], filter: Option<&str>, limit: Option<Duration>) -> Result<()> {
    let is_wanted = |suite: &&Suite| {
        if wanted.is_empty() {
            !suite.by_name_only
        } else {
            wanted.iter().any(|name| name == suite.name)
        }
    };
    if let Some(unknown) = wanted
        .iter()
        .find(|name| SUITES.iter().all(|suite| suite.name != name.as_str()))
    {
        return Err(format!(
            "there is no suite `{unknown}`; there is {}",
            names_in_a_row()
        ));
    }
    let is_due = |suite: &&Suite| suite.name != "bare" || !wanted.is_empty() || bare::is_due();
    let suites: Vec<_> = SUITES.iter().filter(is_wanted).filter(is_due).collect();
    let (sum, lines) = std::thread::scope(|scope| run_all(&suites, filter, limit, scope));
    say("");
    for line in lines {
        say(&line);
    }
    say("");
    say(&sum.to_string());
    match sum {
        Counts { failed: 1.., .. } => Err(String::new()),
        Counts {
            passed: 0,
            skipped: 1..,
            ..
        } => Err("all of it was skipped: nothing is known".to_owned()),
        Counts { passed: 0, .. } => Err(match filter {
            Some(filter) => format!("no test has `{filter}` in its name"),
            None => "no test ran".to_owned(),
        }),
        _ => Ok(()),
    }
}

/// Runs `suites` one after the other; while the first one runs, prepares the others in a thread of `scope`.
fn run_all<'scope>(
    suites: &'scope [&Suite],
    filter: Option<&str>,
    limit: Option<Duration>,
    scope: &'scope std::thread::Scope<'scope, '_>,
) -> (Counts, Vec<String>) {
    let mut sum = Counts::default();
    let mut lines = Vec::new();
    let begun = Instant::now();
    for (n, suite) in suites.iter().enumerate() {
        let start = Instant::now();
        if REPEATING.contains(&suite.name) && limit.is_some_and(|limit| begun.elapsed() > limit) {
            lines.push(format!(
                "  {:9} left out: the time for it is used up",
                suite.name
            ));
            continue;
        }
        let others = match n {
            0 => suites.get(1..).unwrap_or_default(),
            _ => &[],
        };
        let (counts, trouble) = run_suite(suite, filter, || {
            if !others.is_empty() {
                scope.spawn(|| prepare_ahead(others));
            }
        });
        sum += counts;
        let trouble = trouble
            .map(|why| format!("\n    {}", why.replace('\n', "\n    ")))
            .unwrap_or_default();
        lines.push(format!(
            "  {:9} {counts} ({:.0} s){trouble}",
            suite.name,
            start.elapsed().as_secs_f64()
        ));
    }
    (sum, lines)
}

/// Fetches the tools of `suites` and compiles their artifacts. On a bare machine that is most of the work, and neither
/// it nor the native suite beside it has work for every core all the time. The suite that needs a failed part tries
/// again and reports it.
fn prepare_ahead(suites: &[&Suite]) {
    let needs: Vec<_> = suites
        .iter()
        .flat_map(|suite| suite.needs)
        .copied()
        .collect();
    let builds = suites.iter().flat_map(|suite| suite.builds);
    let builds: Vec<_> = builds.map(|&name| name.to_owned()).collect();
    let Ok(toolbox) = setup::prepare(&needs) else {
        return;
    };
    if !builds.is_empty() {
        let _ = build::artifacts(&toolbox, &builds, build::Form::Tested);
    }
}

fn names_in_a_row() -> String {
    SUITES
        .iter()
        .map(|suite| suite.name)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Prepares and runs one suite. A failure around the tests counts as one failed test and is reported. `meanwhile` is
/// called when its own set-up is done.
fn run_suite(
    suite: &Suite,
    filter: Option<&str>,
    meanwhile: impl FnOnce(),
) -> (Counts, Option<String>) {
    say(&format!("\n── {}: {}", suite.name, suite.about));
    let result = setup::prepare(suite.needs).and_then(|toolbox| {
        meanwhile();
        if !suite.builds.is_empty() {
            let targets: Vec<_> = suite.builds.iter().map(|&name| name.to_owned()).collect();
            build::build(&toolbox, &targets, build::Form::Tested)?;
        }
        (suite.run)(&toolbox, filter)
    });
    match result {
        Ok(heard) => judge(&heard, filter),
        Err(why) => {
            say(&why);
            (
                Counts {
                    failed: 1,
                    ..Counts::default()
                },
                Some(why),
            )
        }
    }
}

/// The numbers of tests, and why some failed. A runner that fails without a failed test, or runs nothing at all, is a
/// failure too.
fn judge(heard: &Heard, filter: Option<&str>) -> (Counts, Option<String>) {
    let mut counts = Counts::read(&heard.text);
    if !heard.ok {
        counts.failed = counts.failed.max(1);
        return (counts, Some(excerpt::of_failure(&heard.text)));
    }
    // With a filter, other suites may have what it means.
    if counts.ran() == 0 && filter.is_none() {
        counts.failed = 1;
        return (counts, Some("no test ran".to_owned()));
    }
    (counts, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ok: bool, text: &str, filter: Option<&str>, want: &str) {
        let text = text.to_owned();
        let (counts, _) = judge(&Heard { ok, text }, filter);
        assert_eq!(counts.to_string(), want);
    }

    #[test]
    fn a_suite_without_a_test_that_ran_fails() {
        check(true, "", None, "0 passed, 1 failed");
        let skipped = "ℹ pass 0\nℹ fail 0\nℹ skipped 3\n";
        check(true, skipped, None, "0 passed, 1 failed, 3 skipped");
        check(true, "", Some("name"), "0 passed, 0 failed");
        check(true, "ℹ pass 2\n", None, "2 passed, 0 failed");
    }

    #[test]
    fn a_runner_that_fails_beside_its_tests_fails() {
        check(false, "ℹ pass 2\n", None, "2 passed, 1 failed");
        check(false, "ℹ pass 2\nℹ fail 1\n", None, "2 passed, 1 failed");
    }

    #[test]
    fn folders_that_are_named_are_there() {
        for folder in crate::paths::TEST_FOLDERS {
            assert!(crate::paths::root().join(folder).is_dir(), "{folder}");
        }
    }
}
