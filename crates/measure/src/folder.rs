//! The files of a folder.

use std::path::{Path, PathBuf};

use crate::Failure;

/// Path from `root` and bytes of every file below it, links not followed, git's own left out.
pub(crate) fn read(root: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut pending: Vec<PathBuf> = vec![root.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() && entry.file_name() != ".git" {
                pending.push(entry.path());
            } else if kind.is_file() {
                let path = entry
                    .path()
                    .strip_prefix(root)?
                    .to_string_lossy()
                    .replace('\\', "/");
                files.push((path, std::fs::read(entry.path())?));
            }
        }
    }
    Ok(files)
}
