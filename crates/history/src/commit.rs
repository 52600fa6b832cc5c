//! Reads commits and trees.

use crate::{Error, Oid};

/// Parents that are followed: the largest merge of the Linux kernel has 66.
const MAX_PARENTS: usize = 128;
/// Bytes of a subject, of a name and of an address that are kept.
const MAX_SUBJECT: usize = 200;
const MAX_NAME: usize = 100;

/// The parts of a commit that a history needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Commit {
    pub tree: Oid,
    pub parents: Vec<Oid>,
    /// Name and address of its author.
    pub author: (String, String),
    /// Seconds since 1970 at which it was written, and at which it was put into this history.
    pub authored: i64,
    pub committed: i64,
    /// First line of its message.
    pub subject: String,
}

/// Reads a commit without its header. Lines that git does not write there are skipped.
///
/// # Errors
///
/// `history.damaged` if it names no tree, or a parent that is no object's name.
pub(crate) fn parse(bytes: &[u8]) -> Result<Commit, Error> {
    let mut commit = Commit {
        tree: Oid::default(),
        parents: Vec::new(),
        author: Default::default(),
        authored: 0,
        committed: 0,
        subject: String::new(),
    };
    let mut rest = bytes;
    let mut has_tree = false;
    while let Some((line, after)) = next_line(rest) {
        rest = after;
        if line.is_empty() {
            break;
        }
        if let Some(hex) = line.strip_prefix(b"tree ") {
            (commit.tree, has_tree) = (Oid::from_hex(hex)?, true);
        } else if let Some(hex) = line.strip_prefix(b"parent ") {
            if commit.parents.len() < MAX_PARENTS {
                commit.parents.push(Oid::from_hex(hex)?);
            }
        } else if let Some(person) = line.strip_prefix(b"author ") {
            (commit.author, commit.authored) = signature(person);
        } else if let Some(person) = line.strip_prefix(b"committer ") {
            commit.committed = signature(person).1;
        }
    }
    while let Some((line, after)) = next_line(rest) {
        if !line.trim_ascii().is_empty() {
            commit.subject = shortened(line, MAX_SUBJECT);
            break;
        }
        rest = after;
    }
    match has_tree {
        true => Ok(commit),
        false => Err(Error::damaged("a commit has no tree")),
    }
}

/// Splits the first line off; a last line may lack its end.
fn next_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if bytes.is_empty() {
        return None;
    }
    match memchr::memchr(b'\n', bytes) {
        Some(end) => Some((&bytes[..end], &bytes[end + 1..])),
        None => Some((bytes, &[])),
    }
}

/// Reads `Name <address> seconds zone`. A part that is missing is empty, or zero.
fn signature(bytes: &[u8]) -> ((String, String), i64) {
    let open = memchr::memchr(b'<', bytes).unwrap_or(bytes.len());
    let close = memchr::memrchr(b'>', bytes).unwrap_or(bytes.len());
    let address = bytes.get(open + 1..close).unwrap_or_default();
    let after = bytes.get(close + 1..).unwrap_or_default().trim_ascii();
    let seconds = after.split(|byte| *byte == b' ').next().unwrap_or_default();
    let seconds = std::str::from_utf8(seconds)
        .ok()
        .and_then(|s| s.parse().ok());
    // Far beyond any calendar, and sums of two do not overflow.
    let seconds = seconds.unwrap_or(0_i64).clamp(-(1 << 40), 1 << 40);
    let name = shortened(&bytes[..open], MAX_NAME);
    ((name, shortened(address, MAX_NAME)), seconds)
}

/// Text of at most `most` bytes; bytes that are no UTF-8 and control characters are replaced.
fn shortened(bytes: &[u8], most: usize) -> String {
    let bytes = bytes.trim_ascii();
    // Replacements are longer than the bytes that they replace.
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(most)]);
    let mut text: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if bytes.len() > most {
        // The cut may have gone through a character.
        while text.ends_with(char::REPLACEMENT_CHARACTER) {
            text.pop();
        }
    }
    text
}

/// An entry of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TreeEntry<'a> {
    pub mode: u32,
    pub name: &'a [u8],
    pub oid: Oid,
}

impl TreeEntry<'_> {
    /// Whether it is a folder.
    pub fn is_tree(&self) -> bool {
        self.mode & 0o170_000 == 0o040_000
    }

    /// Whether it is a file or a link; else it is another repository's commit.
    pub fn is_blob(&self) -> bool {
        matches!(self.mode & 0o170_000, 0o100_000 | 0o120_000)
    }
}

