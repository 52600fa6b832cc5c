//! Registries are known to their clients, which may be set to mirrors. A text that names the host of one sends readers
//! and programs past that setting.

use super::files::{text, tracked};
use super::{Outcome, judged};
use crate::setup::Toolbox;
use crate::shell::Result;

/// In two parts each, so that this file names none.
const HOSTS: [&str; 14] = [
    concat!("crates", ".io"),
    concat!("docs", ".rs/"),
    concat!("npmjs", ".com"),
    concat!("npmjs", ".org"),
    concat!("yarnpkg", ".com"),
    concat!("jsr", ".io"),
    concat!("unpkg", ".com"),
    concat!("jsdelivr", ".net"),
    concat!("pypi", ".org"),
    concat!("pythonhosted", ".org"),
    concat!("deb.debian", ".org"),
    concat!("rubygems", ".org"),
    concat!("proxy.golang", ".org"),
    concat!("ghcr", ".io"),
];

/// Files that may name one, and why.
const EXCEPTIONS: [(&str, &str); 2] = [
    (
        "Cargo.lock",
        "cargo writes the name of its registry into every entry",
    ),
    (
        "crates/embed/tests/tokens.jsonl",
        "texts as tokens: data that a tokenizer of others has made",
    ),
];

pub fn check(_: &Toolbox) -> Result<Outcome> {
    let mut faults = Vec::new();
    for path in tracked(&[])? {
        if EXCEPTIONS.iter().any(|(exempt, _)| *exempt == path) {
            continue;
        }
        let Some(text) = text(&path) else {
            continue; // no text
        };
        faults.extend(named(&text).map(|(line, host)| format!("{path}:{line} names {host}")));
    }
    judged(
        &faults,
        "say the registry's name (npm, PyPI, Cargo's registry) and leave the address to its client",
    )
}

/// Lines, 1-based, that name a host.
fn named(text: &str) -> impl Iterator<Item = (usize, &'static str)> {
    text.lines().enumerate().filter_map(|(at, line)| {
        // A lock file that npm has written against a registry, whichever it is.
        if line.trim_start().starts_with("\"resolved\": \"http") {
            return Some((at + 1, "the host that a package came from"));
        }
        let host = HOSTS.iter().find(|host| line.contains(**host))?;
        Some((at + 1, *host))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_found_by_line() {
        let text = format!("a\nsee https://www.{}/package/x\nnpm and PyPI\n", HOSTS[2]);
        assert_eq!(named(&text).collect::<Vec<_>>(), [(2, HOSTS[2])]);
        let lock = "{\n      \"resolved\": \"https://mirror.example/x.tgz\",\n";
        assert_eq!(named(lock).count(), 1);
        assert_eq!(named("      \"resolved\": \"pkg\",\n").count(), 0);
    }
}
