//! Names that hold within one file only: parameters, local variables and imported names, each with its uses.
//!
//! The facts of the file say which names are bound and in which definition; the tree says how far each binding holds: to the end of
//! the smallest function, block or clause around it. Nothing of it is kept, since the code view asks for one file at a time.

mod kinds;

use std::ops::Range;

use rustc_hash::FxHashMap;
use tree_sitter::{Node, Tree};

use kinds::{Kinds, NAME, SCOPE};

use super::Parsers;
use crate::Language;
use crate::deadline::{Deadline, parse};
use crate::facts::{FileFacts, Span};

/// A use of a local name, or its binding. Positions are byte offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalName {
    /// Range of the name.
    pub range: (u32, u32),
    /// Range of the name where it is bound; the same for the binding itself.
    pub bound: (u32, u32),
    /// Kind of the binding.
    pub kind: LocalKind,
    /// Range of the module that an imported name comes from, as written; empty for others.
    pub module: (u32, u32),
}

/// Kind of a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum LocalKind {
    /// A variable of a function or block.
    Variable,
    /// A parameter of a function.
    Parameter,
    /// A name that an import binds.
    Import,
}

/// Bindings of one name before and after a use that are compared: a generated file may bind one name ten thousand times.
const MAX_COMPARED: usize = 256;

impl Parsers {
    /// The local names of a text with the bindings they mean, in source order. Empty where there is no grammar for the language or the
    /// steps are used up.
    pub fn locals(&mut self, language: Language, text: &str) -> Vec<LocalName> {
        let facts = self.read(language, text);
        let name = language.grammar_for(text).unwrap_or_default();
        let deadline = Deadline::start(&self.config, name, text.len());
        let tree = self
            .parser_of(language)
            .and_then(|(parser, _)| parse(parser, name, text, &deadline));
        tree.map_or_else(Vec::new, |tree| {
            let names = Names::new(&facts, text);
            let found = find(&tree, &names, text, language, &deadline);
            resolve(&found, &names, &facts, text, language)
        })
    }
}

/// The bound names, from the facts.
struct Names<'a> {
    numbers: FxHashMap<&'a str, u32>,
    /// Enclosing definition by the first byte of a binding.
    bindings: FxHashMap<u32, Option<Span>>,
    imports: Vec<ImportedName>,
}

/// A name that an import binds.
struct ImportedName {
    number: u32,
    /// The import.
    span: Span,
    /// First byte and end of the module's name.
    module: (u32, u32),
    enclosing: Option<Span>,
}

impl<'a> Names<'a> {
    fn new(facts: &'a FileFacts, text: &str) -> Names<'a> {
        let around = |at: Option<u32>| Some(facts.symbols.get(at? as usize)?.span);
        let mut numbers = FxHashMap::default();
        let mut number = |name: &'a str| {
            let next = numbers.len() as u32;
            *numbers.entry(name).or_insert(next)
        };
        let mut bindings = FxHashMap::default();
        for binding in &facts.bindings {
            let start = binding.span.start;
            let is_here = text
                .get(start as usize..)
                .is_some_and(|rest| rest.starts_with(&binding.name));
            if is_here && !binding.name.contains('.') {
                number(&binding.name);
                bindings.insert(start, around(binding.enclosing));
            }
        }
        let mut imports = Vec::new();
        for import in facts.imports.iter().filter(|one| !one.local.is_empty()) {
            let module = place_of(&import.module, import.span, text);
            imports.push(ImportedName {
                number: number(&import.local),
                span: import.span,
                module,
                enclosing: around(import.enclosing),
            });
        }
        Names {
            numbers,
            bindings,
            imports,
        }
    }

    fn import(&self, name: u32, at: u32) -> Option<(u32, u32)> {
        let holds = |span: &Span| span.start <= at && at < span.end;
        let found = self
            .imports
            .iter()
            .find(|import| import.number == name && holds(&import.span))?;
        Some(found.module)
    }
}