/// Splits the first entry off a tree; `None` at its end.
///
/// # Errors
///
/// `history.damaged` if the bytes are no tree, or a name has a slash or is empty.
pub(crate) fn next_entry<'a>(bytes: &mut &'a [u8]) -> Result<Option<TreeEntry<'a>>, Error> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let all = *bytes;
    let (entry, rest) = entry(all).ok_or_else(|| Error::damaged("a tree has a broken entry"))?;
    *bytes = rest;
    Ok(Some(entry))
}

fn entry(bytes: &[u8]) -> Option<(TreeEntry<'_>, &[u8])> {
    let mut mode = 0_u32;
    let mut at = 0;
    loop {
        match *bytes.get(at)? {
            digit @ b'0'..=b'7' if at < 7 => mode = mode << 3 | u32::from(digit - b'0'),
            b' ' if at > 0 => break,
            _ => return None,
        }
        at += 1;
    }
    let rest = &bytes[at + 1..];
    let end = memchr::memchr(0, rest)?;
    let (name, rest) = (&rest[..end], &rest[end + 1..]);
    let oid = Oid::from_bytes(rest)?;
    let is_name = !name.is_empty() && memchr::memchr(b'/', name).is_none();
    is_name.then_some((TreeEntry { mode, name, oid }, &rest[Oid::LEN..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "1111111111111111111111111111111111111111";
    const TWO: &str = "2222222222222222222222222222222222222222";

    #[test]
    fn a_commit_with_all_there_is() {
        let text = format!(
            "tree {ONE}\nparent {TWO}\nparent {ONE}\nauthor A <b> C <a@b.c> 12 +0100\ncommitter D <> 99 -0000\n\
             gpgsig -----BEGIN\n tree {TWO}\n\nmergetag x\n"
        );
        let commit = parse(
            text.replace("\n\nmerge", "\n\n\n  Add\ttax\n\nmerge")
                .as_bytes(),
        );
        let commit = commit.unwrap();
        assert_eq!(commit.tree.to_string(), ONE);
        assert_eq!(commit.parents.len(), 2);
        assert_eq!(commit.author, ("A".to_owned(), "b> C <a@b.c".to_owned()));
        assert_eq!((commit.authored, commit.committed), (12, 99));
        assert_eq!(commit.subject, "Add tax");
    }

    #[test]
    fn odd_commits() {
        let subject = |message: &[u8]| {
            let mut bytes = format!("tree {ONE}\n\n").into_bytes();
            bytes.extend(message);
            parse(&bytes).unwrap().subject
        };
        assert_eq!(subject(b""), "");
        assert_eq!(subject(b"caf\xe9\nx"), "caf\u{fffd}");
        assert_eq!(subject("ä".repeat(200).as_bytes()), "ä".repeat(100));
        assert_eq!(
            subject(format!("x{}", "ä".repeat(200)).as_bytes()).len(),
            199
        );
        assert!(parse(b"parent x").is_err());
        assert!(parse(b"author a").is_err());
        assert!(parse(b"").is_err());
        let times = |text: &str| signature(text.as_bytes()).1;
        assert_eq!(times("A <a> 99999999999999999999 +0"), 0);
        assert_eq!(times("A <a> 9999999999999999 +0"), 1 << 40);
        assert_eq!(times("A <a>"), 0);
        assert_eq!(times("A"), 0);
    }

    #[test]
    fn entries_of_trees() {
        let mut tree = b"100644 a.rs\0".to_vec();
        tree.extend([1; 20]);
        tree.extend(b"40000 src\0");
        tree.extend([2; 20]);
        let mut rest = &tree[..];
        let first = next_entry(&mut rest).unwrap().unwrap();
        assert_eq!((first.name, first.oid), (&b"a.rs"[..], Oid([1; 20])));
        assert!(first.is_blob() && !first.is_tree());
        assert!(next_entry(&mut rest).unwrap().unwrap().is_tree());
        assert_eq!(next_entry(&mut rest), Ok(None));
        for bad in [
            "100644 a",
            " a",
            "9 a",
            "100644 a/b",
            "100644 ",
            "1006440000 a",
        ] {
            let mut bytes = bad.as_bytes().to_vec();
            bytes.push(0);
            bytes.extend([1; 20]);
            // Only the first lacks nothing but its object.
            let cut = if bad == "100644 a" {
                bytes.len() - 1
            } else {
                bytes.len()
            };
            assert!(next_entry(&mut &bytes[..cut]).is_err(), "{bad}");
        }
    }
}
