//! The files of a folder.

use std::path::{Path, PathBuf};

use crate::flags::Failure;

/// Path from `root` and bytes of every file below it, links not followed, git's own left out.
pub(crate) fn read(root: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut pending: Vec<PathBuf> = vec![root.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = pending.pop() {
        let entries = std::fs::read_dir(&folder);
        for entry in entries.map_err(|error| format!("{}: {error}", folder.display()))? {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn links_are_not_followed() {
        let root = std::env::temp_dir().join(format!("portolan-measure-{}", std::process::id()));
        let inside = root.join("inside");
        std::fs::create_dir_all(&inside).expect("a folder");
        std::fs::write(inside.join("a.rs"), "fn a() {}").expect("a file");
        std::fs::write(root.join("b.rs"), "fn b() {}").expect("a file");
        std::os::unix::fs::symlink(&root, inside.join("round")).expect("a link");
        std::os::unix::fs::symlink(root.join("b.rs"), inside.join("c.rs")).expect("a link");
        let files = read(&inside).expect("files");
        let missing = read(&root.join("nowhere")).expect_err("no folder");
        std::fs::remove_dir_all(&root).expect("removed");
        let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["a.rs"]);
        assert!(missing.to_string().contains("nowhere"), "{missing}");
    }
}
