//! Macros in the heads of classes: `class LEVELDB_EXPORT Status {`. A parser that does not expand macros takes such a class for a
//! function, and loses its members. It is given a text in which the macro is blank, byte for byte.

use std::borrow::Cow;

/// Shorter words in capitals are rather names.
const MIN_MACRO: usize = 3;

/// The text with macros between `class`, `struct` or `union` and the name of the type blanked out. Linear in the text.
pub(crate) fn without_class_macros(text: &str) -> Cow<'_, str> {
    let mut blanks = Vec::new();
    for keyword in ["class", "struct", "union"] {
        let heads = text.match_indices(keyword).map(|(at, _)| at);
        blanks.extend(heads.filter_map(|at| macro_after(text, at, keyword)));
    }
    if blanks.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for byte in blanks.into_iter().flatten() {
        if let Some(byte) = bytes.get_mut(byte).filter(|byte| **byte != b'\n') {
            *byte = b' ';
        }
    }
    // Only whole words and brackets with what is in them become blanks.
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Bytes of the macro in the head that begins with the keyword at `at`, if it has one.
fn macro_after(text: &str, at: usize, keyword: &str) -> Option<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    if at > 0 && bytes.get(at - 1).is_some_and(|byte| is_word(*byte)) {
        return None;
    }
    let start = skip_space(bytes, at + keyword.len());
    let end = skip_word(bytes, start);
    let name = text.get(start..end)?;
    let is_macro = name.len() >= MIN_MACRO
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    if start == at + keyword.len() || !is_macro {
        return None;
    }
    let end = skip_brackets(bytes, end);
    let type_start = skip_space(bytes, end);
    let type_end = skip_word(bytes, type_start);
    if type_end == type_start || bytes.get(type_start).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let mut after = skip_space(bytes, type_end);
    if text.get(after..)?.starts_with("final") {
        after = skip_space(bytes, after + "final".len());
    }
    let fits = match bytes.get(after)? {
        b'{' | b':' => true,
        // `struct FOO bar;` declares a variable; only what says that it exports is a macro for sure.
        b';' => ["EXPORT", "API", "ABI", "PUBLIC", "VISIBLE"]
            .iter()
            .any(|word| name.contains(word)),
        _ => false,
    };
    fits.then_some(start..end)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn skip_space(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

fn skip_word(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| is_word(**byte)).count()
}

/// Behind `(…)`, if it follows at once and closes within the line.
fn skip_brackets(bytes: &[u8], from: usize) -> usize {
    if bytes.get(from) != Some(&b'(') {
        return from;
    }
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate().skip(from) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'\n' => return from,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_classes() {
        for (text, expected) in [
            (
                "class LEVELDB_EXPORT Status {",
                "class                Status {",
            ),
            (
                "struct FMT_API error : base {",
                "struct         error : base {",
            ),
            ("class API(1) A final {};", "class        A final {};"),
            ("class Q_EXPORT Env;", "class          Env;"),
            ("struct FOO bar;", "struct FOO bar;"),
            ("struct FOO {", "struct FOO {"),
            ("class Foo Bar {", "class Foo Bar {"),
            ("subclass ABC d {", "subclass ABC d {"),
            ("class ABC", "class ABC"),
            ("class ABC(\nd {", "class ABC(\nd {"),
            ("class", "class"),
        ] {
            assert_eq!(without_class_macros(text), expected, "{text}");
        }
    }
}
