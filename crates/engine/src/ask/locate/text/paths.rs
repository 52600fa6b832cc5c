//! Paths that a text names: with folders or a known ending, with a line or without, in URLs of code hosts.

/// A file that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathMention {
    /// As written, with `/` between its parts.
    pub(crate) path: String,
    /// Its line, 1-based.
    pub(crate) line: Option<u32>,
}

/// Endings of files with code.
const ENDINGS: &[&str] = &[
    "py", "pyi", "pyx", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "java", "kt", "kts",
    "scala", "cs", "go", "rs", "rb", "php", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "swift",
    "m", "mm", "ex", "exs", "dart", "lua", "zig", "hs", "sh", "bash", "vue", "svelte", "sql",
    "toml", "yaml", "yml", "json", "cfg", "ini", "html", "css", "scss", "proto", "gradle", "cmake",
    "jl",
];

/// Longest path.
const MAX_PATH: usize = 300;

/// Whether a file's name ends as code or settings do.
pub(crate) fn has_code_ending(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

/// Every path of a line. Linear in the line.
pub(crate) fn of_line(line: &str) -> Vec<PathMention> {
    let is_end = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\''
                    | '`'
                    | '('
                    | ')'
                    | '<'
                    | '>'
                    | ','
                    | ';'
                    | '|'
                    | '['
                    | ']'
                    | '{'
                    | '}'
                    | '='
                    | '*'
            )
    };
    let words = line.split(is_end).filter(|word| word.contains('.'));
    words.filter_map(of_word).collect()
}

/// The path of a word such as `src/a.py:12:3`, `./a.rs` or `C:\a\b.cs`.
pub(crate) fn of_word(word: &str) -> Option<PathMention> {
    let word = word.trim_matches(|c: char| matches!(c, '.' | ':' | '!' | '?') && c != '.');
    let word = word.trim_end_matches('.');
    if word.len() > MAX_PATH || word.contains("://") {
        return None;
    }
    let (path, line) = split_line(word);
    let path = path.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem_is_name = name
        .split('.')
        .next()
        .is_some_and(|stem| !stem.is_empty() && stem.contains(|c: char| c.is_ascii_alphabetic()));
    (has_code_ending(path) && stem_is_name).then(|| PathMention {
        path: path.to_owned(),
        line,
    })
}

/// Splits `path:line` and `path:line:column`; `path#L12`.
pub(crate) fn split_line(word: &str) -> (&str, Option<u32>) {
    if let Some((path, line)) = word.split_once("#L") {
        let digits = line.split(|c: char| !c.is_ascii_digit()).next();
        return (path, digits.and_then(|digits| digits.parse().ok()));
    }
    // A drive's letter keeps its colon.
    let from = if word.as_bytes().get(1) == Some(&b':') {
        2
    } else {
        0
    };
    let Some(at) = word[from..].find(':') else {
        return (word, None);
    };
    let (path, rest) = (&word[..from + at], &word[from + at + 1..]);
    let line = rest.split(':').next().and_then(|line| line.parse().ok());
    (path, line)
}

/// The file that a URL of a code host leads to: `…/blob/REVISION/path#L12`, `…/tree/REVISION/path`, `raw` likewise.
pub(crate) fn of_url(url: &str) -> Option<PathMention> {
    let marks = ["/blob/", "/-/blob/", "/src/branch/", "/raw/"];
    let after = marks.iter().find_map(|mark| url.split_once(mark))?.1;
    let (_, path) = after.split_once('/')?;
    let (path, line) = split_line(path);
    let path = path.split(['?', '#']).next().unwrap_or(path);
    (!path.is_empty() && path.len() <= MAX_PATH).then(|| PathMention {
        path: path.to_owned(),
        line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &[(&str, Option<u32>)]) {
        let found = of_line(line);
        let found: Vec<_> = found
            .iter()
            .map(|found| (found.path.as_str(), found.line))
            .collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn paths_of_a_line() {
        check(
            "in src/a/b.py:12 and `c.rs`.",
            &[("src/a/b.py", Some(12)), ("c.rs", None)],
        );
        check("./lib/x.ts:4:7: error", &[("lib/x.ts", Some(4))]);
        check(r"C:\app\Main.cs:9", &[("C:/app/Main.cs", Some(9))]);
        check("version 3.12.1, e.g. Node and 1.5.c", &[]);
        check(
            "setup.cfg, then pyproject.toml",
            &[("setup.cfg", None), ("pyproject.toml", None)],
        );
    }

    #[test]
    fn urls_of_code_hosts() {
        let of = |url| of_url(url).map(|found| (found.path, found.line));
        let path = |path: &str, line| Some((path.to_owned(), line));
        assert_eq!(
            of("https://github.com/o/r/blob/main/a/b.go#L3-L9"),
            path("a/b.go", Some(3))
        );
        assert_eq!(
            of("https://gitlab.com/o/r/-/blob/v1/a.rb"),
            path("a.rb", None)
        );
        assert_eq!(of("https://github.com/o/r/issues/12"), None);
    }
}
