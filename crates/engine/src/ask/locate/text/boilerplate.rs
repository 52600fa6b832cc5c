//! Boilerplate of issue templates: headings, checklists, tables of the environment, notes to the author.

/// The kind of a section, by its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Section {
    /// Describes the fault or the wish.
    #[default]
    Prose,
    /// Code that shows it.
    Example,
    /// Output of a program.
    Output,
    /// Machine, versions, installation.
    Environment,
    /// Promises and duties.
    Checklist,
}

/// Headings of templates by the kind of text below them: a heading belongs to a row if it contains one of its texts.
const HEADINGS: &[(Section, &[&str])] = &[
    (
        Section::Checklist,
        &[
            "checklist",
            "code of conduct",
            "search before asking",
            "initial checks",
            "are you willing",
            "are you going to",
            "pre-submission",
            "prerequisite",
            "first check",
            "do not remove",
            "contribut",
            "submit a pr",
            "who can help",
            "validations",
            "please read",
            "confirm",
            "terms",
            " checks",
        ],
    ),
    (
        Section::Environment,
        &[
            "environment",
            "system info",
            "version",
            "os used",
            "operating system",
            "platform",
            "installed",
            "how did you install",
            "your setup",
            "configuration details",
            "python, ",
            "dependencies",
            "hardware",
            "runtime",
            "affected",
            "pip freeze",
            "setup",
            "show_versions",
            "output of",
        ],
    ),
    (
        Section::Output,
        &[
            "log",
            "output",
            "traceback",
            "stack trace",
            "stacktrace",
            "error message",
            "verbose",
            "screenshots",
            "crash",
            "backtrace",
        ],
    ),
    (
        Section::Example,
        &[
            "reproduc",
            "example code",
            "code sample",
            "snippet",
            "steps to",
            "minimal",
            "test case",
            "mcve",
            "mre",
        ],
    ),
    (
        Section::Prose,
        &[
            "describe",
            "description",
            "bug",
            "issue",
            "summary",
            "what happen",
            "expected",
            "actual",
            "behavior",
            "behaviour",
            "feature",
            "motivation",
            "proposal",
            "solution",
            "alternative",
            "additional",
            "context",
            "use case",
            "problem",
            "question",
            "details",
            "notes",
            "comments",
            "suggest",
            "current",
            "desired",
            "background",
            "why",
            "provide a",
            "provide an",
            "how to",
            "other information",
        ],
    ),
];

/// Longest heading of a template, in words.
const MAX_WORDS: usize = 14;
/// The same where it is the first line: a longer one may be the title.
const MAX_TEMPLATE_WORDS: usize = 3;

/// The section that a template's heading opens; none for a heading of the author's own.
pub(crate) fn section_of(heading: &str) -> Option<Section> {
    let lower = heading.to_lowercase();
    let lower = lower.trim_matches(|c: char| !c.is_alphanumeric());
    if lower.is_empty() || lower.split_whitespace().count() > MAX_WORDS {
        return None;
    }
    let row = HEADINGS
        .iter()
        .find(|(_, texts)| texts.iter().any(|text| lower.contains(text)));
    row.map(|(section, _)| *section)
}

/// The section that a template opens where a title would be: a body that was pasted without its title begins so.
pub(crate) fn template_of(line: &str) -> Option<Section> {
    let heading = heading_of(line).filter(|_| !line.starts_with("# "))?;
    section_of(heading).filter(|_| heading.split(' ').count() <= MAX_TEMPLATE_WORDS)
}

/// The text of a heading: `## Text`, `**Text**`, `**Text**:`, `Text:` alone is none.
pub(crate) fn heading_of(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.starts_with('#') {
        let text = line.trim_start_matches('#');
        return text.starts_with(' ').then(|| text.trim());
    }
    let inner = line.strip_prefix("**")?;
    let (text, rest) = inner.split_once("**")?;
    let is_alone = rest.trim().trim_matches(':').is_empty();
    is_alone.then(|| text.trim().trim_end_matches(':'))
}

/// Starts of lines that templates put there.
const STARTS: &[&str] = &[
    "- [ ]",
    "- [x]",
    "- [X]",
    "* [ ]",
    "* [x]",
    "* [X]",
    "_no response_",
    "n/a",
    "<!--",
    "thank you for",
    "thanks for taking",
    "please include",
    "please be concise",
    "please provide",
    "please fill",
    "bug reports that follow",
    "i have searched",
    "i've searched",
    "i have checked",
    "i have read",
    "i have confirmed",
    "before submitting",
];

/// Keys of a table of the environment.
const KEYS: &[&str] = &[
    "python",
    "os",
    "platform",
    "version",
    "pip",
    "node",
    "npm",
    "browser",
    "numpy",
    "pandas",
    "java",
    "jdk",
    "ruby",
    "rust",
    "rustc",
    "go",
    "php",
    "gpu",
    "cpu",
    "cuda",
    "memory",
    "commit",
    "machine",
    "processor",
    "byteorder",
    "lc_all",
    "lang",
    "locale",
    "kernel",
    "release",
    "operating system",
    "install method",
    "python version",
    "install",
    "distribution",
    "shell",
    "architecture",
    "environment",
    "docker",
    "conda",
];

/// Whether a line of prose says nothing about the matter: a checklist's item, a row of the environment, a template's note.
pub(crate) fn is_boilerplate(line: &str) -> bool {
    let line = line.trim();
    let bare = line.trim_start_matches(['-', '*', ' ', '>']);
    let lower = bare.to_lowercase();
    let marked = line.to_lowercase();
    STARTS
        .iter()
        .any(|start| marked.starts_with(start) || lower.starts_with(start))
        || is_rule(line)
        || is_setting(&lower)
}

/// A line of signs: `---`, `|---|---|`, `====`.
fn is_rule(line: &str) -> bool {
    !line.is_empty()
        && line
            .chars()
            .all(|c| matches!(c, '-' | '=' | '|' | ':' | '_' | '*' | ' ' | '~' | '+'))
}

/// `python: 3.12.1`, `OS = Linux`, `| numpy | 1.26 |`.
fn is_setting(lower: &str) -> bool {
    let lower = lower.trim_start_matches('|').trim();
    let Some((key, value)) = lower.split_once([':', '=', '|']) else {
        return false;
    };
    let key = key
        .trim()
        .trim_matches('*')
        .trim_end_matches("version")
        .trim();
    let is_short = value.split_whitespace().count() <= 8;
    is_short && (KEYS.contains(&key) || (key.is_empty() && lower.starts_with("version")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: bool) {
        assert_eq!(is_boilerplate(line), expected, "{line}");
    }

    #[test]
    fn lines_of_templates() {
        check("- [x] I have read the rules", true);
        check("_No response_", true);
        check("Python version: 3.12.1", true);
        check("- OS: Linux", true);
        check("| numpy | 1.26.4 |", true);
        check("|---|---|", true);
        check("The parser drops the last row", false);
        check(
            "python: the interpreter ends when the file that it reads is larger than the memory",
            false,
        );
    }

    #[test]
    fn headings_open_sections() {
        let of = |line| heading_of(line).map(section_of);
        assert_eq!(of("### Code of Conduct"), Some(Some(Section::Checklist)));
        assert_eq!(of("**Environment**:"), Some(Some(Section::Environment)));
        assert_eq!(of("## Steps to reproduce"), Some(Some(Section::Example)));
        assert_eq!(of("# The queue loses items"), Some(None));
        assert_eq!(of("**never** do this"), None);
        assert_eq!(of("#hashtag"), None);
    }
}
