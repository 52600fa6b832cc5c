//! ripwire from its sources, since no registry carries it: the last commit of a clone, built as its manual says for use.
//!
//! A clone may lack the parsers that tree-sitter generated (tens of megabytes each); they come from the crates of the same grammars.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::peer::{self, PEERS};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Call, Result, which};

/// The program, below the folder that it is built in.
pub const PROGRAM: &str = "build/ripwire";

/// Parts of the sources that its program is built of. Its benchmark data is not among them.
const PARTS: [&str; 5] = ["CMakeLists.txt", "cmake", "queries", "src", "third_party"];

/// Grammars whose parsers a clone may lack: folder, crate, version.
const GRAMMARS: [(&str, &str, &str); 9] = [
    ("bash", "tree-sitter-bash", "=0.23.3"),
    ("cpp", "tree-sitter-cpp", "=0.23.4"),
    ("csharp", "tree-sitter-c-sharp", "=0.23.5"),
    ("cuda", "tree-sitter-cuda", "=0.21.2"),
    ("objc", "tree-sitter-objc", "=3.0.2"),
    ("ruby", "tree-sitter-ruby", "=0.23.1"),
    ("rust", "tree-sitter-rust", "=0.23.2"),
    ("swift", "tree-sitter-swift", "=0.7.0"),
    ("ts_typescript", "tree-sitter-typescript", "=0.23.2"),
];

/// Builds it below `home`. `clone` is a repository of it, bare or not.
pub fn build(clone: Option<&str>, home: &Path) -> Result<()> {
    let clone = clone.ok_or(
        "its sources are needed: git clone https://github.com/redhat-et/ripwire, then --ripwire DIR",
    )?;
    for program in ["cmake", "clang++-19", "ninja"] {
        if which(program).is_none() {
            return Err(format!(
                "it needs {program}: apt-get install cmake ninja-build clang-19 lld-19 llvm-19 libc++-19-dev libc++abi-19-dev"
            ));
        }
    }
    let missing = export(Path::new(clone), home)?;
    if !missing.is_empty() {
        let vendored = vendor(home)?;
        for path in missing {
            fill(home, &vendored, &path)?;
        }
    }
    // Its Release build links everything at once (LTO); that asks for LLVM's own linker and archiver.
    let build = home.join("build");
    Call::new("cmake")
        .args(["-G", "Ninja", "-S"])
        .arg(home)
        .arg("-B")
        .arg(&build)
        .args([
            "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_C_COMPILER=clang-19",
            "-DCMAKE_CXX_COMPILER=clang++-19",
            "-DCMAKE_CXX_FLAGS=-stdlib=libc++",
            "-DCMAKE_EXE_LINKER_FLAGS=-stdlib=libc++ -fuse-ld=lld-19",
        ])
        .run_quietly()?;
    Call::new("cmake")
        .arg("--build")
        .arg(&build)
        .args(["--target", "ripwire"])
        .run_quietly()
}

/// How it is asked, so that others can repeat it.
const ASKED: &str = "\
Issues as in `bench locate` (strict: all right files among the first k), asked as its own benchmark does: `--for=TEXT --format=candidates`; functions by\n\
file and last name. Call edges as in `bench graph`: every function of the files that the truth covers is asked for its callees\n\
(`--callees=FILE:NAME`), scored by `graph/score.py` of `--truth` (lenient, product code is *nontest*). The script: `tests/benches/ripwire.mjs`.\n";

/// Its answers to the questions of `[truth, data, clones]`: issues of `truth`/localise, edges of `data`/graph/NAME.
pub fn score(toolbox: &Toolbox, clone: Option<&str>, folders: [&str; 3]) -> Result<String> {
    let known = PEERS.iter().find(|peer| peer.name == "ripwire");
    let program = peer::install(toolbox, known.ok_or("it is no peer")?, clone)?;
    let script = paths::root().join("tests/benches/ripwire.mjs");
    let call = toolbox.call("node").arg(script).arg(program).args(folders);
    Ok(format!("{}\n\n{ASKED}\n", call.read()?.trim_end()))
}

/// Writes the files of the last commit; returns the paths whose contents the clone lacks.
fn export(clone: &Path, home: &Path) -> Result<Vec<String>> {
    let listed = Call::new("git")
        .arg("-C")
        .arg(clone)
        .args(["ls-tree", "-r", "HEAD", "--"])
        .args(PARTS)
        .read()?;
    let failed = |error: std::io::Error| format!("git cat-file: {error}");
    let mut git = Command::new("git")
        .arg("-C")
        .arg(clone)
        .args(["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let (Some(mut asked), Some(answers)) = (git.stdin.take(), git.stdout.take()) else {
        return Err("git cat-file has no pipes".to_owned());
    };
    let mut answers = BufReader::new(answers);
    let mut missing = Vec::new();
    for line in listed.lines() {
        let Some((about, path)) = line.split_once('\t') else {
            continue;
        };
        let object = about.rsplit(' ').next().unwrap_or_default();
        writeln!(asked, "{object}").map_err(failed)?;
        let mut head = String::new();
        answers.read_line(&mut head).map_err(failed)?;
        let size = head.trim_end().rsplit(' ').next().unwrap_or_default();
        let Ok(size) = size.parse::<usize>() else {
            missing.push(path.to_owned());
            continue;
        };
        let mut bytes = vec![0; size + 1];
        answers.read_exact(&mut bytes).map_err(failed)?;
        bytes.pop();
        let file = home.join(path);
        paths::make_dir(file.parent().unwrap_or(home))?;
        paths::write(&file, bytes)?;
    }
    drop(asked);
    git.wait().map_err(failed)?;
    Ok(missing)
}

/// Fetches the crates of the grammars; returns their folder.
fn vendor(home: &Path) -> Result<PathBuf> {
    let project = home.join("grammars");
    paths::make_dir(&project.join("src"))?;
    paths::write(&project.join("src/lib.rs"), "")?;
    let mut manifest = String::from(
        "[package]\nname = \"grammars\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n[dependencies]\n",
    );
    for (_, name, version) in GRAMMARS {
        manifest.push_str(&format!("{name} = \"{version}\"\n"));
    }
    paths::write(&project.join("Cargo.toml"), manifest)?;
    Call::new("cargo")
        .args(["vendor", "--quiet", "crates"])
        .dir(&project)
        .run_quietly()?;
    Ok(project.join("crates"))
}

/// Puts `third_party/deps/NAME/…/parser.c` in from the crate of that grammar, with the scanner that belongs to it.
fn fill(home: &Path, vendored: &Path, path: &str) -> Result<()> {
    let inner = path.strip_prefix("third_party/deps/").unwrap_or(path);
    let (name, rest) = inner.split_once('/').unwrap_or((inner, ""));
    let known = GRAMMARS.iter().find(|(folder, ..)| *folder == name);
    let (_, grammar, _) = known.ok_or_else(|| format!("the clone lacks {path}"))?;
    let (from, to) = (vendored.join(grammar).join(rest), home.join(path));
    let scanner = from.with_file_name("scanner.c");
    if scanner.is_file() {
        paths::copy(&scanner, &to.with_file_name("scanner.c"))?;
    }
    paths::copy(&from, &to)
}