/// Bytes behind an imported name in which its module is looked for: a list of names may come before it.
const MAX_BEFORE_MODULE: usize = 8_000;

/// Where the module is written: in the import, before it on its line, or behind it as a string.
fn place_of(module: &str, span: Span, text: &str) -> (u32, u32) {
    if module.is_empty() {
        return (0, 0);
    }
    let (start, end) = (span.start as usize, span.end as usize);
    let line = text
        .get(..start)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |at| at + 1);
    let inside = |from: usize| Some(text.get(from..end)?.find(module)? + from);
    let behind = || {
        let rest = text.get(end..)?;
        let near = rest.get(..MAX_BEFORE_MODULE).unwrap_or(rest);
        let quoted = |quote: char| near.find(&format!("{quote}{module}{quote}"));
        Some(quoted('\'').or_else(|| quoted('"'))? + end + 1)
    };
    let at = inside(start).or_else(|| inside(line)).or_else(behind);
    at.map_or((0, 0), |at| (at as u32, (at + module.len()) as u32))
}

/// A name in the tree that is bound somewhere in the file.
struct Found {
    name: u32,
    range: (u32, u32),
    scope: (u32, u32),
    is_parameter: bool,
    is_assigned: bool,
}

fn find(
    tree: &Tree,
    names: &Names,
    text: &str,
    language: Language,
    deadline: &Deadline,
) -> Vec<Found> {
    let mut found = Vec::new();
    let mut kinds = Kinds::new(language);
    let mut scopes: Vec<Node> = Vec::new();
    // A node's own way up begins at the root each time.
    let mut above: Vec<Node> = Vec::new();
    let mut cursor = tree.walk();
    'nodes: while !deadline.is_over_after(1) {
        let node = cursor.node();
        let is_before = |scope: &Node| scope.end_byte() <= node.start_byte();
        while scopes.last().is_some_and(is_before) {
            scopes.pop();
        }
        let class = kinds.of(node);
        if class & SCOPE != 0 {
            scopes.push(node);
        }
        let name = (class & NAME != 0)
            .then(|| text.get(node.byte_range()))
            .flatten();
        let number = name.and_then(|name| names.numbers.get(name));
        if let Some(&name) = number {
            let scope = scopes.last().map_or(0..text.len(), Node::byte_range);
            found.extend(at_name(node, name, scope, &above, names, text));
        } else if cursor.goto_first_child() {
            above.push(node);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                break 'nodes;
            }
            above.pop();
        }
    }
    found
}

fn at_name(
    node: Node,
    name: u32,
    scope: Range<usize>,
    above: &[Node],
    names: &Names,
    text: &str,
) -> Option<Found> {
    let start = node.start_byte();
    let is_bound = names.bindings.contains_key(&(start as u32));
    let parent = above.last();
    if !is_bound && (is_member(text, start) || parent.is_some_and(|parent| is_label(node, parent)))
    {
        return None;
    }
    Some(Found {
        name,
        range: (start as u32, node.end_byte() as u32),
        scope: (scope.start as u32, scope.end as u32),
        is_parameter: is_bound && in_parameters(above, start),
        is_assigned: parent.is_some_and(|parent| parent.kind().contains("assignment")),
    })
}

/// Returns true after `.`, `->` or `::`: the name is one of something else.
fn is_member(text: &str, start: usize) -> bool {
    let before = text.get(..start).unwrap_or_default().trim_end();
    let is_dot = before.ends_with('.') && !before.ends_with("..");
    is_dot || before.ends_with("->") || before.ends_with("::")
}

/// Returns true for the name of an argument or of a field in a literal: `f(size = 1)`, `{ size: 1 }`.
fn is_label(node: Node, parent: &Node) -> bool {
    let kind = parent.kind();
    let labels = ["argument", "pair", "field_init", "keyed", "label"];
    let next = || parent.child(1).map_or("", |next| next.kind());
    labels.iter().any(|label| kind.contains(label))
        && parent.child(0) == Some(node)
        && matches!(next(), "=" | ":")
}

