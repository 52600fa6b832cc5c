//! C compilers: one for wasm, with a linker and an `ar` of its version, for tree-sitter's core and Zstandard; and one
//! for this machine, for native builds of the grammars.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::packages::{LLVM, Missing, Tool};
use super::{Toolbox, checks, there};
use crate::paths;
use crate::shell::{Call, Result, which};

/// The flags for grammars that are compiled here. Position-independent, nothing linked in, one export. `-O1`: a parser is tables and one large switch; more costs
/// minutes and gains nothing measurable.
pub const GRAMMAR_FLAGS: [&str; 16] = [
    "--target=wasm32-unknown-unknown",
    "-fPIC",
    "-shared",
    "-O1",
    "-nostdlib",
    "-nostdinc",
    "-fno-exceptions",
    "-fvisibility=hidden",
    "-mbulk-memory",
    "-mmutable-globals",
    "-w",
    // A scanner that calls what our headers do not declare finds it in the engine, or the loader says what is missing.
    "-Wno-error=implicit-function-declaration",
    "-Wl,--no-entry",
    "-Wl,--allow-undefined",
    "-Wl,--experimental-pic",
    "-Wl,--strip-all",
];

/// The oldest clang that is known to compile all of our C.
const OLDEST: u32 = 18;
/// Homebrew keeps its LLVM out of PATH, because Apple's clang, which has no wasm back end, is there.
const HOMEBREW: [&str; 2] = ["/opt/homebrew/opt/llvm/bin", "/usr/local/opt/llvm/bin"];
/// Three lines of C with nothing from a libc.
const PROGRAM: &str = "static unsigned calls;\n__attribute__((visibility(\"default\")))\nunsigned portolan_check(unsigned n) { return n + ++calls; }\n";

/// A clang that compiles and links to wasm, and the `ar` of its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WasmC {
    /// Name in PATH, or path.
    pub clang: String,
    /// Name in PATH, or path.
    pub ar: String,
}

static FOUND: Mutex<Option<WasmC>> = Mutex::new(None);

/// The first compiler that passes the check; otherwise what the best candidate failed at.
pub fn for_wasm() -> std::result::Result<WasmC, Missing> {
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = &*found {
        return Ok(found.clone());
    }
    let mut failed = None;
    for compiler in candidates() {
        match check_wasm(&compiler) {
            Ok(()) => {
                *found = Some(compiler.clone());
                return Ok(compiler);
            }
            Err(why) => {
                let clang = &compiler.clang;
                failed.get_or_insert_with(|| Missing {
                    tool: Tool::WasmC(version(clang).filter(|&version| version >= OLDEST)),
                    why: format!("{clang} does not make wasm: {}", why.trim()),
                });
            }
        }
    }
    Err(failed.unwrap_or_else(|| Missing {
        tool: Tool::WasmC(None),
        why: format!("no clang {OLDEST} or later, with its lld and llvm-ar, for C in wasm"),
    }))
}

/// Tells cargo's build scripts which compiler to take.
pub fn prepare_wasm(toolbox: &mut Toolbox) -> Result<()> {
    let compiler = for_wasm().map_err(|missing| super::packages::advice(&[missing]))?;
    there(&format!("{} compiles and links C to wasm", compiler.clang));
    toolbox.set("CC_wasm32_unknown_unknown", compiler.clang);
    toolbox.set("AR_wasm32_unknown_unknown", compiler.ar);
    Ok(())
}

/// Everything that might be such a compiler and is there.
fn candidates() -> Vec<WasmC> {
    let mut candidates = Vec::new();
    let mut add = |clang: String, ar: String| {
        if which(&clang).is_some() {
            candidates.push(WasmC { clang, ar });
        }
    };
    // A choice of the user's goes first.
    if let Ok(clang) = std::env::var("CC_wasm32_unknown_unknown") {
        let ar = std::env::var("AR_wasm32_unknown_unknown");
        add(clang, ar.unwrap_or_else(|_| "llvm-ar".to_owned()));
    }
    for version in LLVM {
        add(format!("clang-{version}"), format!("llvm-ar-{version}"));
    }
    add("clang".to_owned(), "llvm-ar".to_owned());
    for dir in HOMEBREW {
        add(format!("{dir}/clang"), format!("{dir}/llvm-ar"));
    }
    candidates
}

