//! `{ add }` in JavaScript is a key and a value in one word: a rename changes one of the two, so it must be spelled out.

use syntax::Language;

/// Further back than this no object starts that is worth the search.
const MAX_LOOK_BACK: usize = 4096;
/// What stands before the brace of an object, and not before that of a block.
const BEFORE_OBJECTS: [&str; 12] = [
    "(", ",", ":", "[", "=", "?", "return", "default", "yield", "await", "&&", "||",
];

/// Whether a language has such words.
pub(super) fn is_possible(language: Language) -> bool {
    matches!(language.name(), "javascript" | "typescript" | "tsx")
}

/// Whether the name at `start..end` stands for key and value in an object literal. Imports and exports are lists of names, and
/// JSX has braces around values: both are left alone.
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

/// `add: sum` for a value, `sum: add` for a key.
pub(super) fn spelled_out(old: &str, new: &str, is_key: bool) -> String {
    if is_key {
        format!("{new}: {old}")
    } else {
        format!("{old}: {new}")
    }
}

/// The brace that is open at the end of a text, if the innermost open bracket is one.
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