/// Returns true within the parameters of a function; looks at the next six nodes above, up to a block.
fn in_parameters(above: &[Node], start: usize) -> bool {
    for parent in above.iter().rev().take(6) {
        let kind = parent.kind();
        if kind.contains("parameter") || (kind == "arrow_function" && parent.start_byte() == start)
        {
            return true;
        }
        if kind.contains("block") || kind.contains("body") {
            return false;
        }
    }
    false
}

/// A place where a name is bound.
struct Bound {
    range: (u32, u32),
    /// The part of the text in which it holds: the smallest scope, and the definition around it.
    scopes: [(u32, u32); 2],
    is_assigned: bool,
    kind: LocalKind,
    module: (u32, u32),
}

fn resolve(
    found: &[Found],
    names: &Names,
    facts: &FileFacts,
    text: &str,
    language: Language,
) -> Vec<LocalName> {
    let whole = (0, text.len() as u32);
    let mut bound: FxHashMap<u32, Vec<Bound>> = FxHashMap::default();
    for one in found {
        bound
            .entry(one.name)
            .or_default()
            .extend(binding(one, names, facts, whole));
    }
    let rebinds = matches!(language, Language::Rust | Language::Elixir);
    let meaning = |one: &Found| {
        let best = nearest(bound.get(&one.name)?, one.range.0, rebinds)?;
        Some(LocalName {
            range: one.range,
            bound: best.range,
            kind: best.kind,
            module: best.module,
        })
    };
    found.iter().filter_map(meaning).collect()
}

fn binding(one: &Found, names: &Names, facts: &FileFacts, whole: (u32, u32)) -> Option<Bound> {
    let start = one.range.0;
    if let Some(module) = names.import(one.name, start) {
        return Some(Bound {
            range: one.range,
            scopes: [one.scope, whole],
            is_assigned: false,
            kind: LocalKind::Import,
            module,
        });
    }
    let around = names.bindings.get(&start)?;
    // `const a = require("a")` binds a name and imports it.
    let required = names.imports.iter().find(|import| {
        import.number == one.name && import.enclosing == *around && import.span.start >= start
    });
    // A file-level variable is a definition of the index; only imported ones are local.
    if around.is_none() && required.is_none() && one.scope == whole {
        let is_symbol = |symbol: &crate::facts::Symbol| symbol.name_span.start == start;
        if facts.symbols.iter().any(is_symbol) {
            return None;
        }
    }
    let outer = around.map_or(whole, |span| (span.start, span.end));
    let inner = if outer.0 <= one.scope.0 && one.scope.1 <= outer.1 {
        one.scope
    } else {
        outer
    };
    let kind = match (required, one.is_parameter) {
        (Some(_), _) => LocalKind::Import,
        (None, true) => LocalKind::Parameter,
        (None, false) => LocalKind::Variable,
    };
    Some(Bound {
        range: one.range,
        scopes: [inner, outer],
        is_assigned: one.is_assigned,
        kind,
        module: required.map_or((0, 0), |import| import.module),
    })
}

/// The binding that a use means: declared before assigned, in the smallest scope around the use, the first one there; where a language
/// binds a name anew, the last one before the use.
fn nearest(bound: &[Bound], at: u32, rebinds: bool) -> Option<&Bound> {
    let next = bound.partition_point(|one| one.range.0 <= at);
    let near = next.saturating_sub(MAX_COMPARED)..(next + MAX_COMPARED).min(bound.len());
    let near = bound.get(near)?;
    for level in 0..2 {
        let holds = |one: &&Bound| {
            let (from, to) = one.scopes[level];
            from <= at && at < to
        };
        let rank = |one: &&Bound| {
            let (from, to) = one.scopes[level];
            let is_late = one.range.0 > at;
            let order = if rebinds && !is_late {
                u32::MAX - one.range.0
            } else {
                one.range.0
            };
            (one.is_assigned, to - from, rebinds && is_late, order)
        };
        if let Some(best) = near.iter().filter(holds).min_by_key(rank) {
            return Some(best);
        }
    }
    None
}
