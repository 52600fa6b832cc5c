//! How package managers call the tools that set-up cannot fetch by itself.

use super::apt;

/// A tool that only the system's package manager can give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tool {
    /// clang, its linker for wasm and its `ar`, of one version. On Debian, of the version that is there in part.
    WasmC(Option<u32>),
    /// A C compiler for this machine.
    NativeC,
    /// A standard library of Rust for wasm32.
    RustForWasm,
    /// Node and npm.
    Node,
    /// Chromium and chromedriver.
    Browser,
    /// git.
    Git,
    /// Python 3 with its virtual environments.
    Python,
    /// tar with gzip.
    Tar,
}

/// A tool that is not usable, and why.
#[derive(Clone, Debug)]
pub struct Missing {
    /// Which one.
    pub tool: Tool,
    /// Message of its check.
    pub why: String,
}

/// Names of one tool: Homebrew, Fedora, Arch, Windows.
type Names = [&'static str; 4];

/// The systems of [`Names`]: name, and the command that installs.
const SYSTEMS: [(&str, &str); 4] = [
    ("Homebrew", "brew install"),
    ("Fedora", "sudo dnf install"),
    ("Arch", "sudo pacman -S --needed"),
    ("Windows", "winget install"),
];

/// LLVM's versions in the order in which they are tried: first the one that figures were measured with.
pub const LLVM: [u32; 6] = [19, 20, 21, 22, 23, 18];

impl Tool {
    /// Its package names on Debian and Ubuntu.
    pub fn debian(&self) -> Vec<String> {
        let names: &[&str] = match self {
            Tool::WasmC(Some(version)) => return llvm(*version),
            // Debian's default may be too old, and versions differ between releases: the first that this one has.
            Tool::WasmC(None) => {
                let mut versions = LLVM.into_iter();
                let found = versions.find(|version| apt::offers(&format!("clang-{version}")));
                return llvm(found.unwrap_or(LLVM[0]));
            }
            Tool::NativeC => &["gcc", "libc6-dev"],
            Tool::RustForWasm => &super::rust::DEBIAN_RUST,
            Tool::Node => &["nodejs", "npm"],
            Tool::Browser => &["chromium", "chromium-driver"],
            Tool::Git => &["git"],
            Tool::Python => &["python3", "python3-venv"],
            Tool::Tar => &["tar", "gzip"],
        };
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn names(&self) -> Names {
        match self {
            Tool::WasmC(_) => ["llvm lld", "clang lld llvm", "clang lld llvm", "LLVM.LLVM"],
            Tool::NativeC => [
                "gcc",
                "gcc glibc-devel",
                "gcc",
                "Microsoft.VisualStudio.2022.BuildTools",
            ],
            Tool::RustForWasm => [
                "rustup",
                "rust-std-static-wasm32-unknown-unknown lld",
                "rust-wasm lld",
                "Rustlang.Rustup",
            ],
            Tool::Node => ["node", "nodejs npm", "nodejs npm", "OpenJS.NodeJS.LTS"],
            Tool::Browser => [
                "--cask google-chrome chromedriver",
                "chromium chromedriver",
                "chromium",
                "Google.Chrome Chromium.ChromeDriver",
            ],
            Tool::Git => ["git", "git", "git", "Git.Git"],
            Tool::Python => ["python", "python3", "python", "Python.Python.3.13"],
            Tool::Tar => ["gnu-tar", "tar gzip", "tar gzip", "GnuWin32.Tar"],
        }
    }
}

fn llvm(version: u32) -> Vec<String> {
    ["clang", "lld", "llvm"]
        .map(|name| format!("{name}-{version}"))
        .to_vec()
}

/// The Debian packages of all `missing`, sorted.
pub fn debian(missing: &[Missing]) -> Vec<String> {
    let mut packages: Vec<_> = missing
        .iter()
        .flat_map(|missing| missing.tool.debian())
        .collect();
    packages.sort_unstable();
    packages.dedup();
    packages
}

/// Lists missing tools, why each counts as missing, and how each system installs exactly that.
pub fn advice(missing: &[Missing]) -> String {
    let mut lines = vec!["set-up cannot install these by itself:".to_owned()];
    for Missing { why, .. } in missing {
        lines.push(format!("  - {}", why.replace('\n', "\n    ")));
    }
    lines.push("Install them, then run this again:".to_owned());
    let mut debian = debian(missing);
    debian.dedup();
    lines.push(line("Debian", "sudo apt-get install", &debian));
    for (n, (system, command)) in SYSTEMS.iter().enumerate() {
        let (casks, mut names): (Vec<_>, Vec<_>) = missing
            .iter()
            .map(|missing| missing.tool.names().get(n).copied().unwrap_or_default())
            .partition(|names| names.starts_with("--"));
        names.dedup();
        if !names.is_empty() {
            lines.push(line(system, command, &names));
        }
        for cask in casks {
            lines.push(line(system, command, &[cask]));
        }
    }
    lines.join("\n")
}

fn line<S: AsRef<str>>(system: &str, command: &str, names: &[S]) -> String {
    let names: Vec<_> = names.iter().map(AsRef::as_ref).collect();
    format!("  {system:9} {command} {}", names.join(" "))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(tools: &[Tool], want: Expect) {
        let missing: Vec<_> = tools
            .iter()
            .map(|tool| Missing {
                tool: tool.clone(),
                why: "it does not start".to_owned(),
            })
            .collect();
        want.assert_eq(&advice(&missing));
    }

    #[test]
    fn a_linker_is_asked_for_in_the_version_of_its_compiler() {
        check(
            &[Tool::WasmC(Some(18))],
            expect![[r#"
                set-up cannot install these by itself:
                  - it does not start
                Install them, then run this again:
                  Debian    sudo apt-get install clang-18 lld-18 llvm-18
                  Homebrew  brew install llvm lld
                  Fedora    sudo dnf install clang lld llvm
                  Arch      sudo pacman -S --needed clang lld llvm
                  Windows   winget install LLVM.LLVM"#]],
        );
    }

    #[test]
    fn only_what_is_missing_is_named() {
        check(
            &[Tool::Node, Tool::Browser],
            expect![[r#"
                set-up cannot install these by itself:
                  - it does not start
                  - it does not start
                Install them, then run this again:
                  Debian    sudo apt-get install chromium chromium-driver nodejs npm
                  Homebrew  brew install node
                  Homebrew  brew install --cask google-chrome chromedriver
                  Fedora    sudo dnf install nodejs npm chromium chromedriver
                  Arch      sudo pacman -S --needed nodejs npm chromium
                  Windows   winget install OpenJS.NodeJS.LTS Google.Chrome Chromium.ChromeDriver"#]],
        );
    }
}
