//! Contexts of a pattern: the code around it that lets the grammar parse it, and the letter in place of `$`.

/// Code before a pattern, and after it.
pub(super) type Context = (&'static str, &'static str);

const PLAIN: Context = ("", "");

/// Tried in this order: the first in which the pattern parses without errors wins. If a grammar parses the same text
/// differently inside a function than at the top of a file (`f(x)` in C and Go), the function comes first. None may
/// accept arbitrary text, as markup does.
pub(super) fn contexts(language: &str) -> &'static [Context] {
    match language {
        "rust" => &[
            ("fn _f() { ", " }"),
            ("fn _f() { ", "; }"),
            PLAIN,
            ("trait _T { ", " }"),
            ("fn _f() { match _x { ", " } }"),
            ("enum _E { ", " }"),
            ("struct _S { ", " }"),
            ("fn _f(_x: ", ") {}"),
        ],
        "c" | "cpp" => &[
            ("void _f() { ", " }"),
            ("void _f() { ", "; }"),
            PLAIN,
            ("struct _S { ", " };"),
            ("class _S { ", " };"),
            ("void _f() { switch (_x) { ", " } }"),
            ("enum _E { ", " };"),
        ],
        "go" => &[
            ("package _p\nfunc _f() { ", "\n}"),
            PLAIN,
            ("package _p\n", "\n"),
            ("package _p\nfunc _f() { switch _x { ", "\n} }"),
            ("package _p\ntype _t struct { ", "\n}"),
            ("package _p\ntype _t interface { ", "\n}"),
        ],
        "java" | "csharp" | "dart" => &[
            ("class _C { void _f() { ", " } }"),
            ("class _C { void _f() { ", "; } }"),
            PLAIN,
            ("class _C { ", " }"),
            ("class _C { void _f() { switch (_x) { ", " } } }"),
            ("enum _E { ", " }"),
        ],
        "javascript" | "typescript" | "tsx" => &[
            PLAIN,
            ("async function* _f() { ", "\n}"),
            ("(", ")"),
            ("class _C { ", "\n}"),
            ("switch (_x) { ", "\n}"),
            ("let _x: ", ";"),
            ("interface _I { ", "\n}"),
        ],
        "php" => &[
            ("<?php ", ""),
            ("<?php ", ";"),
            ("<?php function _f() { ", " }"),
            ("<?php class _C { ", " }"),
        ],
        "python" => &[PLAIN, ("class _C:\n    ", "")],
        "kotlin" | "swift" | "scala" => &[
            PLAIN,
            ("fun _f() { ", "\n}"),
            ("func _f() { ", "\n}"),
            ("def _f() = { ", "\n}"),
            ("class _C { ", "\n}"),
            ("object _O { ", "\n}"),
        ],
        "zig" => &[
            ("fn _f() void { ", " }"),
            ("fn _f() void { ", "; }"),
            ("const _x = ", ";"),
            PLAIN,
        ],
        "haskell" => &[PLAIN, ("_f = ", ""), ("_f = do\n  ", ""), ("_f :: ", "")],
        "css" => &[PLAIN, ("_a { ", " }"), ("_a { ", "; }")],
        "sql" => &[PLAIN, ("", ";"), ("SELECT ", "")],
        _ => &[PLAIN, ("(", ")"), ("{ ", " }"), ("", ";")],
    }
}

/// Letters that replace `$` in names, best first: the first that parses without an error wins. `µ` is a lower-case
/// letter in most languages; C accepts neither it nor, in some versions, `$`.
pub(super) const EXPANDOS: [char; 4] = ['µ', '$', '𐀀', '_'];

/// Code around a lone `$$$`, if the grammar needs more than a name there. `µ` is the letter.
pub(super) type Filler = (&'static str, &'static str);

/// For a `$$$` among statements, members or arms.
const AMONG_STATEMENTS: [Filler; 7] = [
    ("", ""),
    ("", ";"),
    ("", "!{}"),
    ("", " => µ,"),
    ("int ", ";"),
    ("", ": µ,"),
    ("", ","),
];
/// For a `$$$` in a list of parameters.
const IN_LISTS: [Filler; 4] = [("", ""), ("int ", ""), ("", ": µ"), ("", " µ")];

/// For a `$M` where the grammar needs a string. The letters tell it from a string that was written.
const QUOTED: Filler = ("\"µµµµ", "\"");

/// Spelling of the metavariables of a pattern that may need more than a name: `$$$` among statements and in lists, and strings.
#[derive(Clone, Copy)]
pub(super) struct Fillers {
    statements: Filler,
    lists: Filler,
    strings: Filler,
    /// Whether the metavariable at a place of the pattern may need the quotes of a string.
    is_string: fn(&str, usize) -> bool,
}

