//! How each runner is called, and its arguments.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::again;
use crate::build::native::{Speed, program};
use crate::paths::{self, TEST_FOLDERS};
use crate::setup::Toolbox;
use crate::shell::{CERTIFICATES, Call, Heard, Result};

/// With what plain `cargo test` leaves out because it takes minutes to compile: tract, the index for large sets, the native program.
pub fn native(toolbox: &Toolbox, filter: Option<&str>) -> Result<Heard> {
    let call = toolbox
        .call("cargo")
        .args(["test", "--workspace", "--no-fail-fast", "--features"])
        .arg("portolan-embed/onnx,portolan-search/hnsw,portolan/program");
    call.args(filter).listen()
}

pub fn structure(toolbox: &Toolbox, filter: Option<&str>) -> Result<Heard> {
    toolbox
        .call("cargo")
        .args(["test", "--package", "xtask"])
        .args(filter)
        .listen()
}

/// The bindings and the crate for pages in Chromium, then the example page of the latter.
pub fn wasm(toolbox: &Toolbox, filter: Option<&str>) -> Result<Heard> {
    let bindings = in_chromium(toolbox, "crates/wasm", &[], filter)?;
    let page = in_chromium(toolbox, "crates/browser", &["--test", "page"], filter)?;
    rust_page(toolbox)?;
    let example = node_test(toolbox, "node", &["tests/rust-page"], filter)?;
    Ok(Heard {
        ok: bindings.ok && page.ok && example.ok,
        text: bindings.text + &page.text + &example.text,
    })
}

/// Runs the tests of a crate in headless Chromium; `targets` are cargo's arguments.
fn in_chromium(
    toolbox: &Toolbox,
    folder: &str,
    targets: &[&str],
    filter: Option<&str>,
) -> Result<Heard> {
    let driver = toolbox
        .var("PORTOLAN_CHROMEDRIVER")
        .unwrap_or("chromedriver")
        .to_owned();
    webdriver(toolbox, folder)?;
    let call = toolbox
        .call_for_wasm("wasm-pack")
        .args(["test", "--headless", "--chrome", "--chromedriver", &driver])
        .args(["--mode", "no-install", folder]);
    // wasm-pack hands everything behind the folder to cargo, a `--` included.
    let call = call.args(targets);
    match filter {
        Some(filter) => call.args(["--", filter]).listen(),
        None => call.listen(),
    }
}

/// Builds the example page of crates/browser, as its README says, in `target/rust-page`.
fn rust_page(toolbox: &Toolbox) -> Result<()> {
    let root = paths::root();
    let (sources, out) = (
        root.join("crates/browser/examples/page"),
        root.join("target/rust-page"),
    );
    let wasm = "wasm32-unknown-unknown";
    toolbox
        .call_for_wasm("cargo")
        .args(["build", "--locked", "--target", wasm])
        .args(["--package", "portolan-browser", "--example", "page"])
        .run_quietly()?;
    toolbox
        .call("wasm-bindgen")
        .args(["--target", "web", "--out-dir"])
        .arg(&out)
        .arg(
            paths::target_dir(&root)
                .join(wasm)
                .join("debug/examples/page.wasm"),
        )
        .run_quietly()?;
    for file in ["index.html", "worker.js"] {
        paths::copy(&sources.join(file), &out.join(file))?;
    }
    Ok(())
}

/// Tells wasm-bindgen's runner which browser to start, and to keep it from calling out.
fn webdriver(toolbox: &Toolbox, folder: &str) -> Result<()> {
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
        &paths::root().join(folder).join("webdriver.json"),
        options.to_string(),
    )
}

/// The package by its test files; the page's parts by their own script, which knows how to load them.
pub fn node(toolbox: &Toolbox, filter: Option<&str>) -> Result<Heard> {
    // `pkg/test/native.test.mjs` compares its indexes with those of WebAssembly.
    program(toolbox, Speed::Dev)?;
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

pub fn node_test(
    toolbox: &Toolbox,
    node: &str,
    folders: &[&str],
    filter: Option<&str>,
) -> Result<Heard> {
    if let Some(unknown) = folders.iter().find(|folder| !TEST_FOLDERS.contains(folder)) {
        return Err(format!("{unknown} is not among the folders with tests"));
    }
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
            .arg(format!("--test-timeout={}", LIMIT.as_millis()))
            .env("PORTOLAN_ROOT", &root);
        // Thousands of processes of Node start, and each would read the machine's certificates for a registry that it never asks.
        let call = match folders.iter().any(|folder| ASK_REGISTRIES.contains(folder)) {
            true => call,
            false => call.env(CERTIFICATES, ""),
        };
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
        let part = run(files.clone(), at_once)?;
        let part = again::on_ci(part, &files, |failed| run(failed, 1))?;
        heard.ok &= part.ok;
        heard.text += &part.text;
    }
    Ok(heard)
}

/// The folders whose tests install packages, or fetch the one that the page is shown with.
const ASK_REGISTRIES: [&str; 4] = [
    "tests/browser",
    "tests/packaging",
    "tests/matrix",
    "tests/contract",
];

/// Tests of how long the page's thread is busy have the machine to themselves: a shared core does half as much in its
/// CPU time.
fn runs_alone(file: &Path) -> bool {
    file.to_string_lossy().ends_with(".alone.test.mjs")
}

/// A test, or a file of tests, that takes longer than this has come to a stop: it fails, and the others go on.
const LIMIT: Duration = Duration::from_secs(20 * 60);

/// Returns the number of test files that run at a time. Each has its own folders, ports and browser, and waits often:
/// for a process to start, a page to paint, a pause to pass. They measure CPU time, or the order of events.
fn files_at_once() -> usize {
    std::thread::available_parallelism().map_or(2, |n| n.get().clamp(2, 4))
}

fn is_test(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    [".test.mjs", ".test.js", ".test.ts"]
        .iter()
        .any(|end| name.ends_with(end))
        || name == "run.mjs"
}

pub fn node22(toolbox: &Toolbox) -> String {
    toolbox.var("PORTOLAN_NODE22").unwrap_or("node").to_owned()
}
