//! Every test there is, suite by suite, with one sum at the end.

mod counts;

use std::path::PathBuf;
use std::time::Instant;

use counts::Counts;

use crate::build;
use crate::paths;
use crate::setup::{self, Need, Toolbox};
use crate::shell::{Call, Heard, Result, say};

/// One way of running tests.
struct Suite {
    name: &'static str,
    about: &'static str,
    needs: &'static [Need],
    /// What is built first, in the words of `cargo xtask build`.
    builds: &'static [&'static str],
    run: fn(&Toolbox, Option<&str>) -> Result<Heard>,
    /// Another suite runs these tests too, so that they count only when they are asked for by name.
    by_name_only: bool,
}

const JS: &[Need] = &[Need::Npm, Need::Grammars, Need::Wasm, Need::WasmPack];
const JS_NODE22: &[Need] = &[
    Need::Npm,
    Need::Node22,
    Need::Grammars,
    Need::Wasm,
    Need::WasmPack,
];
const JS_BROWSER: &[Need] = &[
    Need::Npm,
    Need::Node22,
    Need::Browser,
    Need::Grammars,
    Need::Wasm,
    Need::WasmPack,
];

const SUITES: [Suite; 9] = [
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
        about: "wasm-bindgen-test in headless Chromium",
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
        builds: &[
            "grammars", "engine", "onnx", "reader", "seal", "hnsw", "pkg",
        ],
        run: node,
        by_name_only: false,
    },
    Suite {
        name: "worker",
        about: "the Worker in workerd",
        needs: JS_NODE22,
        builds: &[
            "grammars", "engine", "onnx", "reader", "seal", "hnsw", "edge", "pkg",
        ],
        run: |toolbox, filter| node_test(toolbox, &node22(toolbox), &["tests/worker"], filter),
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
];

/// Names of the suites, for the help text.
pub fn names() -> Vec<(&'static str, &'static str)> {
    SUITES
        .iter()
        .map(|suite| (suite.name, suite.about))
        .collect()
}

/// Runs the suites called `wanted` (none: all of them) and says the sum as the last line. An error means that a test
/// failed or a suite could not run.
pub fn run(wanted: &[String], filter: Option<&str>) -> Result<()> {
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
    let suites: Vec<_> = SUITES.iter().filter(is_wanted).collect();
    let (sum, lines) = std::thread::scope(|scope| run_all(&suites, filter, scope));
    say("");
    for line in lines {
        say(&line);
    }
    say("");
    say(&sum.to_string());
    if sum.failed == 0 {
        Ok(())
    } else {
        Err(String::new())
    }
}

