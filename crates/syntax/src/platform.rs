//! Conditions of the build: which code a default build leaves out.
//!
//! The default build is for Linux on 64-bit x86, with no tags of its own. A condition on anything else, such as a
//! feature, is not known, and code under it counts as part of the build.

/// Operating systems and architectures that the default build is not for, as `cfg` and `//go:build` name them.
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "aix", "android", "darwin", "dragonfly", "freebsd", "fuchsia", "haiku", "illumos", "ios", "js", "macos", "netbsd",
    "nacl", "openbsd", "plan9", "redox", "solaris", "wasi", "wasip1", "windows", "zos", "visionos", "tvos", "watchos",
    "386", "aarch64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "powerpc",
    "powerpc64", "riscv64", "s390x", "sparc64", "wasm", "wasm32", "wasm64", "x86",
];

/// Macros that compilers define for other systems than the default one.
#[rustfmt::skip]
const OTHER_MACROS: &[&str] = &[
    "_WIN32", "WIN32", "_WIN64", "WIN64", "_WINDOWS", "_MSC_VER", "__CYGWIN__", "__MINGW32__", "__MINGW64__",
    "__APPLE__", "__MACH__", "__FreeBSD__", "__NetBSD__", "__OpenBSD__", "__DragonFly__", "__sun", "__sun__", "_AIX",
    "__HAIKU__", "__ANDROID__", "__EMSCRIPTEN__", "__MVS__", "__QNX__", "__wasm__", "__arm__", "__aarch64__", "__i386__",
];

/// Macros that compilers define for the default build.
const OWN_MACROS: &[&str] = &[
    "__linux__",
    "__linux",
    "linux",
    "__unix__",
    "__unix",
    "unix",
    "__GNUC__",
    "__x86_64__",
    "__amd64__",
    "__LP64__",
];

/// The value of a name in a condition; none if unknown.
type Known = fn(&str) -> Option<bool>;

/// Returns whether the default build leaves out what is under an attribute of Rust (`cfg(windows)`).
pub(crate) fn leaves_out(attribute: &str) -> bool {
    let inside = attribute
        .trim()
        .strip_prefix("cfg(")
        .and_then(|rest| rest.strip_suffix(')'));
    inside.is_some_and(|inside| cfg(inside, 0) == Some(false))
}

/// A predicate of `cfg`: `all(…)`, `any(…)`, `not(…)`, a name, or a name with a value.
fn cfg(text: &str, depth: u32) -> Option<bool> {
    let text = text.trim();
    if depth > 16 {
        return None;
    }
    let parts = |name: &str| {
        text.strip_prefix(name)?
            .trim()
            .strip_prefix('(')?
            .strip_suffix(')')
    };
    if let Some(inside) = parts("not") {
        return cfg(inside, depth + 1).map(|met| !met);
    }
    if let Some(inside) = parts("all") {
        return and(split(inside, ',')
            .into_iter()
            .map(|part| cfg(part, depth + 1)));
    }
    if let Some(inside) = parts("any") {
        return or(split(inside, ',')
            .into_iter()
            .map(|part| cfg(part, depth + 1)));
    }
    let Some((name, value)) = text.split_once('=') else {
        return named(text);
    };
    let value = value.trim().trim_matches('"');
    match name.trim() {
        "target_os" => Some(value == "linux"),
        "target_arch" => Some(value == "x86_64"),
        "target_family" => Some(value == "unix"),
        "target_pointer_width" => Some(value == "64"),
        "target_vendor" if value == "apple" => Some(false),
        _ => None,
    }
}

/// Returns whether the default build leaves out a file of Go, by the comments at its head.
pub(crate) fn leaves_out_go(source: &str) -> bool {
    let head = source
        .lines()
        .map(str::trim)
        .take_while(|line| line.is_empty() || line.starts_with("//") || line.starts_with("/*"));
    let mut old = Vec::new();
    for line in head {
        if let Some(condition) = line.strip_prefix("//go:build ") {
            return expression(condition, tag) == Some(false);
        }
        if let Some(options) = line.strip_prefix("// +build ") {
            // Options are separated by spaces, terms of one by commas.
            let option = |option: &str| and(option.split(',').map(|term| expression(term, tag)));
            old.push(or(options.split_whitespace().map(option)));
        }
    }
    !old.is_empty() && and(old.into_iter()) == Some(false)
}

/// A tag of Go: those that are not known are not set.
fn tag(name: &str) -> Option<bool> {
    let is_set =
        matches!(name, "linux" | "amd64" | "unix" | "gc" | "cgo") || name.starts_with("go1");
    Some(is_set)
}

/// Ranges of bytes in a text of C or C++ that the default build leaves out, in order.
pub(crate) fn left_out_of_c(source: &str) -> Vec<(u32, u32)> {
    let mut out: Vec<(u32, u32)> = Vec::new();
    // Of each open condition: whether a branch of it was taken, and whether the current branch is left out.
    let mut open: Vec<(Option<bool>, bool)> = Vec::new();
    let mut left_out_from = None;
    let mut at = 0u32;
    for line in source.split_inclusive('\n') {
        let start = at;
        at += line.len() as u32;
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim) else {
            continue;
        };
        let end = directive
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(directive.len());
        let (word, rest) = directive.split_at(end);
        match word {
            "if" | "ifdef" | "ifndef" => {
                let met = condition(word, rest);
                open.push((met, met == Some(false)));
            }
            "elif" | "else" => {
                let Some((taken, is_out)) = open.last_mut() else {
                    continue;
                };
                let met = if word == "else" {
                    Some(true)
                } else {
                    condition("if", rest)
                };
                *is_out = *taken == Some(true) || met == Some(false);
                *taken = or([*taken, met].into_iter());
            }
            "endif" => drop(open.pop()),
            _ => continue,
        }
        match (open.iter().any(|(_, is_out)| *is_out), left_out_from) {
            (true, None) => left_out_from = Some(at),
            (false, Some(from)) => {
                out.push((from, start));
                left_out_from = None;
            }
            _ => {}
        }
    }
    out
}

