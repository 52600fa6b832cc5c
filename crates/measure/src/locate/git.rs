//! The files of a commit of a bare clone, read by `git` itself: a child process lists them and one gives their bytes.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::flags::Failure;

/// Largest file that is read, in bytes.
const LARGEST: u64 = 2_000_000;
/// Ends of paths that hold no text worth reading.
const SKIPPED: &[&str] = &[
    ".png", ".jpg", ".jpeg", ".gif", ".ico", ".pdf", ".zip", ".gz", ".whl", ".so", ".dll", ".bin",
    ".npz", ".npy", ".parquet", ".ttf", ".woff", ".woff2", ".mp4", ".svg", ".h5", ".pkl", ".lock",
    ".csv", ".ipynb", ".snap", ".po", ".mo",
];

/// A file of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Blob {
    pub(crate) path: String,
    pub(crate) id: String,
}

/// Seconds since 1970 at which a commit was made; 0 for one that the clone lacks.
pub(crate) fn commit_time(clone: &Path, commit: &str) -> u64 {
    let told = git(clone)
        .args(["show", "-s", "--format=%ct", commit])
        .output();
    let told = told.map(|told| String::from_utf8_lossy(&told.stdout).into_owned());
    let last = told.ok().and_then(|text| {
        let word = text.split_whitespace().next_back()?;
        word.parse().ok()
    });
    last.unwrap_or(0)
}

/// The text files of a commit worth reading, by path.
pub(crate) fn files(clone: &Path, commit: &str) -> Result<Vec<Blob>, Failure> {
    let listing = git(clone)
        .args(["ls-tree", "-r", "-l", "-z", commit])
        .output()?;
    if !listing.status.success() {
        let error = String::from_utf8_lossy(&listing.stderr);
        return Err(format!(
            "{} has no commit {commit}: {}",
            clone.display(),
            error.trim()
        )
        .into());
    }
    let text = String::from_utf8_lossy(&listing.stdout);
    Ok(text.split('\0').filter_map(blob).collect())
}

/// A row of the listing: `mode kind id size TAB path`.
fn blob(row: &str) -> Option<Blob> {
    let (facts, path) = row.split_once('\t')?;
    let mut facts = facts.split_whitespace();
    let (mode, kind, id, size) = (facts.next()?, facts.next()?, facts.next()?, facts.next()?);
    let is_file = kind == "blob" && mode != "120000";
    let lower = path.to_ascii_lowercase();
    let is_text = !SKIPPED.iter().any(|end| lower.ends_with(end));
    let fits = size.parse::<u64>().is_ok_and(|size| size <= LARGEST);
    (is_file && is_text && fits).then(|| Blob {
        path: path.to_owned(),
        id: id.to_owned(),
    })
}

/// Gives the bytes of each blob to `take`, in order; blobs that the clone lacks are left out.
pub(crate) fn read(
    clone: &Path,
    blobs: &[Blob],
    mut take: impl FnMut(&Blob, Vec<u8>),
) -> Result<(), Failure> {
    let mut child = git(clone)
        .args(["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut asked = child.stdin.take().ok_or("git takes no input")?;
    let told = child.stdout.take().ok_or("git gives no output")?;
    let ids: String = blobs.iter().map(|blob| format!("{}\n", blob.id)).collect();
    // Asked for from a thread of its own: both pipes are bounded.
    let asking = std::thread::spawn(move || {
        // A broken pipe shows at the other end.
        drop(asked.write_all(ids.as_bytes()));
    });
    let mut told = BufReader::new(told);
    for blob in blobs {
        let mut head = String::new();
        if told.read_line(&mut head)? == 0 {
            break;
        }
        let Some(size) = head.split_whitespace().nth(2) else {
            continue;
        };
        let mut bytes = vec![0; size.parse::<usize>()? + 1];
        told.read_exact(&mut bytes)?;
        bytes.pop();
        take(blob, bytes);
    }
    drop(told);
    child.wait()?;
    drop(asking.join());
    Ok(())
}

fn git(clone: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(clone);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(row: &str, expected: Option<(&str, &str)>) {
        let found = blob(row);
        let found = found
            .as_ref()
            .map(|found| (found.path.as_str(), found.id.as_str()));
        assert_eq!(found, expected, "{row}");
    }

    #[test]
    fn rows_of_a_listing() {
        check(
            "100644 blob ab12   40\tsrc/a b.py",
            Some(("src/a b.py", "ab12")),
        );
        check("120000 blob ab12   40\tsrc/link", None);
        check("160000 commit ab12   -\tmodule", None);
        check("100644 blob ab12   40\tlogo.PNG", None);
        check("100644 blob ab12   2000001\tdata.json", None);
        check("", None);
    }
}