/// Runs `suites` one after the other; while the first one runs, prepares the others in a thread of `scope`.
fn run_all<'scope>(
    suites: &'scope [&Suite],
    filter: Option<&str>,
    scope: &'scope std::thread::Scope<'scope, '_>,
) -> (Counts, Vec<String>) {
    let mut sum = Counts::default();
    let mut lines = Vec::new();
    for (n, suite) in suites.iter().enumerate() {
        let start = Instant::now();
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

/// Fetches the tools of `suites` and compiles their artifacts. On a bare machine that is most of the work, and neither it nor
/// the native suite beside it has work for every core all the time. What fails here is told by the suite that
/// needs it, which tries again.
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

/// Prepares and runs one suite. What goes wrong around the tests counts as one failed test and is told.
/// `meanwhile` is called when its own set-up is done.
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

/// A runner that fails without a failed test, or runs nothing at all, is a failure too.
fn judge(heard: &Heard, filter: Option<&str>) -> (Counts, Option<String>) {
    let mut counts = Counts::read(&heard.text);
    if !heard.ok && counts.failed == 0 {
        counts.failed = 1;
        return (
            counts,
            Some("the runner failed outside of any test, see above".to_owned()),
        );
    }
    if counts.total() == 0 && filter.is_none() {
        counts.failed = 1;
        return (counts, Some("no test ran".to_owned()));
    }
    (counts, None)
}

/// With what plain `cargo test` leaves out because it takes minutes to compile: tract, and the index for large sets.
fn native(toolbox: &Toolbox, filter: Option<&str>) -> Result<Heard> {
    let call = toolbox
        .call("cargo")
        .args(["test", "--workspace", "--no-fail-fast", "--features"])
        .arg("portolan-embed/onnx,portolan-search/hnsw");
    call.args(filter).listen()
}

fn structure(toolbox: &Toolbox, filter: Option<&str>) -> Result<Heard> {
    toolbox
        .call("cargo")
        .args(["test", "--package", "xtask"])
        .args(filter)
        .listen()
}

fn wasm(toolbox: &Toolbox, filter: Option<&str>) -> Result<Heard> {
    let driver = toolbox
        .var("PORTOLAN_CHROMEDRIVER")
        .unwrap_or("chromedriver")
        .to_owned();
    webdriver(toolbox)?;
    let call = toolbox
        .call_for_wasm("wasm-pack")
        .args(["test", "--headless", "--chrome"]);
    let call = call.args([
        "--chromedriver",
        &driver,
        "--mode",
        "no-install",
        "crates/wasm",
    ]);
    // The first `--` ends wasm-pack's arguments, the second cargo's.
    match filter {
        Some(filter) => call.args(["--", "--", filter]).listen(),
        None => call.listen(),
    }
}

/// Tells wasm-bindgen's runner which browser to start, and to keep it from calling out.
fn webdriver(toolbox: &Toolbox) -> Result<()> {
    let chromium = toolbox.var("PORTOLAN_CHROMIUM").unwrap_or("chromium");
    let args = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
    ];
    let options = serde_json::json!({ "goog:chromeOptions": { "binary": chromium, "args": args } });
    paths::write(
        &paths::root().join("crates/wasm/webdriver.json"),
        options.to_string(),
    )
}

/// The package by its test files; the page's parts by their own script, which knows how to load them.
fn node(toolbox: &Toolbox, filter: Option<&str>) -> Result<Heard> {
    let package = node_test(toolbox, "node", &["pkg/test"], filter)?;
    let page = toolbox
        .call("npm")
        .args(["run", "--silent", "test", "--"])
        .args(filter);
    let page = page.dir(paths::root().join("www")).listen()?;
    Ok(Heard {
        ok: package.ok && page.ok,
        text: package.text + &page.text,
    })
}

fn node_test(
    toolbox: &Toolbox,
    node: &str,
    folders: &[&str],
    filter: Option<&str>,
) -> Result<Heard> {
    let root = paths::root();
    let files: Vec<_> = folders
        .iter()
        .flat_map(|folder| paths::files_under(&root.join(folder), &["node_modules", "dist"]))
        .filter(|file| is_test(file))
        .collect();
    if files.is_empty() {
        return Err(format!("no test files in {}", folders.join(" and ")));
    }
    let run = |files: Vec<PathBuf>, at_once: usize| {
        let call: Call = toolbox.call(node).args(["--test", "--test-reporter=spec"]);
        let call = call
            .arg(format!("--test-concurrency={at_once}"))
            .env("PORTOLAN_ROOT", &root);
        let call = call.args(filter.map(|filter| format!("--test-name-pattern={filter}")));
        call.args(files).listen()
    };
    let (alone, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| runs_alone(file));
    let mut heard = Heard {
        ok: true,
        text: String::new(),
    };
    for (files, at_once) in [(others, files_at_once()), (alone, 1)] {
        if files.is_empty() {
            continue;
        }
        let part = run(files, at_once)?;
        heard.ok &= part.ok;
        heard.text += &part.text;
    }
    Ok(heard)
}

/// What measures how long the page's thread is busy has the machine to itself: a core that two share does half as much in its CPU time.
fn runs_alone(file: &std::path::Path) -> bool {
    file.to_string_lossy().ends_with(".alone.test.mjs")
}

/// How many test files run at a time. Each has its folders, ports and browser to itself, and waits often: for a process
/// to start, a page to paint, a pause to pass. What they measure is CPU time, or what was done first.
fn files_at_once() -> usize {
    std::thread::available_parallelism().map_or(2, |n| n.get().clamp(2, 4))
}

fn is_test(file: &std::path::Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    [".test.mjs", ".test.js", ".test.ts"]
        .iter()
        .any(|end| name.ends_with(end))
        || name == "run.mjs"
}

fn node22(toolbox: &Toolbox) -> String {
    toolbox.var("PORTOLAN_NODE22").unwrap_or("node").to_owned()
}
