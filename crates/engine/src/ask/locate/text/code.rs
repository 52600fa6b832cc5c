//! Example code: its imports, their local names, and the calls that lead into a repository.

use rustc_hash::FxHashMap;

use super::names::{self, Name, Part};

/// Reads code line by line, and remembers what names mean in it.
#[derive(Debug, Default)]
pub(crate) struct Code {
    /// The meaning of a name of the example: an import, or the value assigned to it.
    means: FxHashMap<String, String>,
    found: Vec<Name>,
}

/// Prompts of consoles.
const PROMPTS: &[&str] = &[">>> ", "... ", "$ ", "> ", "irb> ", "iex> "];
/// Words that begin a call's line and are no names, and functions of every program.
const PLAIN: &[&str] = &[
    "if",
    "for",
    "while",
    "return",
    "print",
    "len",
    "range",
    "str",
    "int",
    "list",
    "dict",
    "set",
    "super",
    "assert",
    "self",
    "this",
    "new",
    "await",
    "async",
    "def",
    "class",
    "function",
    "fn",
    "let",
    "const",
    "var",
    "import",
    "from",
    "type",
    "isinstance",
    "console.log",
    "println",
    "printf",
    "main",
    "float",
    "bool",
    "True",
    "False",
    "None",
    "null",
    "true",
    "false",
    "open",
    "not",
    "and",
    "or",
    "in",
    "is",
    "as",
    "with",
    "try",
    "except",
    "raise",
    "lambda",
    "else",
];
/// Maximum number of names that an example gives a meaning.
const MAX_MEANINGS: usize = 200;

impl Code {
    /// Reads a line. Linear in it.
    pub(crate) fn take(&mut self, line: &str) {
        let line = without_prompt(line);
        if is_comment(line) || self.python_import(line) || self.script_import(line) {
            return;
        }
        self.assigned(line);
        for token in names::tokens(line) {
            let text = names::joined(token.text);
            let is_chain = text.contains('.');
            let is_used = token.is_called || is_chain;
            if is_used
                && names::is_name(&text)
                && !PLAIN.contains(&text.as_str())
                && !is_in_text(line, token.at)
            {
                let text = self.meaning_of(&text);
                self.found.push(Name {
                    text,
                    part: Part::Code,
                });
            }
        }
    }

    /// Returns the names in the order in which they were read.
    pub(crate) fn finish(self) -> Vec<Name> {
        self.found
    }

    /// A name with its first part replaced by its meaning.
    fn meaning_of(&self, name: &str) -> String {
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        match self.means.get(first) {
            Some(meaning) if rest.is_empty() => meaning.clone(),
            Some(meaning) => format!("{meaning}.{rest}"),
            None => name.to_owned(),
        }
    }

    fn mean(&mut self, name: &str, meaning: String) {
        if self.means.len() < MAX_MEANINGS && meaning.len() < 200 {
            self.means.insert(name.to_owned(), meaning);
        }
    }

    /// `import a.b as c`, `from a.b import c as d, e`.
    fn python_import(&mut self, line: &str) -> bool {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("from ")
            && let Some((module, imported)) = rest.split_once(" import ")
        {
            for one in imported.trim_matches(['(', ')', ' ']).split(',') {
                let (name, local) = renamed(one);
                if names::is_name(name) {
                    let whole = format!("{}.{name}", module.trim().trim_start_matches('.'));
                    self.found.push(Name {
                        text: whole.clone(),
                        part: Part::Code,
                    });
                    self.mean(local, whole);
                }
            }
            return true;
        }
        let Some(rest) = line.strip_prefix("import ") else {
            return false;
        };
        if rest.contains(['{', '\'', '"', '*']) {
            return false;
        }
        for one in rest.trim_end_matches(';').split(',') {
            let (name, local) = renamed(one);
            if names::is_name(name) {
                self.found.push(Name {
                    text: names::joined(name),
                    part: Part::Code,
                });
                // `import a.b` binds `a`; the last part is what Java and Kotlin bind.
                let local = if local == name {
                    name.rsplit('.').next().unwrap_or(name)
                } else {
                    local
                };
                self.mean(local, names::joined(name));
            }
        }
        true
    }

