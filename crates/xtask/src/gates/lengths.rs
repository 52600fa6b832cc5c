//! How long a file may be. Longer ones hold two things, and are read by nobody from end to end.

use super::files::{text, tracked};
use super::{Outcome, judged};
use crate::setup::Toolbox;
use crate::shell::Result;

const LONGEST: usize = 430;
/// A table in the form of code: tests, their data and what is generated are as long as their cases.
const DATA: [&str; 3] = ["/tests/", ".test.", ".snap."];

/// A file that is longer, up to where, and why it is one file still.
struct Exception {
    path: &'static str,
    most: usize,
    reason: &'static str,
}

const EXCEPTIONS: [Exception; 2] = [
    long(
        "crates/search/src/names/mod.rs",
        485,
        "format, builder and reader of one section",
    ),
    long(
        "crates/embed/src/static_model.rs",
        440,
        "format and arithmetic of one model",
    ),
];

const fn long(path: &'static str, most: usize, reason: &'static str) -> Exception {
    Exception { path, most, reason }
}

pub fn check(_: &Toolbox) -> Result<Outcome> {
    let lengths: Vec<_> = tracked(&[".rs", ".ts", ".tsx", ".mjs", ".js"])?
        .into_iter()
        .filter(|path| !is_data(path))
        .filter_map(|path| {
            let n_lines = text(&path)?.lines().count();
            Some((path, n_lines))
        })
        .collect();
    judged(
        &faults(&lengths, &EXCEPTIONS),
        "split it by what its parts are about; the exceptions are named in crates/xtask/src/gates/lengths.rs",
    )
}

fn is_data(path: &str) -> bool {
    path.starts_with("tests/") || DATA.iter().any(|part| path.contains(part))
}

/// Files that are too long, and exceptions that are none any more.
fn faults(lengths: &[(String, usize)], exceptions: &[Exception]) -> Vec<String> {
    let length_of = |path: &str| lengths.iter().find(|(other, _)| other == path);
    let too_long = lengths.iter().filter_map(|(path, n_lines)| {
        let exception = exceptions.iter().find(|exception| exception.path == path);
        let most = exception.map_or(LONGEST, |exception| exception.most);
        (*n_lines > most).then(|| format!("{path}: {n_lines} lines, more than {most}"))
    });
    let stale = exceptions.iter().filter_map(|exception| {
        let Exception { path, reason, .. } = exception;
        let is_long = length_of(path).is_some_and(|(_, n_lines)| *n_lines > LONGEST);
        (!is_long).then(|| format!("{path} is no exception any more ({reason})"))
    });
    too_long.chain(stale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lengths: &[(&str, usize)], exceptions: &[Exception], want: &[&str]) {
        let lengths: Vec<_> = lengths
            .iter()
            .map(|&(path, n_lines)| (path.to_owned(), n_lines))
            .collect();
        assert_eq!(faults(&lengths, exceptions), want);
    }

    #[test]
    fn long_files_are_faults_unless_named() {
        check(&[("a.rs", LONGEST)], &[], &[]);
        check(&[("a.rs", 431)], &[], &["a.rs: 431 lines, more than 430"]);
        let table = || [long("a.rs", 500, "a table")];
        check(&[("a.rs", 500)], &table(), &[]);
        check(
            &[("a.rs", 501)],
            &table(),
            &["a.rs: 501 lines, more than 500"],
        );
    }

    #[test]
    fn exceptions_end() {
        let table = || [long("a.rs", 500, "a table")];
        let stale = ["a.rs is no exception any more (a table)"];
        check(&[("a.rs", 430)], &table(), &stale);
        check(&[], &table(), &stale);
    }
}
