//! Primary constructors on a line of their own: `class Part⏎  internal constructor(val size: Int)`. Within a class, the
//! grammar takes them for secondary constructors and loses the class. It is given a text in which the line ends elsewhere
//! in the head, byte for byte.

use std::borrow::Cow;

use crate::text::is_word;

/// Modifiers of a constructor.
const MODIFIERS: [&str; 4] = ["public", "protected", "internal", "private"];
/// Maximum number of modifiers and annotations before a constructor.
const MAX_MODIFIERS: usize = 6;

/// The text with the heads of classes joined to their primary constructors. Linear in the text.
pub(crate) fn with_joined_constructors(text: &str) -> Cow<'_, str> {
    let mut bytes = Vec::new();
    for (at, keyword) in text.match_indices("constructor") {
        let Some(head) = head_before(text, at) else {
            continue;
        };
        let behind = text.get(at + keyword.len()..).unwrap_or_default();
        let bracket = at + keyword.len() + (behind.len() - behind.trim_start().len());
        if !behind.trim_start().starts_with('(') {
            continue;
        }
        if bytes.is_empty() {
            bytes = text.as_bytes().to_vec();
        }
        if head.has_modifiers {
            bytes.swap(head.line_end, at - 1);
        } else if let Some(part) = bytes.get_mut(head.end..=bracket) {
            part.fill(b' ');
            part[0] = b'(';
            part[1] = b'\n';
        }
    }
    if bytes.is_empty() {
        return Cow::Borrowed(text);
    }
    // Only blanks change places, and words of ASCII become blanks.
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The head of a class on the line before its constructor.
struct Head {
    /// The end of the name or of the type parameters.
    end: usize,
    /// The place of the line break.
    line_end: usize,
    has_modifiers: bool,
}

/// The head of the class whose constructor begins on a line of its own at `at`.
fn head_before(text: &str, at: usize) -> Option<Head> {
    let mut rest = text.get(..at)?;
    if !rest.ends_with(char::is_whitespace) {
        return None;
    }
    let mut has_modifiers = false;
    for _ in 0..MAX_MODIFIERS {
        let before = rest.trim_end_matches([' ', '\t']);
        let start = before.rfind(|c| !is_word(c)).map_or(0, |at| at + 1);
        let is_annotation = before.get(..start)?.ends_with('@');
        if !(is_annotation || MODIFIERS.contains(&before.get(start..)?)) {
            break;
        }
        has_modifiers = true;
        rest = before.get(..start - usize::from(is_annotation))?;
    }
    let line = rest.trim_end();
    let gap = rest.get(line.len()..)?;
    let line_end = line.len() + gap.find('\n')?;
    let is_one_line = gap.matches('\n').count() == 1;
    let start = line.rfind('\n').map_or(0, |end| end + 1);
    let is_head = is_one_line && is_class_head(line.get(start..)?);
    is_head.then_some(Head {
        end: line.len(),
        line_end,
        has_modifiers,
    })
}

/// Returns whether a line is the head of a class up to its name or type parameters.
fn is_class_head(line: &str) -> bool {
    let Some((before, head)) = line.split_once("class ") else {
        return false;
    };
    let head = head.trim_start();
    let end = head.find(|c| !is_word(c)).unwrap_or(head.len());
    let (name, parameters) = head.split_at(end);
    let has_parameters = parameters.starts_with('<') && parameters.ends_with('>');
    !before.ends_with(is_word) && !name.is_empty() && (parameters.is_empty() || has_parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_elsewhere_in_the_heads_of_classes() {
        for (text, expected) in [
            (
                "class A\n  internal constructor(val b: B)",
                "class A   internal\nconstructor(val b: B)",
            ),
            (
                "data class A<T : B>\n@Own private constructor (b: B)",
                "data class A<T : B> @Own private\nconstructor (b: B)",
            ),
            (
                "class A\r\n\tconstructor(b: B)",
                "class A(\n             b: B)",
            ),
            ("class A\nconstructor(b: B)", "class A(\n           b: B)"),
        ] {
            let joined = with_joined_constructors(text);
            assert_eq!(joined, expected);
            assert_eq!(joined.len(), text.len());
        }
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in [
            "class A private constructor(b: B)",
            "class A {\n  constructor(b: B)",
            "class A(b: B)\n  private constructor(b: B)",
            "class A\n\n  private constructor(b: B)",
            "class A\n  val constructor = 1",
            "val subclass B\n  constructor(b: B)",
            "constructor(",
            "@constructor(",
        ] {
            assert_eq!(with_joined_constructors(text), text);
        }
    }
}
