//! The lines of a text by kind: prose, code, output, diff; comments and boilerplate leave.

use super::boilerplate::{self, Section};

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// The title.
    Title,
    /// A heading of the author's own.
    Heading,
    /// Describes the fault or the wish.
    Prose,
    /// Example code.
    Code,
    /// A line of a diff.
    Diff,
    /// A program printed it.
    Output,
    /// A row of the environment.
    Setting,
}

/// An open block between fences.
struct Fence<'a> {
    mark: &'a str,
    kind: Kind,
}

/// Reads a text line by line.
#[derive(Default)]
pub(crate) struct Blocks<'a> {
    fence: Option<Fence<'a>>,
    in_comment: bool,
    section: Section,
    has_title: bool,
}

impl<'a> Blocks<'a> {
    /// The kind of the next line and its text without quotation marks; none for a line that says nothing.
    pub(crate) fn take(&mut self, line: &'a str) -> Option<(Kind, &'a str)> {
        let line = unquoted(line);
        if self.in_fence(line) {
            return None;
        }
        if let Some(fence) = &self.fence {
            return Some((kind_in_block(fence.kind, line), line));
        }
        let line = self.without_comment(line)?;
        if line.trim().is_empty() {
            return None;
        }
        if !self.has_title {
            if let Some(section) = boilerplate::template_of(line) {
                self.section = section;
                return None;
            }
            if self.section != Section::Prose && !line.starts_with('#') {
                return self.open_line(line);
            }
            self.has_title = true;
            self.section = Section::Prose;
            // An error is as good a title as any; a trace has none.
            let is_trace = line.starts_with("Traceback") || line.starts_with(char::is_whitespace);
            let title = line.trim_start_matches(['#', ' ']);
            return Some(if is_trace || starts_with_time(line) {
                (Kind::Output, line)
            } else {
                (Kind::Title, title)
            });
        }
        if let Some(heading) = boilerplate::heading_of(line) {
            let section = boilerplate::section_of(heading);
            self.section = section.unwrap_or_default();
            return section.is_none().then_some((Kind::Heading, heading));
        }
        self.open_line(line)
    }

    /// The kind of a line outside of fences.
    fn open_line(&self, line: &'a str) -> Option<(Kind, &'a str)> {
        if self.section == Section::Checklist {
            return None;
        }
        if self.section == Section::Environment {
            return Some((Kind::Setting, line));
        }
        if is_diff(line) {
            return Some((Kind::Diff, line));
        }
        if boilerplate::is_boilerplate(line) {
            let is_setting =
                line.contains([':', '=', '|']) && !line.contains("[ ]") && !line.contains("[x]");
            return is_setting.then_some((Kind::Setting, line));
        }
        if is_prompt(line) {
            return Some((Kind::Code, line));
        }
        if is_printed(line) || line.starts_with('|') {
            return Some((Kind::Output, line));
        }
        if line.starts_with("    ") || line.starts_with('\t') {
            return Some((kind_in_block(Kind::Code, line), line));
        }
        Some((Kind::Prose, line))
    }

    /// Opens or closes a block between fences; returns true if the line is a fence.
    fn in_fence(&mut self, line: &'a str) -> bool {
        let text = line.trim_start();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| text.starts_with(mark));
        let Some(mark) = mark else {
            return false;
        };
        let n_marks = text.len() - text.trim_start_matches(&mark[..1]).len();
        let (mark, info) = text.split_at(n_marks);
        match &self.fence {
            Some(open) if mark.starts_with(open.mark) && info.trim().is_empty() => {
                self.fence = None
            }
            Some(_) => return false,
            // A block that ends in its own line is words.
            None if info.contains('`') => return false,
            None => {
                self.fence = Some(Fence {
                    mark,
                    kind: kind_of_fence(info.trim(), self.section),
                });
            }
        }
        true
    }

    /// The part of a line outside of comments of HTML.
    fn without_comment(&mut self, line: &'a str) -> Option<&'a str> {
        if self.in_comment {
            let (_, rest) = line.split_once("-->")?;
            self.in_comment = false;
            return Some(rest);
        }
        let Some((before, rest)) = line.split_once("<!--") else {
            return Some(line);
        };
        match rest.split_once("-->") {
            Some((_, after)) if before.trim().is_empty() => Some(after),
            Some(_) => Some(before),
            None => {
                self.in_comment = true;
                Some(before)
            }
        }
    }
}

