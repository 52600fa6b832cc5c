//! Converts lines and columns of SCIP to bytes, and finds the names in symbols.

/// Units of columns, as numbered by SCIP's `PositionEncoding`.
const BYTES: i32 = 1;
const CHARACTERS: i32 = 3;

/// The lines of a text.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    encoding: i32,
}

impl<'t> Lines<'t> {
    /// Columns of an unspecified encoding count as UTF-16 units, which is what indexers that leave it out write.
    pub fn new(text: &'t str, encoding: i32) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0)
            .chain(breaks.map(|(at, _)| at + 1))
            .collect();
        Lines {
            text,
            starts,
            encoding,
        }
    }

    /// Start and end in bytes, and line, of a range of three or four numbers; none if it is not within the text.
    pub fn range(&self, range: &[i32]) -> Option<(usize, usize, u32)> {
        let [line, column, last_line, last_column] = match *range {
            [line, column, last] => [line, column, line, last],
            [line, column, last_line, last] => [line, column, last_line, last],
            _ => return None,
        };
        let start = self.offset(line, column)?;
        let end = self.offset(last_line, last_column)?;
        (start <= end).then_some((start, end, u32::try_from(line).ok()?))
    }

    fn offset(&self, line: i32, column: i32) -> Option<usize> {
        let line = usize::try_from(line).ok()?;
        let column = usize::try_from(column).ok()?;
        let start = *self.starts.get(line)?;
        let end = self
            .starts
            .get(line + 1)
            .map_or(self.text.len(), |next| next - 1);
        let text = self.text.get(start..end)?;
        let within = match self.encoding {
            BYTES => (column <= text.len() && text.is_char_boundary(column)).then_some(column),
            CHARACTERS => nth(text, column, |_| 1),
            _ if text.is_ascii() => (column <= text.len()).then_some(column),
            _ => nth(text, column, char::len_utf16),
        };
        within.map(|within| start + within)
    }
}

/// The offset after `count` units; none if it is within a character, or if the line is shorter.
fn nth(text: &str, count: usize, units: impl Fn(char) -> usize) -> Option<usize> {
    let mut left = count;
    for (at, c) in text.char_indices() {
        if left == 0 {
            return Some(at);
        }
        left = left.checked_sub(units(c))?;
    }
    (left == 0).then_some(text.len())
}

/// Whether neither end of a range is inside a word.
pub(super) fn is_whole_word(text: &str, start: usize, end: usize) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let cut = |at: usize| {
        let before = text[..at].chars().next_back();
        let after = text[at..].chars().next();
        before
            .zip(after)
            .is_some_and(|(before, after)| is_word(before) && is_word(after))
    };
    start < end && !cut(start) && !cut(end)
}

/// The name in the last descriptor of a symbol (`add` of `… src/shop.py/Basket#add().`), where it is a word.
pub(super) fn last_name(symbol: &str) -> Option<&str> {
    // Modules, and properties of object literals, whose names are numbered (`INIT0:`).
    if symbol.ends_with(':') {
        return None;
    }
    let rest = symbol
        .strip_suffix(['#', '.', ':', '!', '/'])
        .unwrap_or(symbol);
    let rest = match rest.strip_suffix(')') {
        Some(inner) => {
            let (before, inside) = inner.rsplit_once('(')?;
            // `f(+1).` is a method, `(x)` a parameter.
            let is_method = symbol.ends_with('.');
            if is_method { before } else { inside }
        }
        None => rest.strip_suffix(']').unwrap_or(rest),
    };
    let name = match rest.strip_suffix('`') {
        Some(quoted) => quoted.rsplit('`').next()?,
        None => rest
            .rsplit(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
            .next()?,
    };
    // `<constructor>`, `<get>x`, `__init__`, `new` of a macro: the text at the definition is another.
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_word.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_symbols() {
        for (symbol, name) in [
            (
                "scip-typescript npm redux 5.0.1 src/`store.ts`/Store#",
                Some("Store"),
            ),
            (
                "scip-typescript npm redux 5.0.1 src/`store.ts`/Store#dispatch().",
                Some("dispatch"),
            ),
            (
                "scip-python python flask 3.1 `flask.app`/Flask#run().",
                Some("run"),
            ),
            ("scip-python python flask 3.1 `flask.app`/__init__:", None),
            (
                "rust-analyzer cargo axum 0.8 extract/FromRef#from_ref(+1).",
                Some("from_ref"),
            ),
            (
                "rust-analyzer cargo axum 0.8 impl#[Body]new().",
                Some("new"),
            ),
            ("a b c d f().(x)", Some("x")),
            ("a b c d Foo#[T]", Some("T")),
            ("a b c d Foo#`<constructor>`().", None),
            ("a b c d Foo#`my-key`.", None),
        ] {
            assert_eq!(last_name(symbol), name, "{symbol}");
        }
    }

    #[test]
    fn columns_in_every_encoding() {
        let text = "a🦀b\nßx\r\n";
        for (encoding, range, expected) in [
            (1, [0, 5, 6], Some((5, 6, 0))),
            (2, [0, 3, 4], Some((5, 6, 0))),
            (0, [0, 3, 4], Some((5, 6, 0))),
            (3, [0, 2, 3], Some((5, 6, 0))),
            (2, [1, 1, 2], Some((9, 10, 1))),
            (2, [0, 2, 3], None),
            (1, [0, 2, 3], None),
            (2, [0, 3, 9], None),
            (2, [9, 0, 1], None),
            (2, [-1, 0, 1], None),
        ] {
            assert_eq!(
                Lines::new(text, encoding).range(&range),
                expected,
                "{encoding} {range:?}"
            );
        }
        assert_eq!(Lines::new(text, 1).range(&[0, 0, 1, 2]), Some((0, 9, 0)));
        assert_eq!(Lines::new(text, 1).range(&[0, 5, 1]), None);
        assert_eq!(Lines::new(text, 1).range(&[]), None);
    }

    #[test]
    fn words() {
        let text = "let añ_1 = b;";
        assert!(is_whole_word(text, 4, 9));
        assert!(!is_whole_word(text, 5, 9));
        assert!(!is_whole_word(text, 4, 7));
        assert!(is_whole_word(text, 12, 13));
    }
}
