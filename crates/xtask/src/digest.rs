//! Digests of files and settings: what a build was made from, in 64 hexadecimal digits.

use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::paths;
use crate::shell::Result;

/// Gathers named parts into one digest. The order of the parts counts.
#[derive(Default)]
pub struct Digest(Sha256);

impl Digest {
    /// Adds one part; name and length are part of the digest, so that parts cannot run into each other.
    pub fn part(mut self, name: &str, bytes: &[u8]) -> Self {
        self.0.update(name.as_bytes());
        self.0.update([0]);
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// Adds a file of the repository by its path relative to `root`. A missing file counts as missing.
    pub fn file(self, root: &Path, relative: &str) -> Self {
        match std::fs::read(root.join(relative)) {
            Ok(bytes) => self.part(relative, &bytes),
            Err(_) => self.part("missing", relative.as_bytes()),
        }
    }

    /// The digest, in lower-case hexadecimal.
    pub fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

/// SHA-256 of a file, as `sha256sum` prints it.
pub fn sha256_of(path: &Path) -> Result<String> {
    Ok(hex(&Sha256::digest(paths::read_bytes(path)?)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_into_each_other() {
        let one = Digest::default().part("a", b"bc").finish();
        let other = Digest::default().part("ab", b"c").finish();
        assert_ne!(one, other);
        assert_eq!(one.len(), 64);
    }

    #[test]
    fn a_missing_file_differs_from_an_empty_one() {
        let root = std::env::temp_dir().join(format!("portolan-digest-{}", std::process::id()));
        std::fs::create_dir_all(&root).expect("a folder for the test");
        std::fs::write(root.join("empty"), b"").expect("an empty file");
        let empty = Digest::default().file(&root, "empty").finish();
        let missing = Digest::default().file(&root, "gone").finish();
        std::fs::remove_dir_all(&root).expect("the folder of the test");
        assert_ne!(empty, missing);
    }
}
