//! JavaScript and TypeScript: `at add (file:3:5)`, `at async file:3:5`; Firefox and Safari: `add@file:3:5`.

use super::{Read, place};

pub(super) fn read(line: &str) -> Option<Read> {
    let line = line.trim();
    if let Some(rest) = line.strip_prefix("at ") {
        let rest = rest.strip_prefix("async ").unwrap_or(rest);
        let rest = rest.strip_prefix("new ").unwrap_or(rest);
        if let Some((function, inner)) = rest.rsplit_once(" (") {
            let (path, at) = place(inner.strip_suffix(')')?)?;
            let function = function.split(" [as ").next().unwrap_or(function);
            return is_script(path).then(|| Read::first(local(path), Some(at), function))?;
        }
        let (path, at) = place(rest)?;
        return (is_script(path) && !path.contains(' '))
            .then(|| Read::first(local(path), Some(at), ""))?;
    }
    let (function, rest) = line.split_once('@')?;
    let is_name = function
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '/' | '<' | '*'));
    let (path, at) = place(rest)?;
    (is_name && is_script(path) && !path.contains(' '))
        .then(|| Read::first(local(path), Some(at), function))?
}

/// Whether the place is a file or module, and no time of day.
fn is_script(path: &str) -> bool {
    path.contains(['/', '\\', '.']) && !path.starts_with(|c: char| c.is_ascii_digit())
}

/// A path without scheme, host, and the marks of bundlers.
fn local(path: &str) -> &str {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    for scheme in [
        "file://",
        "webpack-internal:///",
        "webpack:///",
        "node:",
        "app:///",
    ] {
        if let Some(rest) = path.strip_prefix(scheme) {
            return rest.trim_start_matches("./");
        }
    }
    let host = path
        .strip_prefix("https://")
        .or_else(|| path.strip_prefix("http://"));
    host.and_then(|host| host.split_once('/'))
        .map_or(path, |(_, path)| path)
}
