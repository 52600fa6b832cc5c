//! The text of an expression that is kept as a fact.

use crate::Language;
use crate::text::squeezed;

/// Bound values are cut at this many bytes, and begin then in their middle.
const MAX_EXPRESSION: usize = 1 << 16;
/// Longer chains of calls are not kept for each function that one of the calls is given.
const MAX_CALLEE: usize = 2_000;
/// Of values longer than this the insides of brackets are left out.
const MAX_WHOLE: usize = 200;

/// The text of an expression that may be written once for each function that is an argument of it; none of long ones.
pub(crate) fn callee(text: &str, language: Language) -> Option<String> {
    // Arguments count in the source, not in what is kept of it.
    let is_near = !text.is_empty() && text.len() <= MAX_CALLEE * 8;
    let text = is_near.then(|| expression(text, language));
    text.filter(|text| text.len() <= MAX_CALLEE)
}

/// The text of an expression whose chain is wanted.
pub(crate) fn expression(text: &str, language: Language) -> String {
    let text = squeezed(text, MAX_EXPRESSION);
    if text.len() <= MAX_WHOLE {
        return text;
    }
    crate::lower::abridged(&text, language)
}
