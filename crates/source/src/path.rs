//! Paths as the index knows them: relative, `/` between parts, no `.` and no `..`.

use crate::SkipReason;

/// As long as paths are on common systems; a longer one would also keep the ignore rules busy, which look at each part.
const MAX_PATH_BYTES: usize = 4_096;

/// The path as the index knows it.
///
/// Backslashes become slashes; empty and `.` parts fall away.
///
/// # Errors
///
/// [`SkipReason::UnsafePath`] for a path that is absolute, has a `..` part or a drive letter, holds a zero byte, is longer
/// than 4,096 bytes, or is empty.
pub fn clean_path(path: &str) -> Result<String, SkipReason> {
    if path.len() > MAX_PATH_BYTES {
        return Err(SkipReason::UnsafePath);
    }
    let slashed = path.replace('\\', "/");
    let has_drive =
        slashed.as_bytes().get(1) == Some(&b':') && slashed.as_bytes()[0].is_ascii_alphabetic();
    if slashed.starts_with('/') || has_drive || slashed.contains('\0') {
        return Err(SkipReason::UnsafePath);
    }
    let parts: Vec<&str> = slashed
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    if parts.is_empty() || parts.contains(&"..") {
        return Err(SkipReason::UnsafePath);
    }
    Ok(parts.join("/"))
}

/// The last part of a clean path.
#[must_use]
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The folder of a clean path; empty at the top.
#[must_use]
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The one folder that holds every path, if there is one (`repo-main` for the archives that code hosts make).
#[must_use]
pub fn single_top_folder<'a>(paths: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut top = None;
    for path in paths {
        let (first, _) = path.split_once('/')?;
        match top {
            None => top = Some(first),
            Some(known) if known == first => {}
            Some(_) => return None,
        }
    }
    top
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_and_slashed() {
        let clean = |path: &str| clean_path(path).ok();
        assert_eq!(clean("src\\a.rs").as_deref(), Some("src/a.rs"));
        assert_eq!(clean("./a//b/./c").as_deref(), Some("a/b/c"));
        assert_eq!(clean("..a/b..").as_deref(), Some("..a/b.."));
        for unsafe_path in [
            "",
            ".",
            "/etc/passwd",
            "../a",
            "a/../../b",
            "C:\\x",
            "c:/x",
            "a\0b",
            "\\\\host\\x",
            &"a/".repeat(3_000),
        ] {
            assert_eq!(clean(unsafe_path), None, "{unsafe_path:?}");
        }
    }

    #[test]
    fn a_single_top_folder_is_found() {
        assert_eq!(single_top_folder(["r/a", "r/b/c"]), Some("r"));
        assert_eq!(single_top_folder(["r/a", "b"]), None);
        assert_eq!(single_top_folder(["r/a", "q/b"]), None);
        assert_eq!(single_top_folder([]), None);
    }
}
