//! Reads the few fields of project files that resolution needs. A file that cannot be parsed counts as absent.

use serde_json::Value;

/// A project file that says where modules are: one for which [`is_manifest`] is true.
#[derive(Debug, Clone, Copy)]
pub struct Manifest<'a> {
    /// Path from the root of the repository.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// Returns true for files that say where modules are, which [`resolve`](crate::resolve) takes as a [`Manifest`].
#[must_use]
pub fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(
        name,
        "Cargo.toml"
            | "package.json"
            | "go.mod"
            | "pyproject.toml"
            | "setup.cfg"
            | "deno.json"
            | "composer.json"
            | "pubspec.yaml"
            | "jsr.json"
    ) || ((name.starts_with("tsconfig") || name.starts_with("jsconfig")) && name.ends_with(".json"))
}

/// A JSON file, with the comments and trailing commas that tsconfig allows.
pub(crate) fn json(text: &str) -> Option<Value> {
    serde_json::from_str(text)
        .ok()
        .or_else(|| serde_json::from_str(&without_comments(text)).ok())
}

/// A TOML file.
pub(crate) fn toml(text: &str) -> Option<toml::Table> {
    text.parse().ok()
}

/// Replaces comments by spaces and drops commas before a closing bracket.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('"', _) => {
                out.push(c);
                let mut escaped = false;
                for c in chars.by_ref() {
                    out.push(c);
                    if c == '"' && !escaped {
                        break;
                    }
                    escaped = c == '\\' && !escaped;
                }
            }
            ('/', Some('/')) => {
                for c in chars.by_ref() {
                    if c == '\n' {
                        break;
                    }
                }
                out.push('\n');
            }
            ('/', Some('*')) => {
                let mut last = ' ';
                chars.next();
                for c in chars.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
                out.push(' ');
            }
            (']' | '}', _) => {
                let kept = out.trim_end();
                if kept.ends_with(',') {
                    out.truncate(kept.len() - 1);
                }
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_commas_are_read_over() {
        let text = "{ // a\n \"a\": \"http://x\", /* b */ \"b\": [1, 2,], }";
        assert_eq!(
            json(text),
            serde_json::from_str("{\"a\":\"http://x\",\"b\":[1,2]}").ok()
        );
        assert_eq!(json("{"), None);
    }
}
