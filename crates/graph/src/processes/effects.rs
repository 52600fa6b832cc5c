//! Finds functions that act on the world outside: they write, send, store or start something.
//!
//! An effect is a call that leads out of the repository by a verb that says so. Some verbs are clear by themselves
//! (`sendmsg`, `unlink`); others (`open`, `post`) only count in a file that imports a module for files, networks,
//! databases or processes.

use syntax::facts::{FileFacts, Import, Reference};
use syntax::order::InOrder;

use crate::layout::Layout;
use crate::resolution::RawUse;

/// First words of names of calls that act on the outside wherever they are, sorted.
const CLEAR: &[&str] = &[
    "accept", "bind", "commit", "connect", "epoll", "exec", "execute", "execv", "execve", "execvp",
    "fetch", "flush", "fork", "fprintf", "fputs", "fsync", "fwrite", "hijack", "insert", "kevent",
    "kill", "listen", "mkdir", "mmap", "persist", "poll", "popen", "publish", "pwrite", "recv",
    "recvfrom", "recvmsg", "rmdir", "send", "sendall", "sendfile", "sendmsg", "sendto", "serve",
    "socket", "spawn", "truncate", "unlink", "upsert", "urlopen", "write", "writev",
];
/// The same in files that import a module of [`MODULES`].
const VAGUE: &[&str] = &[
    "append", "close", "copy", "create", "delete", "get", "open", "patch", "post", "put", "query",
    "read", "remove", "rename", "request", "run", "save", "update", "upload",
];
/// Parts of the names of modules for files, networks, databases and processes.
const MODULES: &[&str] = &[
    "aiohttp",
    "axios",
    "boto3",
    "child_process",
    "dgram",
    "diesel",
    "fs",
    "ftplib",
    "grpc",
    "http",
    "http2",
    "httpx",
    "https",
    "hyper",
    "jdbc",
    "mongodb",
    "mongoose",
    "mysql",
    "net",
    "nio",
    "pg",
    "psycopg",
    "psycopg2",
    "redis",
    "reqwest",
    "requests",
    "shutil",
    "smtplib",
    "socket",
    "sql",
    "sqlalchemy",
    "sqlite",
    "sqlite3",
    "sqlx",
    "subprocess",
    "tls",
    "tonic",
    "urllib",
    "urllib3",
];
/// Bytes of the longest word above.
const LONGEST: usize = 13;

/// How much each node acts on the outside: 0 not at all, 1 vaguely, 2 clearly. About O(references).
pub(super) fn effects(layout: &Layout<'_>, uses: &[Vec<RawUse>]) -> Vec<u8> {
    let mut effects = vec![0; layout.end() as usize];
    for ((file, input), uses) in (0..).zip(layout.files).zip(uses) {
        let mut does_io = None;
        let mut resolved = None;
        let references = &input.facts.references;
        for (at, reference) in references.iter().enumerate() {
            let Some(symbol) = reference.enclosing.filter(|_| reference.form.is_call()) else {
                continue;
            };
            if talks(&references[..at], reference) {
                continue;
            }
            let effect = &mut effects[layout.node(file, symbol) as usize];
            let strength = strength(&reference.name, || {
                *does_io.get_or_insert_with(|| imports_io(input.facts))
            });
            // A name that is resolved to code of the repository leads there, not to the outside.
            if strength > *effect {
                let resolved = resolved.get_or_insert_with(|| resolved_starts(uses, layout.end()));
                if resolved.binary_search(&reference.span.start).is_err() {
                    *effect = strength;
                }
            }
        }
    }
    effects
}

/// Whether a call writes to the terminal (`process.stderr.write`): that tells a person something, and changes nothing.
fn talks(before: &[Reference], call: &Reference) -> bool {
    let Some(receiver) = call.receiver else {
        return false;
    };
    let mut in_receiver = before
        .iter()
        .rev()
        .take_while(|other| other.span.start >= receiver.start);
    in_receiver.any(|other| ["stderr", "stdout", "Stderr", "Stdout"].contains(&other.name.as_str()))
}

fn strength(name: &str, does_io: impl FnOnce() -> bool) -> u8 {
    let mut lower = [0; LONGEST];
    let Some(word) = first_word(name, &mut lower) else {
        return 0;
    };
    if CLEAR.binary_search(&word).is_ok() {
        2
    } else if VAGUE.binary_search(&word).is_ok() && does_io() {
        1
    } else {
        0
    }
}

/// The first word of an identifier in lower case, if it is short enough to be in a list: `writeFile` → `write`.
fn first_word<'a>(name: &str, lower: &'a mut [u8; LONGEST]) -> Option<&'a str> {
    let name = name.trim_start_matches('_').as_bytes();
    let is_past =
        |(at, byte): (usize, &u8)| at > 0 && !byte.is_ascii_lowercase() && !byte.is_ascii_digit();
    let end = name
        .iter()
        .enumerate()
        .position(is_past)
        .unwrap_or(name.len());
    let lower = lower.get_mut(..end)?;
    lower.copy_from_slice(&name[..end]);
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower).ok()
}

fn imports_io(facts: &FileFacts) -> bool {
    let is_io = |import: &Import| {
        let mut words = import
            .module
            .split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| MODULES.contains(&word))
    };
    facts.imports.iter().any(is_io)
}

/// First bytes of the uses that lead to code of the repository, in order. Nodes from `end` on are packages outside.
pub(super) fn resolved_starts(uses: &[RawUse], end: u32) -> Vec<u32> {
    let resolved = uses.iter().filter(|used| used.target < end);
    let mut starts: Vec<u32> = resolved.map(|used| used.span.start).collect();
    starts.order_by(Ord::cmp);
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_say_what_acts_on_the_outside() {
        for (name, with_io, without) in [
            ("writeFileSync", 2, 2),
            ("sendmsg", 2, 2),
            ("open_connection", 1, 0),
            ("_send", 2, 2),
            ("POST", 0, 0),
            ("Post", 1, 0),
            ("getter", 0, 0),
            ("normalizeEverything", 0, 0),
        ] {
            assert_eq!(strength(name, || true), with_io, "{name}");
            assert_eq!(strength(name, || false), without, "{name}");
        }
    }

    #[test]
    fn words_are_sorted_and_fit_the_buffer() {
        assert!(CLEAR.is_sorted() && VAGUE.is_sorted());
        for word in CLEAR.iter().chain(VAGUE) {
            assert!(word.len() <= LONGEST, "{word}");
        }
    }
}
