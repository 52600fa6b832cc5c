//! The npm package, the page, and the index of our own sources that the page shows first.

use std::path::Path;
use std::time::Instant;

use super::Form;
use crate::digest::Digest;
use crate::notices;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Call, Result, say};

/// Folders whose contents are made, not written.
const MADE: [&str; 6] = ["node_modules", "dist", "model", "site", "edge", ".records"];

/// Builds `pkg/dist`, and what the package's own script lays beside it. For a first look types are not checked, and glue
/// that is not there yet has something in its place.
pub fn package(toolbox: &Toolbox, form: Form) -> Result<()> {
    let root = paths::root();
    if form == Form::Look {
        put_in_place_of_missing(&root)?;
    }
    let inputs = start(&root, form)?;
    let inputs = folder(inputs, &root, "pkg", &MADE);
    let inputs = folder(inputs, &root, "crates/embed/model", &[]);
    let inputs = folder(inputs, &root, "crates/edge/worker", &[".records"]);
    unless_fresh("pkg", &root.join("pkg/dist"), inputs, || match form {
        Form::Look => run_all(toolbox, "pkg", &QUICK_PACKAGE),
        Form::Released | Form::Dev | Form::Tested => {
            npm_build(toolbox, "pkg")?;
            notices::write_into(&root, &root.join("pkg"))
        }
    })
}

/// Builds `www/dist`.
pub fn page(toolbox: &Toolbox, form: Form) -> Result<()> {
    let root = paths::root();
    let inputs = start(&root, form)?;
    let inputs = folder(inputs, &root, "www", &MADE);
    let inputs = folder(inputs, &root, "pkg", &["node_modules", "site", ".records"]);
    unless_fresh("www", &root.join("www/dist"), inputs, || match form {
        Form::Look => run_all(toolbox, "www", &QUICK_PAGE),
        Form::Released | Form::Dev | Form::Tested => npm_build(toolbox, "www"),
    })
}

/// The steps of `npm run build` that write files.
const QUICK_PACKAGE: [&[&str]; 4] = [
    &["node", "tools/clean.mjs"],
    &["tsc", "-p", "tsconfig.json", "--noCheck"],
    &["node", "tools/bundle.mjs"],
    &["node", "tools/copy-model.mjs"],
];
const QUICK_PAGE: [&[&str]; 1] = [&["vite", "build"]];

fn run_all(toolbox: &Toolbox, folder: &str, steps: &[&[&str]]) -> Result<()> {
    for step in steps {
        let (program, args) = step.split_first().ok_or("a step without a program")?;
        toolbox
            .call(program)
            .args(args)
            .dir(paths::root().join(folder))
            .run_quietly()?;
    }
    Ok(())
}

fn start(root: &Path, form: Form) -> Result<Digest> {
    let lock = paths::read_bytes(&root.join("package-lock.json"))?;
    let checked: &[u8] = match form {
        Form::Look => b"unchecked",
        Form::Released | Form::Dev | Form::Tested => b"checked",
    };
    Ok(Digest::default().part("lock", &lock).part("types", checked))
}

/// Artifacts whose glue is loaded only with them, so that the page works without.
const LATER: [&str; 1] = ["onnx"];

/// Writes a module where the glue of an artifact is missing, so that bundlers find one.
fn put_in_place_of_missing(root: &Path) -> Result<()> {
    let wasm = root.join("pkg/wasm");
    for name in LATER {
        if wasm.join(format!("{name}_bg.wasm")).is_file() {
            continue;
        }
        let text = format!(
            "// In place of the glue of {name}.wasm, until that is made.\nexport function initSync() {{\n  throw new Error(\"{name}.wasm was made after this page was opened: reload the page\");\n}}\n"
        );
        paths::write(&wasm.join(format!("{name}.js")), text)?;
    }
    Ok(())
}

/// Indexes the sources of this repository with the package's own command line, for the page to open at once.
pub fn sample(toolbox: &Toolbox) -> Result<()> {
    let root = paths::root();
    let out = root.join("www/public/sample/portolan.index");
    let sources = own_sources(&root)?;
    let start = sources
        .iter()
        .fold(Digest::default(), |digest, path| digest.file(&root, path));
    let inputs = folder(
        folder(start, &root, "pkg/dist", &[]),
        &root,
        "pkg/wasm",
        &[".records"],
    );
    unless_fresh("sample", &out, inputs, || {
        paths::make_dir(out.parent().unwrap_or(&root))?;
        toolbox
            .call("node")
            .args(["pkg/bin/portolan.js", "index", ".", "-o"])
            .arg(&out)
            .run_quietly()
    })
}

/// Every file that git knows or would add.
fn own_sources(root: &Path) -> Result<Vec<String>> {
    let list = Call::new("git")
        .args(["ls-files", "-co", "--exclude-standard"])
        .dir(root)
        .read();
    // An unpacked archive of the sources has no git.
    let Ok(list) = list else {
        return Ok(vec!["Cargo.lock".to_owned()]);
    };
    Ok(list.lines().map(str::to_owned).collect())
}

fn npm_build(toolbox: &Toolbox, folder: &str) -> Result<()> {
    toolbox
        .call("npm")
        .args(["run", "build"])
        .dir(paths::root().join(folder))
        .run_quietly()
}

fn folder(digest: Digest, root: &Path, folder: &str, skip: &[&str]) -> Digest {
    paths::files_under(&root.join(folder), skip)
        .iter()
        .filter(|path| !notices::is_made(path))
        .fold(digest, |digest, path| {
            let relative = path.strip_prefix(root).unwrap_or(path);
            digest.file(root, &relative.to_string_lossy())
        })
}

/// Runs `make` unless `made` is there and the stamp of the last time names the same inputs.
fn unless_fresh(
    name: &str,
    made: &Path,
    inputs: Digest,
    make: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let digest = inputs.finish();
    let stamp = paths::root()
        .join("target/xtask")
        .join(format!("{name}.stamp"));
    if made.exists() && std::fs::read_to_string(&stamp).is_ok_and(|found| found == digest) {
        say(&format!("  ✓ {name} is up to date"));
        return Ok(());
    }
    let start = Instant::now();
    make()?;
    say(&format!(
        "  ✓ {name} built ({:.1} s)",
        start.elapsed().as_secs_f64()
    ));
    paths::write(&stamp, digest)
}