/// The kind of a block by the word behind its fence.
fn kind_of_fence(info: &str, section: Section) -> Kind {
    let word = info
        .split([' ', ',', '{', ':'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    match word.as_str() {
        "diff" | "patch" => Kind::Diff,
        "text" | "txt" | "log" | "console" | "output" | "traceback" | "pytb" | "error" => {
            Kind::Output
        }
        "" if section == Section::Output => Kind::Output,
        "" if section == Section::Environment => Kind::Setting,
        "shell" | "sh" | "bash" | "zsh" if section == Section::Output => Kind::Output,
        _ if section == Section::Checklist => Kind::Setting,
        _ => Kind::Code,
    }
}

/// The kind of a line in a block: output is often pasted between code.
fn kind_in_block(block: Kind, line: &str) -> Kind {
    match block {
        Kind::Code | Kind::Output if is_prompt(line) => Kind::Code,
        Kind::Code if is_printed(line) => Kind::Output,
        Kind::Code if is_diff(line) => Kind::Diff,
        _ => block,
    }
}

/// A line without the `>` of quoted mail; the prompt `>>>` stays.
fn unquoted(line: &str) -> &str {
    let mut line = line.trim_end();
    while let Some(rest) = line.strip_prefix('>') {
        if rest.starts_with(">>") || rest.starts_with('>') && !rest.starts_with("> ") {
            break;
        }
        line = rest.strip_prefix(' ').unwrap_or(rest);
    }
    line
}

fn is_prompt(line: &str) -> bool {
    let line = line.trim_start();
    [">>> ", "$ ", "In [", "irb", "iex>", "julia> "]
        .iter()
        .any(|prompt| line.starts_with(prompt))
}

/// Whether a program printed a line: a level, a time, or a bracketed source before the text.
fn is_printed(line: &str) -> bool {
    let line = line.trim_start();
    let starts = [
        "[debug]",
        "[info]",
        "[warning]",
        "[error]",
        "DEBUG",
        "INFO ",
        "INFO:",
        "WARN",
        "ERROR",
        "CRITICAL",
        "Traceback (",
        "FAILED ",
        "E   ",
        "error:",
        "error[",
        "warning:",
        "fatal:",
        "panic:",
    ];
    starts.iter().any(|start| line.starts_with(start)) || starts_with_time(line) || is_tagged(line)
}

/// `2024-01-31 …`, `[12:30:00] …`, `12:30:00.123 …`.
fn starts_with_time(line: &str) -> bool {
    let digits = line.trim_start_matches(['[', '(']);
    let shape: String = digits
        .chars()
        .take(10)
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    shape.starts_with("0000-00-00")
        || shape.starts_with("00:00:00")
        || shape.starts_with("0000/00/00")
}

/// `[download] Destination: …`: a word in brackets, then text; a link continues with `(`.
fn is_tagged(line: &str) -> bool {
    let Some((tag, rest)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return false;
    };
    let is_word = !tag.is_empty() && tag.len() < 40 && !tag.contains(' ');
    is_word && tag.trim() != "x" && rest.starts_with(' ') && rest.contains(':')
}

fn is_diff(line: &str) -> bool {
    ["diff --git ", "--- a/", "+++ b/", "@@ -", "index "]
        .iter()
        .any(|start| line.starts_with(start))
        && (!line.starts_with("index ") || line.contains(".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(Kind, &str)]) {
        let mut blocks = Blocks::default();
        let found: Vec<_> = text.lines().filter_map(|line| blocks.take(line)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_template_is_taken_apart() {
        check(
            "# Cart loses tea\n### Checklist\n- [x] I have read\nnothing else\n### Describe the bug\n<!-- be\nbrief -->\nIt is gone.\n\
             > quoted\n### Version\nshop 1.2\n",
            &[
                (Kind::Title, "Cart loses tea"),
                (Kind::Prose, "It is gone."),
                (Kind::Prose, "quoted"),
                (Kind::Setting, "shop 1.2"),
            ],
        );
    }

    #[test]
    fn a_body_without_its_title_begins_with_a_template() {
        check(
            "### Prerequisites\n- [x] I have read\n### Wrong total of a cart\nIt is 0.\n",
            &[
                (Kind::Title, "Wrong total of a cart"),
                (Kind::Prose, "It is 0."),
            ],
        );
        check(
            "**Describe the bug**\nThe total is wrong.\n**Version**\nshop 1.2\n",
            &[
                (Kind::Title, "The total is wrong."),
                (Kind::Setting, "shop 1.2"),
            ],
        );
        check("# Bug in the total", &[(Kind::Title, "Bug in the total")]);
    }

    #[test]
    fn blocks_hold_code_output_and_diffs() {
        check(
            "Title\n```python\ncart.add()\nERROR: no tea\n```\n```diff\n-old\n```\n    indented()\n>>> cart\n[cart] Adding: tea\n```not a fence```\n",
            &[
                (Kind::Title, "Title"),
                (Kind::Code, "cart.add()"),
                (Kind::Output, "ERROR: no tea"),
                (Kind::Diff, "-old"),
                (Kind::Code, "    indented()"),
                (Kind::Code, ">>> cart"),
                (Kind::Output, "[cart] Adding: tea"),
                (Kind::Prose, "```not a fence```"),
            ],
        );
    }

    #[test]
    fn a_pasted_trace_has_no_title() {
        check(
            "Traceback (most recent call last):\nmore\n",
            &[
                (Kind::Output, "Traceback (most recent call last):"),
                (Kind::Prose, "more"),
            ],
        );
    }
}
