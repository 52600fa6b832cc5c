//! Checks that let a tool do a small piece of its work. A program that merely answers `--version` may still lack its
//! linker, its libraries or its headers, and a build that fails for that after ten minutes does not say so.
//!
//! A check that passed is remembered in the cache by path, time and size of the programs that took part, so that it
//! runs again only when one of them changes.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::digest::Digest;
use crate::paths;
use crate::shell::Result;

/// Part of every key: raise it when a check asks for more than before.
const GENERATION: &str = "1";

/// A module of 45 bytes whose one export, `answer`, returns 42.
pub const MODULE: [u8; 45] = [
    0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // magic, version
    0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7f, // type: () -> i32
    0x03, 0x02, 0x01, 0x00, // one function of it
    0x07, 0x0a, 0x01, 0x06, b'a', b'n', b's', b'w', b'e', b'r', 0x00, 0x00, // its export
    0x0a, 0x06, 0x01, 0x04, 0x00, 0x41, 0x2a, 0x0b, // its body
    0x00, 0x04, // a custom section without contents
    0x03, b'e', b'n', b'd', // its name
];

/// Runs `work` in an empty folder, unless it passed before with the very same `programs`.
pub fn once(
    name: &str,
    programs: &[PathBuf],
    work: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    once_in(&paths::cache().join("checks"), name, programs, work)
}

fn once_in(
    home: &Path,
    name: &str,
    programs: &[PathBuf],
    work: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    let identity = identity(programs);
    let key = Digest::default()
        .part("generation", GENERATION.as_bytes())
        .part("programs", identity.as_bytes())
        .finish();
    let passed = home.join(format!("{name}-{}", key.get(..16).unwrap_or(&key)));
    if passed.is_file() {
        return Ok(());
    }
    let scratch = home.join(format!("work-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&scratch);
    paths::make_dir(&scratch)?;
    let result = work(&scratch);
    let _ = std::fs::remove_dir_all(&scratch);
    result?;
    // A cache that cannot be written costs the check again, nothing else.
    let _ = paths::write(&passed, identity);
    Ok(())
}

/// Path, time and size of each program, links followed: an update changes one of them.
fn identity(programs: &[PathBuf]) -> String {
    let line = |program: &PathBuf| {
        let path = std::fs::canonicalize(program).unwrap_or_else(|_| program.clone());
        let (modified, size) = match std::fs::metadata(&path) {
            Ok(meta) => {
                let modified = meta.modified().ok();
                let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
                (since.unwrap_or_default().as_nanos(), meta.len())
            }
            Err(_) => (0, 0),
        };
        format!("{} {modified} {size}\n", path.display())
    };
    programs.iter().map(line).collect()
}

/// Does `file` hold a WebAssembly module?
pub fn is_module(file: &Path) -> Result<()> {
    if paths::read_bytes(file)?.starts_with(b"\0asm") {
        Ok(())
    } else {
        Err(format!("{} is no WebAssembly module", file.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("portolan-checks-{name}-{}", std::process::id()))
    }

    #[test]
    fn a_check_runs_again_only_when_a_program_changed() {
        let home = home("again");
        let program = home.join("program");
        paths::write(&program, "one").expect("a program");
        let mut n_runs = 0;
        let mut run = |programs: &[PathBuf]| {
            once_in(&home, "tool", programs, |_| {
                n_runs += 1;
                Ok(())
            })
            .expect("a check that passes");
            n_runs
        };
        assert_eq!(run(std::slice::from_ref(&program)), 1);
        assert_eq!(run(std::slice::from_ref(&program)), 1);
        paths::write(&program, "longer").expect("the program");
        assert_eq!(run(std::slice::from_ref(&program)), 2);
        std::fs::remove_dir_all(&home).expect("the folder of the test");
    }

    #[test]
    fn a_failed_check_is_not_remembered() {
        let home = home("failed");
        for _ in 0..2 {
            let failed = once_in(&home, "tool", &[], |_| Err("no".to_owned()));
            assert_eq!(failed, Err("no".to_owned()));
        }
        assert_eq!(once_in(&home, "tool", &[], |_| Ok(())), Ok(()));
        let skipped = once_in(&home, "tool", &[], |_| Err("runs again".to_owned()));
        assert_eq!(skipped, Ok(()));
        std::fs::remove_dir_all(&home).expect("the folder of the test");
    }

    #[test]
    fn a_check_works_in_an_empty_folder_that_is_removed() {
        let home = home("folder");
        let mut folder = PathBuf::new();
        once_in(&home, "tool", &[], |scratch| {
            folder = scratch.to_owned();
            paths::write(&scratch.join("a/b.wasm"), MODULE)?;
            is_module(&scratch.join("a/b.wasm"))
        })
        .expect("a module");
        assert!(!folder.exists());
        std::fs::remove_dir_all(&home).expect("the folder of the test");
    }
}
