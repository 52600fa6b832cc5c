//! References: which commit `HEAD`, a branch or a tag names; and which kinds of repositories can be read.

use crate::files::read_small;
use crate::{Error, ErrorKind, ObjectFiles, Oid};

/// Bytes of `packed-refs` that are read at most: 400,000 references.
const MAX_PACKED: u64 = 64 << 20;
/// Bytes of any other file.
const MAX_SMALL: u64 = 1 << 20;
/// References that name another one: git follows five.
const MAX_HOPS: usize = 5;

/// Refuses repositories whose objects or references are stored in ways that are not read here.
pub(crate) fn check_format(files: &dyn ObjectFiles) -> Result<(), Error> {
    let Some(config) = read_small(files, "config", MAX_SMALL)? else {
        return Ok(());
    };
    let config = String::from_utf8_lossy(&config).to_ascii_lowercase();
    let mut in_extensions = false;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            in_extensions = line.starts_with("[extensions]");
        }
        let Some((key, value)) = line.split_once('=').filter(|_| in_extensions) else {
            continue;
        };
        let (key, value) = (key.trim_start_matches("[extensions]").trim(), value.trim());
        let kind = match (key, value) {
            ("objectformat", value) if value != "sha1" => ErrorKind::ObjectFormat,
            ("refstorage", value) if value != "files" => ErrorKind::RefStorage,
            _ => continue,
        };
        return Err(Error::new(kind, format!("the repository uses {value}")));
    }
    Ok(())
}

/// Returns the object that a name means: `HEAD`, 40 digits, a branch, a tag, a remote branch, or a whole reference; `None` if there is none.
pub(crate) fn resolve(files: &dyn ObjectFiles, name: &str) -> Result<Option<Oid>, Error> {
    if name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Oid::from_hex(name.as_bytes()).map(Some);
    }
    if name == "HEAD" {
        let Some(head) = read_small(files, "HEAD", MAX_SMALL)? else {
            let message = "there is no git repository here";
            return Err(Error::new(ErrorKind::NoRepository, message));
        };
        return follow(files, &head);
    }
    for prefix in ["", "refs/heads/", "refs/tags/", "refs/remotes/"] {
        let reference = format!("{prefix}{name}");
        if is_reference(&reference)
            && let Some(contents) = contents(files, &reference)?
        {
            return follow(files, &contents);
        }
    }
    Ok(None)
}

/// Follows the contents of a reference to an object.
fn follow(files: &dyn ObjectFiles, first: &[u8]) -> Result<Option<Oid>, Error> {
    let mut text = first.trim_ascii().to_vec();
    for _ in 0..=MAX_HOPS {
        let Some(target) = text.strip_prefix(b"ref:") else {
            return Oid::from_hex(&text).map(Some);
        };
        let target = String::from_utf8_lossy(target.trim_ascii()).into_owned();
        if !is_reference(&target) {
            let message = "a reference names no reference of the repository";
            return Err(Error::damaged(message));
        }
        match contents(files, &target)? {
            Some(contents) => text = contents.trim_ascii().to_vec(),
            None => return Ok(None),
        }
    }
    Err(Error::damaged("references name each other in a circle"))
}

/// Returns the contents of a reference, from its own file or from `packed-refs`.
fn contents(files: &dyn ObjectFiles, name: &str) -> Result<Option<Vec<u8>>, Error> {
    if let Some(contents) = read_small(files, name, MAX_SMALL)? {
        return Ok(Some(contents));
    }
    let Some(packed) = read_small(files, "packed-refs", MAX_PACKED)? else {
        return Ok(None);
    };
    let line = packed.split(|byte| *byte == b'\n').find(|line| {
        let end = line.get(40..).unwrap_or_default().trim_ascii_end();
        end.strip_prefix(b" ") == Some(name.as_bytes())
    });
    Ok(line.map(|line| line[..40].to_vec()))
}