/// Compiles, archives and links three lines of C, with the flags that builds use.
fn check_wasm(compiler: &WasmC) -> Result<()> {
    let WasmC { clang, ar } = compiler;
    match version(clang) {
        Some(version) if version < OLDEST => {
            return Err(format!(
                "it is clang {version}, {OLDEST} or later is needed"
            ));
        }
        _ => {}
    }
    let ar_path = which(ar).ok_or_else(|| format!("{ar} is not there"))?;
    let programs = [which(clang).unwrap_or_default(), ar_path];
    // The linker takes part, too, wherever clang finds it.
    let linker = Call::new(clang)
        .args([
            "--target=wasm32-unknown-unknown",
            "-print-prog-name=wasm-ld",
        ])
        .read();
    let linker = linker.map(|path| PathBuf::from(path.trim()));
    let programs: Vec<_> = programs.into_iter().chain(linker).collect();
    checks::once("wasm-c", &programs, |scratch| {
        paths::write(&scratch.join("three.c"), PROGRAM)?;
        let call = |program: &str| Call::new(program).dir(scratch);
        call(clang)
            .args(["--target=wasm32-unknown-unknown", "-O2"])
            .args(cflags()?)
            .args(["-c", "three.c", "-o", "three.o"])
            .read()?;
        call(ar).args(["rcs", "libthree.a", "three.o"]).read()?;
        call(clang)
            .args(GRAMMAR_FLAGS)
            .args(["-Wl,--export=portolan_check", "three.c", "-o", "three.wasm"])
            .read()?;
        checks::is_module(&scratch.join("three.wasm"))
    })
}

/// The flags that .cargo/config.toml gives to C for wasm.
fn cflags() -> Result<Vec<String>> {
    let path = paths::root().join(".cargo/config.toml");
    let table: toml::Table =
        toml::from_str(&paths::read(&path)?).map_err(|e| format!("{}: {e}", path.display()))?;
    let flags = table
        .get("env")
        .and_then(|env| env.get("CFLAGS_wasm32_unknown_unknown"))
        .and_then(toml::Value::as_str)
        .unwrap_or_default();
    Ok(flags.split_whitespace().map(str::to_owned).collect())
}

/// The major version of a clang.
fn version(clang: &str) -> Option<u32> {
    parse_version(&crate::shell::version_of(clang)?)
}

fn parse_version(line: &str) -> Option<u32> {
    let (_, rest) = line.split_once("version ")?;
    rest.split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

/// Checks the C compiler of this machine: cargo's build scripts call `cc`, or what `CC` names.
pub fn native() -> std::result::Result<String, Missing> {
    let name = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let missing = |why: String| Missing {
        tool: Tool::NativeC,
        why,
    };
    let path =
        which(&name).ok_or_else(|| missing(format!("no C compiler `{name}` for this machine")))?;
    let checked = checks::once("native-c", &[path], |scratch| {
        compile_native(&name, scratch)
    });
    checked.map_err(|why| missing(format!("`{name}` does not make programs: {why}")))?;
    Ok(name)
}

fn compile_native(cc: &str, scratch: &Path) -> Result<()> {
    let text = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { puts(\"42\"); return EXIT_SUCCESS; }\n";
    paths::write(&scratch.join("three.c"), text)?;
    Call::new(cc)
        .args(["three.c", "-o", "three"])
        .dir(scratch)
        .read()?;
    let said = Call::new(scratch.join("three")).read()?;
    match said.trim() {
        "42" => Ok(()),
        other => Err(format!("a program that prints 42 printed {other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_clang_are_read_as_distributions_write_them() {
        let debian = "Debian clang version 19.1.7 (3~deb12u1)";
        assert_eq!(parse_version(debian), Some(19));
        assert_eq!(
            parse_version("clang version 20.1.8 (Fedora 20.1.8-4.fc42)"),
            Some(20)
        );
        assert_eq!(parse_version("Homebrew clang version 21.1.0"), Some(21));
        assert_eq!(parse_version("gcc (Debian 12.2.0) 12.2.0"), None);
    }

    #[test]
    fn the_flags_of_the_build_are_found() {
        let flags = cflags().expect(".cargo/config.toml");
        assert!(flags.contains(&"-msimd128".to_owned()), "{flags:?}");
    }

    /// Debian's clang without its lld compiles, and says at the very end of a long build that it cannot link.
    #[test]
    fn a_compiler_that_cannot_link_does_not_count() {
        let home = std::env::temp_dir().join(format!("portolan-c-{}", std::process::id()));
        let script = "#!/bin/sh\ncase \"$*\" in\n  --version) echo 'Debian clang version 19.1.7';;\n  *-print-prog-name*) echo wasm-ld;;\n  *' -c '*) touch three.o;;\n  *three.wasm*) echo 'unable to execute command: Executable \"wasm-ld-19\" does not exist' >&2; exit 1;;\nesac\n";
        let file = home.join("clang");
        paths::write(&file, script).expect("a script");
        let run = Call::new("chmod").arg("+x").arg(&file).read();
        run.expect("an executable script");
        let compiler = WasmC {
            clang: file.to_string_lossy().into_owned(),
            ar: "true".to_owned(),
        };
        let why = check_wasm(&compiler).expect_err("no linker");
        std::fs::remove_dir_all(&home).expect("the folder of the test");
        assert!(why.contains("wasm-ld-19"), "{why}");
    }
}
