//! Small operations on source text: lines, folding of white space, cutting at a character boundary.

use crate::facts::Span;

/// Start of each line of a text, and the number of characters other than white space before it.
pub(crate) struct Lines {
    starts: Vec<u32>,
    ink: Vec<u32>,
    len: u32,
}

impl Lines {
    /// Reads the lines of a text; an empty text has none. Texts beyond 4 GiB are the caller's to refuse.
    pub(crate) fn new(text: &str) -> Lines {
        let mut starts = Vec::with_capacity(text.len() / 32 + 1);
        let mut ink = Vec::with_capacity(text.len() / 32 + 2);
        let mut start = 0;
        let mut total = 0;
        for end in memchr::memchr_iter(b'\n', text.as_bytes())
            .map(|i| i + 1)
            .chain([text.len()])
        {
            if start == end {
                continue;
            }
            starts.push(start as u32);
            ink.push(total);
            total += ink_of(text.get(start..end).unwrap_or_default());
            start = end;
        }
        ink.push(total);
        Lines {
            starts,
            ink,
            len: text.len() as u32,
        }
    }

    /// Number of lines.
    pub(crate) fn count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// First byte of a line; the length of the text for lines past the end.
    pub(crate) fn start(&self, line: u32) -> u32 {
        self.starts.get(line as usize).copied().unwrap_or(self.len)
    }

    /// The text of a line, line break included.
    pub(crate) fn text<'a>(&self, text: &'a str, line: u32) -> &'a str {
        text.get(self.start(line) as usize..self.start(line + 1) as usize)
            .unwrap_or_default()
    }

    /// A byte as row and column, as the parser counts them.
    pub(crate) fn point(&self, byte: u32) -> tree_sitter::Point {
        let row = self
            .starts
            .partition_point(|&start| start <= byte)
            .saturating_sub(1);
        tree_sitter::Point {
            row,
            column: byte.saturating_sub(self.start(row as u32)) as usize,
        }
    }

    /// Characters that are not white space in the lines `[first, past)`.
    pub(crate) fn ink(&self, first: u32, past: u32) -> u32 {
        let at = |line: u32| {
            self.ink
                .get((line as usize).min(self.ink.len() - 1))
                .copied()
                .unwrap_or(0)
        };
        at(past).saturating_sub(at(first))
    }

    /// The span of whole lines `[first, past)`.
    pub(crate) fn whole(&self, first: u32, past: u32) -> Span {
        Span {
            start: self.start(first),
            end: self.start(past),
            start_line: first,
            end_line: past.saturating_sub(1).max(first),
        }
    }
}

/// Number of characters that are not white space.
pub(crate) fn ink_of(text: &str) -> u32 {
    if text.is_ascii() {
        text.bytes().filter(|b| !b.is_ascii_whitespace()).count() as u32
    } else {
        text.chars().filter(|c| !c.is_whitespace()).count() as u32
    }
}

/// The longest start of `text` of at most `limit` bytes that ends at a character boundary.
pub(crate) fn head(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or(text)
}

/// The longest end of `text` of at most `limit` bytes that starts at a character boundary.
pub(crate) fn tail(text: &str, limit: usize) -> &str {
    text.get(text.ceil_char_boundary(text.len().saturating_sub(limit))..)
        .unwrap_or(text)
}

/// Runs of white space as one space, at most `limit` bytes.
pub(crate) fn folded(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len().min(limit));
    // Only so much input can matter: white space beyond four times the limit is not worth reading.
    for word in head(text, limit * 4).split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        if out.len() > limit {
            break;
        }
    }
    out.truncate(out.floor_char_boundary(limit));
    out
}

/// An expression without white space (kept only between two words, as in `new Foo`), at most `limit` bytes; longer ones keep their end.
pub(crate) fn squeezed(text: &str, limit: usize) -> String {
    let text = tail(text, limit * 4);
    if !text.contains(char::is_whitespace) {
        return tail(text, limit).to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let joins = out.ends_with(is_word) && word.starts_with(is_word);
        if joins {
            out.push(' ');
        }
        out.push_str(word);
    }
    tail(&out, limit).to_owned()
}

/// Returns true for characters of identifiers.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Whether a comment is marked as documentation, so that a blank line after it does not detach it.
pub(crate) fn is_doc_comment(comment: &str) -> bool {
    let marked = ["/**", "///", "--- ", "-- |", "{-|", "{- |"];
    let is_rule = ["/***", "/**/", "////"];
    let of_file = [
        "@file",
        "@module",
        "@license",
        "@overview",
        "@package",
        "Copyright",
    ];
    marked.iter().any(|mark| comment.starts_with(mark))
        && !is_rule.iter().any(|mark| comment.starts_with(mark))
        && !of_file.iter().any(|mark| comment.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_texts_with_and_without_final_newline() {
        let lines = Lines::new("ab\n\n c");
        assert_eq!((lines.count(), lines.start(2), lines.start(9)), (3, 4, 6));
        assert_eq!((lines.ink(0, 3), lines.ink(1, 2)), (3, 0));
        assert_eq!(Lines::new("").count(), 0);
        assert_eq!(Lines::new("a\n").count(), 1);
    }

    #[test]
    fn folding_and_squeezing() {
        assert_eq!(folded(" fn  a(\n  b: u8)\t", 300), "fn a( b: u8)");
        assert_eq!(folded("äöü", 3), "ä");
        assert_eq!(squeezed("new  Foo( a )\n .b", 200), "new Foo(a).b");
        assert_eq!(squeezed("abcdef", 3), "def");
    }
}
