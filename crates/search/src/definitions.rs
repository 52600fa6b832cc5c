//! Finds the names that a text defines when there is no grammar: lines that read like definitions in most languages.
//!
//! A definition keyword (`class`, `fun`, `defmodule`, …) followed by a name, at the start of a line except for
//! modifiers (`public static`, `export default`). Sometimes wrong, which costs a little precision in ranking; names
//! found by a grammar do not use this module.

/// Keywords before the name of a definition.
const KEYWORDS: &[&str] = &[
    "class",
    "struct",
    "enum",
    "trait",
    "interface",
    "protocol",
    "record",
    "object",
    "module",
    "defmodule",
    "namespace",
    "package",
    "type",
    "typealias",
    "typedef",
    "newtype",
    "data",
    "def",
    "defp",
    "defmacro",
    "defdelegate",
    "fn",
    "fun",
    "func",
    "function",
    "sub",
    "proc",
    "macro",
    "extension",
    "instance",
    "impl",
    "union",
    "mixin",
    "actor",
    "val",
    "const",
    "let",
    "var",
    "local",
    "given",
    "opaque",
];

/// Modifiers before such a keyword.
const MODIFIERS: &[&str] = &[
    "public",
    "private",
    "protected",
    "internal",
    "fileprivate",
    "open",
    "static",
    "final",
    "abstract",
    "sealed",
    "override",
    "virtual",
    "inline",
    "export",
    "default",
    "async",
    "suspend",
    "data",
    "case",
    "implicit",
    "lazy",
    "partial",
    "readonly",
    "unsafe",
    "extern",
    "pub",
    "local",
    "mutating",
    "indirect",
    "inner",
    "companion",
    "tailrec",
    "operator",
    "infix",
    "expect",
    "actual",
    "const",
    "declare",
    "comptime",
    "noinline",
    "unowned",
    "weak",
    "required",
    "convenience",
    "transparent",
    "enum",
    "new",
];

/// More of them say more about the chunk's size than about its meaning.
const MAX_NAMES: usize = 64;

/// The names defined in `text`, in order, without repetition. Linear in `text`.
#[must_use]
pub fn defined_names(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for line in text.lines() {
        if let Some(name) = name_in_line(line)
            && !names.contains(&name)
        {
            names.push(name);
            if names.len() == MAX_NAMES {
                break;
            }
        }
    }
    names
}

fn name_in_line(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    let indented = rest.len() != line.len();
    if let Some(name) = shell_function(rest) {
        return Some(name);
    }
    // A handful of modifiers at most: a longer row of words is prose.
    for _ in 0..8 {
        let (word, after) = first_word(rest)?;
        let is_keyword = KEYWORDS.contains(&word);
        if is_keyword && let Some(name) = name_after(after) {
            let local =
                indented && matches!(word, "val" | "const" | "let" | "var" | "local" | "type");
            if !KEYWORDS.contains(&name) && !MODIFIERS.contains(&name) {
                return (!local).then_some(name);
            }
        }
        if !is_keyword && !MODIFIERS.contains(&word) {
            return None;
        }
        rest = after.trim_start();
    }
    None
}

/// `name() {` of shells.
fn shell_function(line: &str) -> Option<&str> {
    let (name, after) = first_word(line)?;
    let after = after.strip_prefix("()")?.trim_start();
    (after.is_empty() || after.starts_with('{')).then_some(name)
}

/// The name at the start of what follows a keyword; of a qualified one (`Plug.Conn`, `M.setup`, `self.call`) the last part.
fn name_after(text: &str) -> Option<&str> {
    let mut rest = text.strip_prefix([' ', '\t'])?.trim_start();
    // Go receivers and type parameters (`func (r *Router) Add`, `impl<T> Foo`) come before the name.
    if rest.starts_with('(') {
        rest = rest.split_once(')')?.1.trim_start();
    }
    let (mut name, mut after) = first_word(rest)?;
    while let Some(inner) = after
        .strip_prefix("::")
        .or_else(|| after.strip_prefix(['.', ':']))
    {
        let Some((next, following)) = first_word(inner) else {
            break;
        };
        (name, after) = (next, following);
    }
    let first = name.chars().next()?;
    (name.len() > 1 && !first.is_numeric()).then_some(name)
}

fn first_word(text: &str) -> Option<(&str, &str)> {
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&defined_names(text).join(" "));
    }

    #[test]
    fn definitions_of_many_languages() {
        check("public final class HandlerStack\n", expect!["HandlerStack"]);
        check(
            "  suspend fun handleRequest(call: Call) {",
            expect!["handleRequest"],
        );
        check(
            "defmodule Plug.Router.Utils do\n  def build_path(x), do: x\n  defp parse(x) do",
            expect!["Utils build_path parse"],
        );
        check(
            "sealed abstract class Decoder[A] extends Serializable\nobject Decoder {",
            expect!["Decoder"],
        );
        check(
            "function M.setup(opts)\nlocal function helper()",
            expect!["setup helper"],
        );
        check("func (r *Router) Handle(p string) {", expect!["Handle"]);
        check("bats_run_setup() {\n  run\n}", expect!["bats_run_setup"]);
        check(
            "pub const Parser = struct {\npub fn parse(comptime T: type) void {",
            expect!["Parser parse"],
        );
        check(
            "data Layout a = Full | Tall\nnewtype X a = X a",
            expect!["Layout"],
        );
        check("def self.call(env)", expect!["call"]);
        check(
            "extension Session {\n  open func request(_ url: URL) -> DataRequest {",
            expect!["Session request"],
        );
    }

    #[test]
    fn prose_and_statements_define_nothing() {
        check(
            "This class is used to return data.\nreturn new Foo()\nif (x) {\nfoo.bar();\n  let x1 = 3;",
            expect![""],
        );
    }
}
