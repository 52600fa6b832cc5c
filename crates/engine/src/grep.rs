//! Regular expressions over the texts: linear time whatever the pattern, size limits on what it compiles to.

use regex::{Regex, RegexBuilder};
use source::FileId;

use crate::filter::FileFilter;
use crate::position::line_start;
use crate::search::utf16_marks;
use crate::{Error, ErrorKind, Reader};

/// What a pattern may compile to, in bytes.
const MAX_COMPILED: usize = 4 << 20;
/// Longer lines are shown around their first match only.
const MAX_SHOWN: usize = 2_000;
/// Bytes shown before the first match of such a line.
const SHOWN_BEFORE: usize = 200;
/// Context beyond this is a file, not context.
pub const MAX_CONTEXT_LINES: usize = 10;

/// A pattern and where to look for it.
#[derive(Debug, Clone)]
pub struct GrepQuery<'a> {
    /// In the syntax of Rust's `regex` crate. `^` and `$` are the ends of lines.
    pub pattern: &'a str,
    /// Upper and lower case are the same.
    pub ignore_case: bool,
    /// Only whole words.
    pub whole_word: bool,
    /// Which files are looked at.
    pub files: FileFilter,
    /// Lines shown before and after, at most [`MAX_CONTEXT_LINES`].
    pub context_lines: usize,
    /// At most so many matching lines.
    pub limit: usize,
}

/// Matching lines by path and line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GrepAnswer {
    /// The lines.
    pub lines: Vec<MatchingLine>,
    /// Whether there are more than the limit.
    pub truncated: bool,
    /// Files looked at.
    pub n_files: usize,
}

/// A line that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchingLine {
    /// Its file.
    pub file: FileId,
    /// 0-based.
    pub line: u32,
    /// Without its break, at most 2,000 bytes around the first match.
    pub text: String,
    /// What matches, as half-open ranges of UTF-16 code units of `text`. A match over several lines counts for the first.
    pub marks: Vec<(u32, u32)>,
    /// Lines before.
    pub before: Vec<String>,
    /// Lines after.
    pub after: Vec<String>,
}

impl Reader {
    /// The lines that match. Time is linear in the texts looked at.
    ///
    /// # Errors
    ///
    /// `query.empty`, `regex.syntax`, `regex.size`; `snapshot.without` for a snapshot without texts.
    pub fn grep(&self, query: &GrepQuery<'_>) -> Result<GrepAnswer, Error> {
        let regex = compile(query)?;
        let mut answer = GrepAnswer::default();
        for file in self
            .files()
            .filter(|file| query.files.passes(self.path(*file), self.language(*file)))
        {
            answer.n_files += 1;
            let left = query.limit - answer.lines.len();
            let mut lines = matching_lines(
                &regex,
                file,
                self.text(file)?,
                left + 1,
                query.context_lines,
            );
            if lines.len() > left {
                lines.truncate(left);
                answer.truncated = true;
            }
            answer.lines.append(&mut lines);
            if answer.truncated {
                break;
            }
        }
        Ok(answer)
    }
}

fn compile(query: &GrepQuery<'_>) -> Result<Regex, Error> {
    if query.pattern.is_empty() {
        return Err(Error::new(ErrorKind::QueryEmpty, "the pattern is empty"));
    }
    let build = |pattern: &str| {
        RegexBuilder::new(pattern)
            .case_insensitive(query.ignore_case)
            .multi_line(true)
            .crlf(true)
            .size_limit(MAX_COMPILED)
            .dfa_size_limit(MAX_COMPILED)
            .build()
            .map_err(|error| unusable(&error))
    };
    // On its own first: wrapped, `a)|(b` would be a valid pattern, and messages would show what nobody wrote.
    let plain = build(query.pattern)?;
    if query.whole_word {
        build(&format!(r"\b(?:{})\b", query.pattern))
    } else {
        Ok(plain)
    }
}

fn unusable(error: &regex::Error) -> Error {
    match error {
        regex::Error::CompiledTooBig(limit) => Error::new(
            ErrorKind::RegexSize,
            format!("the pattern compiles to more than {limit} bytes"),
        )
        .with_help("use smaller repetitions"),
        _ => Error::new(ErrorKind::RegexSyntax, error.to_string()),
    }
}

fn matching_lines(
    regex: &Regex,
    file: FileId,
    text: &str,
    limit: usize,
    n_context: usize,
) -> Vec<MatchingLine> {
    let mut lines = Vec::new();
    let (mut counted, mut line) = (0, 0);
    let mut matches = regex
        .find_iter(text)
        .filter(|found| !found.is_empty())
        .peekable();
    while let Some(first) = matches.next() {
        if lines.len() >= limit {
            break;
        }
        let start = line_start(text, first.start());
        let end = text[start..]
            .find('\n')
            .map_or(text.len(), |length| start + length);
        line += text[counted..start].matches('\n').count() as u32;
        counted = start;
        let mut found = vec![(first.start(), first.end().min(end))];
        while let Some(next) = matches.next_if(|next| next.start() < end) {
            found.push((next.start(), next.end().min(end)));
        }
        let (text_shown, marks) = shown(&text[start..end], start, &found);
        lines.push(MatchingLine {
            file,
            line,
            text: text_shown,
            marks,
            before: lines_before(text, start, n_context),
            after: text[end..]
                .lines()
                .skip(1)
                .take(n_context)
                .map(str::to_owned)
                .collect(),
        });
    }
    lines
}