impl Fillers {
    /// All ways for this pattern, the plain one first.
    pub(super) fn of(pattern: &str, language: &str) -> Vec<Fillers> {
        let is_string = string_places(language);
        let (mut among, mut within, mut quoted) = (false, false, false);
        for (at, _) in pattern.match_indices('$') {
            let is_many = pattern[at..].starts_with("$$$");
            among |= is_many && place_of(pattern, at) == Place::Statements;
            within |= is_many && place_of(pattern, at) == Place::List;
            quoted |= is_string(pattern, at);
        }
        let among = &AMONG_STATEMENTS[..if among { AMONG_STATEMENTS.len() } else { 1 }];
        let within = &IN_LISTS[..if within { IN_LISTS.len() } else { 1 }];
        let strings = &[("", ""), QUOTED][..if quoted { 2 } else { 1 }];
        let mut all = Vec::new();
        for &statements in among {
            for &lists in within {
                all.extend(strings.iter().map(|&strings| Fillers {
                    statements,
                    lists,
                    strings,
                    is_string,
                }));
            }
        }
        all
    }

    fn at(self, place: Place) -> Filler {
        match place {
            Place::Statements => self.statements,
            Place::List => self.lists,
            Place::Other => ("", ""),
        }
    }
}

/// The text without what a filler may have put around it; itself if there is nothing like that.
pub(super) fn without_filler(text: &str, letter: char) -> impl Iterator<Item = &str> {
    let fillers = AMONG_STATEMENTS.iter().chain(&IN_LISTS);
    fillers.filter_map(move |(before, after)| {
        let text = text.strip_prefix(before)?;
        match after.split_once('µ') {
            Some((left, right)) => text
                .strip_suffix(right)?
                .strip_suffix(letter)?
                .strip_suffix(left),
            None => text.strip_suffix(after),
        }
    })
}

/// The metavariable in the place of a string, without the quotes around it; `None` for any other text.
pub(super) fn without_quotes(text: &str, letter: char) -> Option<&str> {
    let (before, after) = QUOTED;
    let mut text = text.strip_suffix(after)?;
    for c in before.chars() {
        text = text.strip_prefix(if c == 'µ' { letter } else { c })?;
    }
    Some(text)
}

/// Returns the test of the places of a pattern where the grammar may need a string.
fn string_places(language: &str) -> fn(&str, usize) -> bool {
    match language {
        "json" => is_single,
        "toml" => is_value,
        _ => is_module,
    }
}

/// Returns true for `$A`, and false for `$$A` and `$$$A`.
fn is_single(pattern: &str, at: usize) -> bool {
    !pattern[..at].ends_with('$') && !pattern[at..].starts_with("$$")
}

/// Returns true for the `$V` of `key = $V` and `[$V, 1]`, and false for keys and the names of tables.
fn is_value(pattern: &str, at: usize) -> bool {
    let rest = pattern[at..].trim_start_matches('$');
    let rest =
        rest.trim_start_matches(|c: char| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit());
    let is_key = rest.trim_start_matches([' ', '\t']).starts_with(['=', '.']);
    let is_table = pattern[..at].trim_start().ends_with('[') && rest.starts_with(']');
    is_single(pattern, at) && !is_key && (!is_table || pattern.contains('='))
}