/// The condition of a directive.
fn condition(word: &str, rest: &str) -> Option<bool> {
    let rest = rest.split("//").next().unwrap_or(rest);
    let rest = rest.split("/*").next().unwrap_or(rest).trim();
    match word {
        "ifdef" => macro_named(rest),
        "ifndef" => macro_named(rest).map(|met| !met),
        _ => expression(rest, macro_named),
    }
}

fn macro_named(name: &str) -> Option<bool> {
    match name {
        "0" => Some(false),
        "1" => Some(true),
        _ if OTHER_MACROS.contains(&name) => Some(false),
        _ if OWN_MACROS.contains(&name) => Some(true),
        _ => None,
    }
}

fn named(name: &str) -> Option<bool> {
    match name {
        "unix" => Some(true),
        _ if OTHERS.contains(&name) => Some(false),
        _ => None,
    }
}

/// An expression of names, `!`, `&&`, `||` and parentheses; `defined(x)` is x. Comparisons are not known.
fn expression(text: &str, known: Known) -> Option<bool> {
    within(text, known, 0)
}

fn within(text: &str, known: Known, depth: u32) -> Option<bool> {
    let text = text.trim();
    if depth > 16 || text.is_empty() {
        return None;
    }
    let alternatives = split(text, '|');
    if alternatives.len() > 1 {
        let parts = alternatives.iter().filter(|part| !part.trim().is_empty());
        return or(parts.map(|part| within(part, known, depth + 1)));
    }
    let terms = split(text, '&');
    if terms.len() > 1 {
        let parts = terms.iter().filter(|part| !part.trim().is_empty());
        return and(parts.map(|part| within(part, known, depth + 1)));
    }
    if let Some(rest) = text.strip_prefix('!').filter(|rest| !rest.starts_with('=')) {
        return within(rest, known, depth + 1).map(|met| !met);
    }
    if let Some(inside) = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        return within(inside, known, depth + 1);
    }
    if let Some(name) = text.strip_prefix("defined") {
        return known(
            name.trim()
                .trim_start_matches('(')
                .trim_end_matches(')')
                .trim(),
        );
    }
    let is_name = text
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    if is_name { known(text) } else { None }
}

/// Pieces between separators outside of parentheses.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut depth = 0usize;
    text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == separator && depth == 0
    })
    .collect()
}

/// False if one is false, true if all are true, else not known.
fn and(all: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut met = Some(true);
    for one in all {
        match one {
            Some(true) => {}
            Some(false) => return Some(false),
            None => met = None,
        }
    }
    met
}

/// True if one is true, false if all are false, else not known.
fn or(all: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    and(all.map(|one| one.map(|met| !met))).map(|met| !met)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_of_rust() {
        for text in [
            "cfg(windows)",
            "cfg(not(unix))",
            "cfg(target_os = \"macos\")",
            "cfg(all(feature = \"a\", windows))",
            "cfg(any(windows, target_arch = \"wasm32\"))",
            "cfg(not(any(unix, feature = \"a\")))",
        ] {
            assert!(leaves_out(text), "{text}");
        }
        for text in [
            "cfg(unix)",
            "cfg(feature = \"a\")",
            "cfg(test)",
            "cfg(not(feature = \"a\"))",
            "cfg(any(windows, feature = \"a\"))",
            "derive(Debug)",
            "cfg(",
        ] {
            assert!(!leaves_out(text), "{text}");
        }
    }

    #[test]
    fn comments_of_go() {
        for text in [
            "//go:build windows\n\npackage a\n",
            "// About.\n\n//go:build !linux || (darwin && cgo)\npackage a",
            "//go:build integration\npackage a",
            "// +build windows darwin\n// +build cgo\n\npackage a",
            "//go:build ignore\npackage main",
        ] {
            assert!(leaves_out_go(text), "{text}");
        }
        for text in [
            "package a\n//go:build windows\n",
            "//go:build linux && amd64\npackage a",
            "//go:build !windows\npackage a",
            "//go:build go1.18 && (unix || windows)\npackage a",
            "// +build linux,amd64 windows\npackage a",
        ] {
            assert!(!leaves_out_go(text), "{text}");
        }
    }

    #[test]
    fn directives_of_c() {
        let source = "#ifdef _WIN32\nint a;\n#else\nint b;\n#endif\n#if defined(__APPLE__) || defined(_WIN32)\nint c;\n#elif X\nint d;\n#else\nint e;\n#endif\n#if 0\nint f;\n#endif\n#ifndef _WIN32\nint g;\n#else\n# if Y\nint h;\n# endif\n#endif\nint i;\n";
        let out = left_out_of_c(source);
        let is_out = |name: char| {
            let at = source.find(&format!("int {name}")).unwrap_or_default() as u32;
            out.iter().any(|(from, to)| *from <= at && at < *to)
        };
        let found: String = ('a'..='i').filter(|name| is_out(*name)).collect();
        assert_eq!(found, "acfh");
    }
}
