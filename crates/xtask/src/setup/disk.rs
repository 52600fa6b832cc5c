//! Free disk space. A compiler that runs out of it fails in the middle with an error about some file of its own.

use std::path::Path;

use crate::paths;
use crate::shell::{Call, say};

/// Free space that builds of everything need: one from nothing leaves 6 GB in `target`, and incremental compilation
/// makes up to 22 of them.
const ENOUGH: u64 = 15 << 30;

/// Warns where the disk of the target folder has little left. A folder in which everything was built needs no more.
pub fn warn_if_short() {
    let target = paths::target_dir(&paths::root());
    if target.join("debug").is_dir() && target.join("wasm32-unknown-unknown").is_dir() {
        return;
    }
    if let Some(free) = free_at(&paths::root())
        && free < ENOUGH
    {
        say(&warning(free));
    }
}

fn warning(free: u64) -> String {
    format!(
        "  ! {} MB are free on this disk; building and testing everything takes up to {} GB: remove old `target` folders, or set CARGO_TARGET_DIR to another disk",
        free >> 20,
        ENOUGH >> 30
    )
}

/// Bytes that `df` calls available at `dir`; `None` where there is no POSIX `df`.
fn free_at(dir: &Path) -> Option<u64> {
    let text = Call::new("df").args(["-P", "-k"]).arg(dir).read().ok()?;
    available(&text)
}

/// The fourth field of the second line of `df -P -k`, in bytes.
fn available(text: &str) -> Option<u64> {
    let kilobytes = text.lines().nth(1)?.split_whitespace().nth(3)?;
    kilobytes.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn df_is_read() {
        let text = "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/vda 264123 200000 2831155 98% /\n";
        assert_eq!(available(text), Some(2_831_155 * 1024));
        assert_eq!(available("df: no such file\n"), None);
        assert_eq!(available("Filesystem\n/dev/vda\n"), None);
    }

    #[test]
    fn the_warning_says_how_much_and_what_to_do() {
        let text = warning(2_700 << 20);
        assert!(text.contains("2700 MB are free"), "{text}");
        assert!(text.contains("CARGO_TARGET_DIR"), "{text}");
    }
}