    /// `import { a as b } from "c"`, `const { a } = require("c")`, `use a::{b}`.
    fn script_import(&mut self, line: &str) -> bool {
        let line = line.trim();
        let is_import =
            (line.starts_with("import ") && line.contains(" from ")) || line.contains("require(");
        if !is_import {
            return false;
        }
        let module = line.rsplit(['\'', '"']).nth(1).unwrap_or_default();
        let module = module.trim_start_matches(['.', '/', '@']).replace('/', ".");
        let inner = line
            .split_once('{')
            .and_then(|(_, rest)| rest.split_once('}'))
            .map_or("", |(inner, _)| inner);
        for one in inner.split(',') {
            let (name, local) = renamed(one);
            if names::is_name(name) {
                let whole = format!("{module}.{name}");
                self.found.push(Name {
                    text: whole.clone(),
                    part: Part::Code,
                });
                self.mean(local, whole);
            }
        }
        true
    }

    /// `cart = shop.Cart(…)`: later `cart.add(…)` is `shop.Cart.add`.
    fn assigned(&mut self, line: &str) {
        let Some((left, right)) = line.split_once('=') else {
            return;
        };
        let left = left.trim_end_matches([':', ' ']);
        let name = left.rsplit([' ', '\t']).next().unwrap_or(left);
        let right = right
            .trim_start()
            .trim_start_matches("await ")
            .trim_start_matches("new ");
        let Some(token) = names::tokens(right)
            .next()
            .filter(|token| token.at == 0 && token.is_called)
        else {
            return;
        };
        let called = names::joined(token.text);
        // A type begins with a capital: what another function returns is not known.
        let last = called.rsplit('.').next().unwrap_or(&called);
        if last.starts_with(char::is_uppercase) && names::is_name(name) && !name.contains('.') {
            let meaning = self.meaning_of(&called);
            self.mean(name, meaning);
        }
    }
}

/// `a as b` is `a`, called `b` here; JavaScript also writes `a: b`.
fn renamed(one: &str) -> (&str, &str) {
    let one = one.trim();
    let (name, local) = one
        .split_once(" as ")
        .or_else(|| one.split_once(": "))
        .unwrap_or((one, one));
    (name.trim(), local.trim())
}

fn without_prompt(line: &str) -> &str {
    let trimmed = line.trim_start();
    let rest = PROMPTS
        .iter()
        .find_map(|prompt| trimmed.strip_prefix(prompt));
    if let Some(rest) = rest {
        return rest;
    }
    // `In [3]: ` of notebooks.
    let cell = trimmed
        .strip_prefix("In [")
        .and_then(|rest| rest.split_once("]: "));
    cell.map_or(line, |(_, rest)| rest)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["#", "//", "--", "/*", "*"]
        .iter()
        .any(|start| line.starts_with(start))
}

/// Whether a byte of a line is behind an odd number of quotes: in a string.
fn is_in_text(line: &str, at: usize) -> bool {
    let before = &line[..at];
    before.matches('"').count() % 2 == 1 || before.matches('\'').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, expected: &[&str]) {
        let mut read = Code::default();
        for line in code.lines() {
            read.take(line);
        }
        let found = read.finish();
        let found: Vec<&str> = found.iter().map(|name| name.text.as_str()).collect();
        assert_eq!(found, expected, "{code}");
    }

    #[test]
    fn calls_lead_through_imports() {
        check(
            "import shop.tax as t\nfrom shop.cart import Cart as Basket, empty\n>>> cart = Basket(3)\n>>> cart.add(t.rate('a.b()'))\nempty(cart)",
            &[
                "shop.tax",
                "shop.cart.Cart",
                "shop.cart.empty",
                "shop.cart.Cart",
                "shop.cart.Cart.add",
                "shop.tax.rate",
                "shop.cart.empty",
            ],
        );
        check(
            "import { add as plus } from './lib/cart'\nplus(1)\nconst { total } = require('shop')\ntotal()",
            &["lib.cart.add", "lib.cart.add", "shop.total", "shop.total"],
        );
        check(
            "use it\nprint(x)\n# cart.add()\nlet c = Cart::new();",
            &["Cart.new"],
        );
    }
}
