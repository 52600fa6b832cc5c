//! Functions that a macro of the same file generates: `handler_fn!(get, GET);` with
//! `macro_rules! handler_fn { ($name:ident, $method:ident) => { pub fn $name() -> Route { … } } }`.
//!
//! Nothing is expanded: the text of the macro tells that it defines a function by a name that it is given, and what
//! that function returns.

use crate::text::squeezed;

/// Returns the result type of the function that a macro of this name defines from an identifier argument: empty if it
/// returns nothing; none if the file has no such macro.
pub(super) fn function_result(source: &str, macro_name: &str) -> Option<String> {
    let body = macro_body(source, macro_name)?;
    let (at, variable) = defined_variable(body)?;
    let takes_it = body.contains(&format!("${variable}:ident"))
        || body.contains(&format!("${variable}: ident"));
    if !takes_it {
        return None;
    }
    let head = body.get(at..)?;
    let head = head.get(..head.find('{').or_else(|| head.find(';'))?)?;
    let result = head.rsplit_once("->").map_or("", |(_, result)| result);
    let result = result
        .split(" where")
        .next()
        .and_then(|text| text.split("\nwhere").next())
        .unwrap_or_default();
    Some(squeezed(
        result.split("where\n").next().unwrap_or_default().trim(),
        200,
    ))
}

/// The text between the braces of `macro_rules! NAME { … }`.
fn macro_body<'s>(source: &'s str, name: &str) -> Option<&'s str> {
    let start = source
        .match_indices("macro_rules!")
        .find_map(|(at, word)| {
            let rest = source.get(at + word.len()..)?.trim_start();
            let rest = rest.strip_prefix(name)?;
            rest.trim_start()
                .starts_with(['{', '('])
                .then(|| source.len() - rest.len())
        })?;
    let body = source.get(start..)?;
    let mut depth = 0usize;
    for (at, c) in body.char_indices() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return body.get(..at);
                }
            }
            _ => {}
        }
    }
    Some(body)
}

/// Finds `fn $name`, and returns the variable's name.
fn defined_variable(body: &str) -> Option<(usize, &str)> {
    let at = body.find("fn $")?;
    let rest = body.get(at + "fn $".len()..)?;
    let end = rest
        .find(|c: char| !crate::text::is_word(c))
        .unwrap_or(rest.len());
    let variable = rest.get(..end).filter(|name| !name.is_empty())?;
    Some((at, variable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_generated_functions() {
        let source = "macro_rules! other { () => {}; }\nmacro_rules! make {\n    ($name:ident, $m:ident) => {\n        pub fn $name<T>(t: T) -> Route<T>\n        where\n            T: Copy,\n        { on($m, t) }\n    };\n}\n";
        assert_eq!(function_result(source, "make").as_deref(), Some("Route<T>"));
        assert_eq!(function_result(source, "other"), None);
        assert_eq!(function_result(source, "missing"), None);
        assert_eq!(
            function_result("macro_rules! a { ($n: ident) => { fn $n() {} } }", "a").as_deref(),
            Some("")
        );
    }
}