/// Whether a name is that of a reference below `refs/`, so that its file is nowhere else.
fn is_reference(name: &str) -> bool {
    let part = |part: &str| {
        let odd = |c: char| c.is_control() || "\\:*?[~^ ".contains(c);
        !part.is_empty() && !part.starts_with('.') && !part.contains("..") && !part.contains(odd)
    };
    name.starts_with("refs/") && name.len() <= 1_024 && name.split('/').all(part)
}

/// Returns the commits of a shallow copy whose parents were not fetched.
pub(crate) fn shallow(files: &dyn ObjectFiles) -> Result<Vec<Oid>, Error> {
    let text = read_small(files, "shallow", MAX_PACKED)?.unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines
        .filter(|line| !line.is_empty())
        .map(Oid::from_hex)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryFiles;

    const ONE: &str = "1111111111111111111111111111111111111111";
    const TWO: &str = "2222222222222222222222222222222222222222";

    fn files(given: &[(&str, String)]) -> MemoryFiles {
        let bytes = |(name, text): &(&str, String)| ((*name).to_owned(), text.clone().into_bytes());
        let files = given.iter().map(bytes).collect();
        MemoryFiles { files }
    }

    fn check(given: &[(&str, String)], name: &str, expected: Result<Option<&str>, &str>) {
        let found = resolve(&files(given), name).map_err(|error| error.code());
        let found = found.map(|oid| oid.map(|oid| oid.to_string()));
        let found = found
            .as_ref()
            .map(|oid| oid.as_deref())
            .map_err(|code| *code);
        assert_eq!(found, expected, "{name} in {given:?}");
    }

    #[test]
    fn heads_branches_and_packed_references() {
        let repository = [
            ("HEAD", "ref: refs/heads/main\n".to_owned()),
            ("refs/heads/main", format!("{ONE}\n")),
            (
                "packed-refs",
                format!(
                    "# pack-refs with: peeled\n{TWO} refs/heads/main\n{TWO} refs/tags/v1\n^{ONE}\n"
                ),
            ),
        ];
        check(&repository, "HEAD", Ok(Some(ONE)));
        check(&repository, "main", Ok(Some(ONE)));
        check(&repository, "v1", Ok(Some(TWO)));
        check(&repository, "refs/tags/v1", Ok(Some(TWO)));
        check(&repository, "v2", Ok(None));
        check(&repository, "../config", Ok(None));
        check(&repository, TWO, Ok(Some(TWO)));
        check(&[("HEAD", format!("{TWO}\n"))], "HEAD", Ok(Some(TWO)));
        check(&[], "HEAD", Err("history.no-repository"));
        let unborn = [("HEAD", "ref: refs/heads/main\n".to_owned())];
        check(&unborn, "HEAD", Ok(None));
    }

    #[test]
    fn hostile_references_are_refused() {
        for target in [
            "refs/../../secret",
            "/etc/passwd",
            "refs/heads/",
            "refs\\heads",
            "HEAD",
        ] {
            let head = [("HEAD", format!("ref: {target}"))];
            check(&head, "HEAD", Err("history.damaged"));
        }
        let circle = [
            ("HEAD", "ref: refs/a".to_owned()),
            ("refs/a", "ref: refs/b".to_owned()),
            ("refs/b", "ref: refs/a".to_owned()),
        ];
        check(&circle, "HEAD", Err("history.damaged"));
        check(
            &[("HEAD", "0".repeat(64))],
            "HEAD",
            Err("history.object-format"),
        );
    }

    #[test]
    fn formats_that_are_not_read() {
        let code = |config: &str| {
            let checked = check_format(&files(&[("config", config.to_owned())]));
            checked.map_err(|error| error.code())
        };
        assert_eq!(code("[core]\n\tbare = false\n"), Ok(()));
        assert_eq!(code("[other]\nobjectformat = sha256"), Ok(()));
        let sha256 = "[core]\n[Extensions]\n\tobjectFormat = sha256\n";
        assert_eq!(code(sha256), Err("history.object-format"));
        assert_eq!(
            code("[extensions] refstorage=reftable"),
            Err("history.ref-storage")
        );
        assert_eq!(code("[extensions]\nobjectformat = sha1\n"), Ok(()));
    }
}
