//! The files of the repository as git lists them.

use std::path::Path;

use crate::paths;
use crate::shell::{Call, Result};

/// Paths from the root of what git has or would add, sorted, with one of these endings (none: all files).
pub fn tracked(endings: &[&str]) -> Result<Vec<String>> {
    let root = paths::root();
    let list = Call::new("git")
        .args(["ls-files", "-co", "--exclude-standard", "--deduplicate"])
        .dir(&root)
        .read()?;
    let is_wanted =
        |path: &&str| endings.is_empty() || endings.iter().any(|ending| path.ends_with(ending));
    let mut files: Vec<_> = list
        .lines()
        .filter(is_wanted)
        // Deleted files that are not committed are still listed.
        .filter(|path| root.join(path).is_file())
        .map(str::to_owned)
        .collect();
    files.sort();
    Ok(files)
}

/// The text of a file of the repository; nothing where it is no text.
pub fn text(path: &str) -> Option<String> {
    std::fs::read_to_string(paths::root().join(path)).ok()
}

/// Whether `path` is in `folder` or below it.
pub fn is_below(path: &str, folder: &str) -> bool {
    Path::new(path).starts_with(folder)
}

/// Whether `name` is in `text` as a word of its own. A hyphen belongs to a word, as in the names of packages.
pub fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text
            .get(at + name.len()..)
            .and_then(|text| text.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_edges() {
        assert!(has_word("use rkyv::Archive;", "rkyv"));
        assert!(has_word("(a-b)", "a-b"));
        assert!(!has_word("use rkyv2;", "rkyv"));
        assert!(!has_word("my_rkyv rkyv_x", "rkyv"));
        assert!(!has_word("a-b-c", "a-b"));
    }

    #[test]
    fn folders_are_compared_by_their_parts() {
        assert!(is_below("pkg/test/a.mjs", "pkg/test"));
        assert!(!is_below("pkg/tests/a.mjs", "pkg/test"));
    }

    #[test]
    fn this_file_is_listed() {
        let files = tracked(&[".rs"]).expect("git lists");
        assert!(files.contains(&"crates/xtask/src/gates/files.rs".to_owned()));
        assert!(!files.contains(&"Cargo.toml".to_owned()));
    }
}
