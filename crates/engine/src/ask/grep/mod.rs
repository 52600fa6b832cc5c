//! Regular expression search over the texts: a limit on the compiled size of a pattern, and one budget of steps for all
//! texts. A time limit is the last resort, if a clock is given.

mod lines;
mod windows;

use syntax::{Allowance, Budget, CountedRegex, RegexConfig, RegexError};

pub use self::lines::MatchingLine;
use self::lines::matching_lines;
use self::windows::{Clock, Finder, Search};
use crate::budget::CutOff;
use crate::filter::FileFilter;
use crate::{Error, ErrorKind, Reader};

/// Maximum length of a pattern, in bytes.
const MAX_PATTERN: usize = 16 * 1024;
/// Maximum compiled size of a pattern, in bytes.
const MAX_COMPILED: usize = 4 << 20;
/// Maximum number of steps of one search: four times what an ordinary pattern takes in the largest sources that one
/// index holds (0.34 GB). A step is eight bytes skipped, or 16 states of the pattern tried.
pub const MAX_GREP_STEPS: u64 = 200_000_000;
/// Maximum number of context lines: more would be a file, not context.
pub const MAX_CONTEXT_LINES: usize = 10;

/// A pattern and where to search for it.
#[derive(Clone)]
pub struct GrepQuery<'a> {
    /// Regular expression in the syntax of Rust's `regex` crate. `^` and `$` match at the ends of lines.
    pub pattern: &'a str,
    /// Whether upper and lower case are the same.
    pub ignore_case: bool,
    /// Whether only whole words match.
    pub whole_word: bool,
    /// Which files are searched.
    pub files: FileFilter,
    /// Number of lines shown before and after a match, at most [`MAX_CONTEXT_LINES`].
    pub context_lines: usize,
    /// Maximum number of matching lines.
    pub limit: usize,
    /// Maximum number of steps of all texts together; usually [`MAX_GREP_STEPS`].
    pub max_steps: u64,
    /// Maximum time of the search, in milliseconds of `clock`.
    pub max_millis: f64,
    /// Milliseconds since some moment; without it there is no time limit.
    pub clock: Option<Clock<'a>>,
}

/// Matching lines, sorted by path and line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GrepAnswer {
    /// The matching lines.
    pub lines: Vec<MatchingLine>,
    /// Whether there are more lines than the limit.
    pub truncated: bool,
    /// Where the budget ended, if it did before all files were searched.
    pub cut_off: Option<CutOff>,
    /// Number of files searched to their end.
    pub n_files: usize,
}

impl Reader {
    /// Returns the lines that match, within the budget of the query.
    ///
    /// # Errors
    ///
    /// `query.empty`, `regex.syntax`, `regex.size`; `snapshot.without` for a snapshot without texts.
    pub fn grep(&self, query: &GrepQuery<'_>) -> Result<GrepAnswer, Error> {
        let mut search = search(query)?;
        let mut answer = GrepAnswer::default();
        for file in self
            .files()
            .filter(|file| query.files.passes(self.path(*file), self.language(*file)))
        {
            let left = query.limit - answer.lines.len();
            let text = self.text(file)?;
            let mut finder = Finder::new(&mut search, text);
            let mut lines = matching_lines(&mut finder, file, left + 1, query.context_lines);
            if lines.len() > left {
                lines.truncate(left);
                answer.truncated = true;
            }
            answer.lines.append(&mut lines);
            answer.cut_off = search.budget.spent().map(|spent| CutOff { file, spent });
            if answer.truncated || answer.cut_off.is_some() {
                break;
            }
            answer.n_files += 1;
        }
        Ok(answer)
    }
}

fn search<'a>(query: &GrepQuery<'a>) -> Result<Search<'a>, Error> {
    let allowed = Allowance {
        millis: query.max_millis,
        ..Allowance::steps(query.max_steps)
    };
    Ok(Search::new(
        compile(query)?,
        Budget::new(allowed, query.clock),
    ))
}

fn compile(query: &GrepQuery<'_>) -> Result<CountedRegex, Error> {
    if query.pattern.is_empty() {
        return Err(Error::new(ErrorKind::QueryEmpty, "the pattern is empty"));
    }
    let config = RegexConfig {
        ignore_case: query.ignore_case,
        lines: true,
        max_pattern: MAX_PATTERN,
        max_compiled: MAX_COMPILED,
    };
    // Compile the pattern on its own first: wrapped, `a)|(b` would be valid, and messages would show text that nobody
    // wrote.
    let plain = CountedRegex::new(query.pattern, &config).map_err(unusable)?;
    if !query.whole_word {
        return Ok(plain);
    }
    let config = RegexConfig {
        max_pattern: MAX_PATTERN + 16,
        ..config
    };
    CountedRegex::new(&format!(r"\b(?:{})\b", query.pattern), &config).map_err(unusable)
}

fn unusable(error: RegexError) -> Error {
    match error {
        RegexError::Long(limit) => {
            let message = format!("the pattern is longer than {limit} bytes");
            Error::new(ErrorKind::RegexSize, message)
        }
        RegexError::Large(limit) => {
            let message = format!("the pattern compiles to more than {limit} bytes");
            Error::new(ErrorKind::RegexSize, message).with_help("use smaller repetitions")
        }
        RegexError::Syntax(message) => Error::new(ErrorKind::RegexSyntax, message),
    }
}

#[cfg(test)]
mod tests {
    use super::lines::MAX_SHOWN;
    use super::*;
    use proptest::prelude::*;
    use source::FileId;
    use syntax::Spent;