/// The line, or the part of a long one around its first match; and the marks within that.
fn shown(line: &str, start: usize, found: &[(usize, usize)]) -> (String, Vec<(u32, u32)>) {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let first = found.first().map_or(0, |(from, _)| from - start);
    let from = if line.len() > MAX_SHOWN {
        line.floor_char_boundary(first.saturating_sub(SHOWN_BEFORE))
    } else {
        0
    };
    let to = line.floor_char_boundary(from + MAX_SHOWN);
    let within = |offset: usize| (offset - start).clamp(from, to) - from;
    let marks = found
        .iter()
        .map(|(mark, end)| (within(*mark), within(*end)))
        .filter(|(mark, end)| mark < end);
    let text = &line[from..to];
    (text.to_owned(), utf16_marks(text, marks))
}

/// Up to `n` lines that end before `start`, in order.
fn lines_before(text: &str, start: usize, n: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut end = start;
    while end > 0 && lines.len() < n {
        let from = line_start(text, end - 1);
        lines.push(text[from..end].trim_end_matches(['\n', '\r']).to_owned());
        end = from;
    }
    lines.reverse();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn query(pattern: &str) -> GrepQuery<'_> {
        GrepQuery {
            pattern,
            ignore_case: false,
            whole_word: false,
            files: FileFilter::new(&[], &[]).unwrap(),
            context_lines: 1,
            limit: 10,
        }
    }

    /// Line, its text, its marks.
    type Line<'a> = (u32, &'a str, &'a [(u32, u32)]);

    fn check(query: &GrepQuery<'_>, text: &str, expected: &[Line<'_>]) {
        let lines = matching_lines(
            &compile(query).unwrap(),
            FileId(0),
            text,
            query.limit,
            query.context_lines,
        );
        let lines: Vec<_> = lines
            .iter()
            .map(|line| (line.line, line.text.as_str(), line.marks.as_slice()))
            .collect();
        assert_eq!(lines, expected, "{}", query.pattern);
    }

    const TEXT: &str = "🦀 add(a)\r\nlet adds = add;\n\nfn Add\n";

    #[test]
    fn lines_with_marks() {
        check(
            &query("add"),
            TEXT,
            &[
                (0, "🦀 add(a)", &[(3, 6)]),
                (1, "let adds = add;", &[(4, 7), (11, 14)]),
            ],
        );
        check(
            &GrepQuery {
                whole_word: true,
                ..query("add")
            },
            TEXT,
            &[
                (0, "🦀 add(a)", &[(3, 6)]),
                (1, "let adds = add;", &[(11, 14)]),
            ],
        );
        check(
            &GrepQuery {
                ignore_case: true,
                ..query("^fn add$")
            },
            TEXT,
            &[(3, "fn Add", &[(0, 6)])],
        );
        check(&query(r"\)$"), TEXT, &[(0, "🦀 add(a)", &[(8, 9)])]);
        check(&query(r"a\)\r\nlet"), TEXT, &[(0, "🦀 add(a)", &[(7, 9)])]);
        check(&query("x*"), TEXT, &[]);
        let each: Vec<(u32, u32)> = [(0, 2)]
            .into_iter()
            .chain((2..9).map(|n| (n, n + 1)))
            .collect();
        check(
            &GrepQuery {
                limit: 1,
                ..query(".")
            },
            TEXT,
            &[(0, "🦀 add(a)", &each)],
        );
    }

    #[test]
    fn context_is_the_lines_around() {
        let line = &matching_lines(&compile(&query("adds")).unwrap(), FileId(0), TEXT, 1, 2)[0];
        assert_eq!(
            (line.before.as_slice(), line.after.as_slice()),
            (
                &["🦀 add(a)".to_owned()][..],
                &[String::new(), "fn Add".to_owned()][..]
            )
        );
    }

    #[test]
    fn long_lines_are_shown_around_the_match() {
        let text = format!("{}needle{}", "é".repeat(3_000), "x".repeat(3_000));
        let line = &matching_lines(&compile(&query("needle")).unwrap(), FileId(0), &text, 1, 0)[0];
        assert!(line.text.len() <= MAX_SHOWN);
        let (start, end) = line.marks[0];
        assert_eq!(
            &line.text.chars().collect::<Vec<_>>()[start as usize..end as usize],
            ['n', 'e', 'e', 'd', 'l', 'e']
        );
    }

    #[test]
    fn unusable_patterns_are_named() {
        let code = |pattern: &str, whole_word| {
            compile(&GrepQuery {
                whole_word,
                ..query(pattern)
            })
            .unwrap_err()
            .code()
        };
        assert_eq!(code("(", false), "regex.syntax");
        assert_eq!(code("a)|(b", true), "regex.syntax");
        assert_eq!(code(r"\w{5000}{5000}", false), "regex.size");
        assert_eq!(code("", false), "query.empty");
    }

    proptest! {
        #[test]
        fn any_pattern_on_any_text(pattern in "[ab.*+?|^$\\\\()🦀\n]{0,8}", text in "[ab🦀\r\n]{0,30}") {
            if let Ok(regex) = compile(&query(&pattern)) {
                for line in matching_lines(&regex, FileId(0), &text, 100, 2) {
                    let units = line.text.encode_utf16().count() as u32;
                    prop_assert!(line.marks.iter().all(|(start, end)| start < end && *end <= units));
                    let found = text.split('\n').nth(line.line as usize).unwrap();
                    prop_assert_eq!(found.strip_suffix('\r').unwrap_or(found), line.text);
                }
            }
        }
    }
}
