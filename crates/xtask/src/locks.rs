//! Locks between processes: `serve` in one terminal and `test` in another share caches and build folders.

use std::fs::File;
use std::path::Path;

use crate::paths;
use crate::shell::{Result, say};

/// Waits until no other process holds the lock file at `path`, and takes it. The lock ends with the file or the process.
///
/// `work` names what the other process does, for the line that says why nothing happens meanwhile.
pub fn alone(path: &Path, work: &str) -> Result<File> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    paths::make_dir(path.parent().unwrap_or(Path::new(".")))?;
    let file = File::create(path).map_err(failed)?;
    if file.try_lock().is_err() {
        say(&format!("  … another {work} is under way, waiting"));
        file.lock().map_err(failed)?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_taker_waits_for_the_first() {
        let path = std::env::temp_dir().join(format!("portolan-lock-{}", std::process::id()));
        let first = alone(&path, "test").unwrap();
        let second = File::create(&path).unwrap();
        assert!(second.try_lock().is_err());
        drop(first);
        assert!(second.try_lock().is_ok());
        std::fs::remove_file(path).unwrap();
    }
}