/// Returns true for the `$M` of `from $M` and `import $M`.
fn is_module(pattern: &str, at: usize) -> bool {
    let before = pattern[..at].trim_end_matches([' ', '\t']);
    let is_word = |word| {
        let rest = before.strip_suffix(word);
        rest.is_some_and(|rest: &str| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    before.len() < at && !pattern[at..].starts_with("$$") && (is_word("from") || is_word("import"))
}

/// Position of a `$$$`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Among statements, members or arms.
    Statements,
    /// In brackets, among commas.
    List,
    Other,
}

/// Returns the position of the `$$$` at `at`.
fn place_of(pattern: &str, at: usize) -> Place {
    let before = pattern[..at].trim_end_matches([' ', '\t']).chars().last();
    let rest = pattern[at..].trim_start_matches('$');
    let rest =
        rest.trim_start_matches(|c: char| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit());
    let after = rest.trim_start_matches([' ', '\t']).chars().next();
    match (before, after) {
        (Some('{' | '}' | ';' | '\n'), Some('}' | '\n')) => Place::Statements,
        (Some('(' | ',' | '<'), Some(')' | ',' | '>')) => Place::List,
        _ => Place::Other,
    }
}

/// A pattern with its metavariables spelt in a way that the language takes for names.
pub(super) struct Spelt {
    pub(super) text: String,
    /// Byte offset in `text` and in the pattern, where the two begin to differ; rising.
    shifts: Vec<(usize, usize)>,
}

impl Spelt {
    /// Replaces every `$` that begins a metavariable with `letter`, and adds the fillers around lone ones.
    pub(super) fn new(pattern: &str, letter: char, fillers: Fillers) -> Spelt {
        let mut spelt = Spelt {
            text: String::with_capacity(pattern.len() + 8),
            shifts: vec![(0, 0)],
        };
        let bytes = pattern.as_bytes();
        let mut pending = None;
        for (at, c) in pattern.char_indices() {
            if c == '$' && is_metavariable(bytes, at) {
                if (fillers.is_string)(pattern, at) {
                    let (before, after) = fillers.strings;
                    spelt.push(before, letter, at);
                    pending = Some(after);
                } else if pattern[at..].starts_with("$$$") {
                    let (before, after) = fillers.at(place_of(pattern, at));
                    spelt.push(before, letter, at);
                    pending = Some(after);
                }
                spelt.text.push(letter);
                spelt.shifts.push((spelt.text.len(), at + 1));
                continue;
            }
            if !(c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit()) {
                spelt.push(pending.take().unwrap_or_default(), letter, at);
            }
            spelt.text.push(c);
        }
        spelt.push(pending.unwrap_or_default(), letter, pattern.len());
        spelt
    }

    /// Writes what the pattern does not have, with `letter` for `µ`.
    fn push(&mut self, filler: &str, letter: char, at: usize) {
        if !filler.is_empty() {
            self.text
                .extend(filler.chars().map(|c| if c == 'µ' { letter } else { c }));
            self.shifts.push((self.text.len(), at));
        }
    }

    /// The place in the pattern of a place in the spelt text.
    pub(super) fn place(&self, offset: usize) -> usize {
        let idx = self.shifts.partition_point(|(spelt, _)| *spelt <= offset);
        let (spelt, pattern) = self.shifts[idx.saturating_sub(1)];
        pattern + (offset - spelt)
    }
}

/// Returns true if the `$` at `at` is part of `$A`, `$$A`, `$$$` or `$$$A`.
fn is_metavariable(bytes: &[u8], at: usize) -> bool {
    let dollars_before = bytes[..at].iter().rev().take_while(|b| **b == b'$').count();
    let dollars_on = bytes[at..].iter().take_while(|b| **b == b'$').count();
    let n_dollars = dollars_before + dollars_on;
    let next = bytes.get(at + dollars_on).copied().unwrap_or(b' ');
    match n_dollars {
        1 | 2 => next.is_ascii_uppercase() || next == b'_',
        3 => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metavariables_are_spelt_and_places_kept() {
        let check = |pattern: &str, expected: &str| {
            let spelt = Spelt::new(pattern, 'µ', Fillers::of(pattern, "rust")[0]);
            assert_eq!(spelt.text, expected);
            for (at, c) in pattern.char_indices().filter(|(_, c)| *c != '$') {
                let there = spelt.text.char_indices().find(|(offset, _)| {
                    spelt.place(*offset) == at && spelt.text[*offset..].starts_with(c)
                });
                assert!(there.is_some(), "{c} of {pattern}");
            }
        };
        check("foo($A, $$$ARGS)", "foo(µA, µµµARGS)");
        check("f($$$)", "f(µµµ)");
        check("$_ + $$OP", "µ_ + µµOP");
        check("jQuery $ $el $1 é$A", "jQuery $ $el $1 éµA");
    }

    #[test]
    fn what_stands_alone_may_be_filled() {
        let spelt = |pattern: &str| {
            let all = Fillers::of(pattern, "rust").into_iter();
            let mut all: Vec<String> = all
                .map(|fillers| Spelt::new(pattern, '$', fillers).text)
                .collect();
            all.dedup();
            all
        };
        assert_eq!(spelt("f($A)"), ["f($A)"]);
        assert!(spelt("{ $$$B }").contains(&"{ $$$B; }".to_owned()));
        assert!(spelt("f($$$)").contains(&"f(int $$$)".to_owned()));
        assert!(spelt("{ $$$ }").contains(&"{ $$$ => $, }".to_owned()));
        for text in ["$$$B;", "int $$$B", "$$$B => $,", "$$$B"] {
            assert!(
                without_filler(text, '$').any(|plain| plain == "$$$B"),
                "{text}"
            );
        }
    }
}