    fn query(pattern: &str) -> GrepQuery<'_> {
        GrepQuery {
            pattern,
            ignore_case: false,
            whole_word: false,
            files: FileFilter::new(&[], &[]).unwrap(),
            context_lines: 1,
            limit: 10,
            max_steps: MAX_GREP_STEPS,
            max_millis: 0.0,
            clock: None,
        }
    }

    /// Line, its text, its marks.
    type Line<'a> = (u32, &'a str, &'a [(u32, u32)]);

    fn lines_of(query: &GrepQuery<'_>, text: &str) -> Vec<MatchingLine> {
        let mut search = search(query).unwrap();
        let mut finder = Finder::new(&mut search, text);
        matching_lines(&mut finder, FileId(0), query.limit, query.context_lines)
    }

    fn check(query: &GrepQuery<'_>, text: &str, expected: &[Line<'_>]) {
        let lines = lines_of(query, text);
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
        let two = GrepQuery {
            context_lines: 2,
            ..query("adds")
        };
        let line = &lines_of(&two, TEXT)[0];
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
        let line = &lines_of(&query("needle"), &text)[0];
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

    /// In a text of several windows every match is found once, also across their borders.
    #[test]
    fn windows_lose_nothing() {
        let needle = "needle\nof two lines";
        let text = format!("{}{needle}", "é".repeat(1_000)).repeat(300);
        let all = GrepQuery {
            limit: 1_000,
            ..query(needle)
        };
        assert_eq!(lines_of(&all, &text).len(), 300);
        let last = GrepQuery {
            limit: 1_000,
            ..query(r"lines\z")
        };
        let lines = lines_of(&last, &text);
        assert_eq!((lines.len(), lines[0].line), (1, 300));
        let first = GrepQuery {
            limit: 1_000,
            ..query(r"\Aé")
        };
        assert_eq!(lines_of(&first, &text).len(), 1);
    }

    /// Lines found and steps charged until the search ended, completed or out of budget.
    fn cost_of(query: &GrepQuery<'_>, text: &str) -> (usize, u64, Option<Spent>) {
        let mut search = search(query).unwrap();
        let mut finder = Finder::new(&mut search, text);
        let n_lines = matching_lines(&mut finder, FileId(0), query.limit, 2).len();
        (n_lines, search.budget.n_steps(), search.budget.spent())
    }

    /// Expressions with the highest cost for their length, over texts that provoke it: the step budget ends them even
    /// without a clock, each time at the same position.
    #[test]
    fn hostile_patterns_end_by_their_steps() {
        let text = "a".repeat(300_000) + "\n" + &"ab".repeat(100_000);
        let lines = format!("{}\n", "a".repeat(1_900)).repeat(500);
        for (pattern, text) in [
            ("(a*)*b", &text),
            ("(a|aa)+$", &text),
            ("(x+x+)+y", &text),
            (".*.*.*=.*", &text),
            ("(?:a?){1000}a{1000}", &text),
            (r"(\w{1,40}){1,40}!", &text),
            ("(?i)(a|b|ab)*(a|b|ab)*c", &text),
            ("[^b]*[^a]*[^b]*c", &text),
            (".*[^A-Z]|[A-Z]", &text),
            (r"\b(?:\w+\s?){50}$", &text),
            ("(?s).*a.*b.*c", &text),
            // Each match is one letter, and each search goes to the end of the window.
            ("(?s)a.*z|a", &lines),
        ] {
            let query = GrepQuery {
                max_steps: 20_000_000,
                limit: 10_000,
                ..query(pattern)
            };
            if compile(&query).is_ok() {
                let first = cost_of(&query, text);
                // At most one window more.
                assert!(first.1 < 20_000_000 + (1 << 25), "{pattern}: {first:?}");
                assert_eq!(first, cost_of(&query, text), "{pattern}");
            }
        }
    }

    #[test]
    fn steps_end_a_search_and_keep_what_was_found() {
        let query = GrepQuery {
            max_steps: 1_000_000,
            limit: usize::MAX,
            ..query(r"\p{L}\d")
        };
        let (n_lines, _, spent) = cost_of(&query, &"é1\n".repeat(1_000_000));
        assert_eq!(spent, Some(Spent::Steps));
        assert!(n_lines > 0 && n_lines < 1_000_000);
    }

    #[test]
    fn time_is_the_last_resort() {
        let now = std::cell::Cell::new(0.0);
        let clock = || {
            now.set(now.get() + 1.0);
            now.get()
        };
        let query = GrepQuery {
            max_millis: 2.0,
            clock: Some(&clock),
            limit: usize::MAX,
            ..query(r"\p{L}\d")
        };
        let (n_lines, _, spent) = cost_of(&query, &"é1\n".repeat(1_000_000));
        assert_eq!(spent, Some(Spent::Time));
        assert!(n_lines > 0 && n_lines < 1_000_000);
    }

    proptest! {
        #[test]
        fn any_pattern_on_any_text(pattern in "[ab.*+?|^$\\\\()🦀\n]{0,8}", text in "[ab🦀\r\n]{0,30}") {
            let query = GrepQuery { limit: 100, ..query(&pattern) };
            if compile(&query).is_ok() {
                for line in lines_of(&query, &text) {
                    let units = line.text.encode_utf16().count() as u32;
                    prop_assert!(line.marks.iter().all(|(start, end)| start < end && *end <= units));
                    let found = text.split('\n').nth(line.line as usize).unwrap();
                    prop_assert_eq!(found.strip_suffix('\r').unwrap_or(found), line.text);
                }
            }
        }
    }
}
