//! Shorthand properties of JavaScript: `{ add }` is a key and a value in one word. A rename changes one of the two, so
//! the property must be written out.

use syntax::Language;

/// Number of bytes searched backwards for the start of an object: one that starts further back is not worth the search.
const MAX_LOOK_BACK: usize = 4096;
/// Tokens before the brace of an object, and not before that of a block.
const BEFORE_OBJECTS: [&str; 12] = [
    "(", ",", ":", "[", "=", "?", "return", "default", "yield", "await", "&&", "||",
];

/// Whether a language has shorthand properties.
pub(super) fn is_possible(language: Language) -> bool {
    matches!(language.name(), "javascript" | "typescript" | "tsx")
}

/// Whether the name at `start..end` is a shorthand property of an object literal. Lists of names in imports and
/// exports, and values between braces in JSX, are not.
pub(super) fn is_shorthand(text: &str, start: usize, end: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else {
        return false;
    };
    let is_first = before.trim_end().ends_with('{');
    let is_last = after.trim_start().starts_with('}');
    let stands_alone = (is_first || before.trim_end().ends_with(','))
        && (is_last || after.trim_start().starts_with(','));
    let Some(brace) = stands_alone.then(|| opening_brace(before)).flatten() else {
        return false;
    };
    let outside = before.get(..brace).unwrap_or_default();
    let head = outside.trim_end();
    if is_first && is_last && head.len() == outside.len() && head.ends_with('=') {
        // `onClick={add}`
        return false;
    }
    let statement = head
        .rsplit(['\n', ';'])
        .next()
        .unwrap_or_default()
        .trim_start();
    if statement.starts_with("import ") || statement.starts_with("export {") {
        return false;
    }
    !head.ends_with("=>") && BEFORE_OBJECTS.iter().any(|sign| head.ends_with(sign))
}

/// Writes a shorthand property out: `add: sum` for a renamed value, `sum: add` for a renamed key.
pub(super) fn spelled_out(old: &str, new: &str, is_key: bool) -> String {
    if is_key {
        format!("{new}: {old}")
    } else {
        format!("{old}: {new}")
    }
}

/// Position of the brace that is open at the end of a text, if the innermost open bracket is a brace.
fn opening_brace(before: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (back, byte) in before.bytes().rev().take(MAX_LOOK_BACK).enumerate() {
        match byte {
            b'}' | b')' | b']' => depth += 1,
            b'{' | b'(' | b'[' if depth > 0 => depth -= 1,
            b'{' => return Some(before.len() - back - 1),
            b'(' | b'[' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, text: &str, expected: bool) {
        let start = text.find("add").unwrap();
        assert_eq!(
            is_possible(language) && is_shorthand(text, start, start + 3),
            expected,
            "{text}"
        );
    }

    #[test]
    fn objects_are_told_from_blocks_and_lists() {
        for text in [
            "const o = { add };",
            "f({ a, add, b: [1] })",
            "return { add }",
            "x = {\n  add,\n}",
        ] {
            check(Language::TypeScript, text, true);
            check(Language::Rust, text, false);
        }
        for text in [
            "import { add } from './a'",
            "import type { add } from './a'",
            "import x, { add } from './a'",
            "export { add };",
            "<A onClick={add} />",
            "f(a, add, b)",
            "if (x) { add }",
            "() => { add }",
            "const o = { add: 1 }",
        ] {
            check(Language::Tsx, text, false);
        }
    }
}
