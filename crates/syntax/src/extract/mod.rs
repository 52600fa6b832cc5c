//! From a tree to facts: one query run, then sweeps over sorted lists. No walk, so depth costs no stack.

mod blocks;
mod callback;
mod details;
mod harvest;
mod inside;
mod modifiers;
mod narrowing;
mod nesting;
mod pattern;
mod prefix;
mod symbols;
mod tokens;
mod uses;

use tree_sitter::Node;

use crate::Language;
use crate::deadline::Deadline;
use crate::facts::{FileFacts, Import, Modifiers, Problem, ProblemKind, Span, Symbol, SymbolKind};
use crate::grammar::RoleQuery;
use crate::node::text_of;
use crate::platform;
use crate::regions::Region;
use crate::rules::Rules;

use harvest::Harvest;
use nesting::Sweep;

/// Work that extraction leaves for later.
pub(crate) struct Rest {
    /// The time was up first.
    pub(crate) timed_out: bool,
    /// Insides of macros that hold items.
    pub(crate) regions: Vec<Region>,
}

/// Fills symbols, references, imports, bindings and package of `facts`.
pub(crate) fn extract(
    facts: &mut FileFacts,
    rules: &Rules,
    query: &RoleQuery,
    root: Node,
    source: &str,
    max_depth: u32,
    deadline: &Deadline,
) -> Rest {
    let mut harvest = Harvest::run(query, rules, root, source, max_depth, deadline);
    if let Some(at) = harvest.deeper {
        facts.problems.push(too_deep(at, source, max_depth));
    }
    let n_packages = match facts.language {
        Language::Scala => harvest.packages.len(),
        _ => 1,
    };
    let packages = harvest.packages.iter().take(n_packages);
    let packages: Vec<&str> = packages.map(|node| text_of(*node, source)).collect();
    facts.package = packages.join(".");
    let mut table = symbols::build(&mut harvest, rules, source);
    mark_left_out(facts.language, source, &mut table.symbols);
    facts.imports = imports(&harvest, rules, source, &table);
    facts.bindings = uses::bindings(&mut harvest, rules, source, &table, facts.language);
    facts.references = uses::references(&mut harvest, source, &table, &facts.bindings);
    facts.symbols = table.symbols;
    Rest {
        timed_out: harvest.timed_out,
        regions: harvest
            .regions
            .iter()
            .filter_map(|node| inside(*node, source))
            .collect(),
    }
}

/// Marks definitions that the default build leaves out.
fn mark_left_out(language: Language, source: &str, symbols: &mut [Symbol]) {
    let left_out = Modifiers::LEFT_OUT.bits();
    match language {
        Language::Go if platform::leaves_out_go(source) => {
            symbols
                .iter_mut()
                .for_each(|symbol| symbol.modifiers |= left_out);
        }
        Language::C | Language::Cpp => {
            let ranges = platform::left_out_of_c(source);
            for symbol in symbols.iter_mut().filter(|_| !ranges.is_empty()) {
                let at = symbol.name_span.start;
                let next = ranges.partition_point(|(_, to)| *to <= at);
                if ranges.get(next).is_some_and(|(from, _)| *from <= at) {
                    symbol.modifiers |= left_out;
                }
            }
        }
        Language::Rust => {
            for index in 0..symbols.len() {
                let Some(symbol) = symbols.get(index) else {
                    break;
                };
                // Parents come before their children.
                let around = symbol
                    .parent
                    .and_then(|parent| symbols.get(parent as usize));
                if around.is_some_and(|around| around.is(Modifiers::LEFT_OUT))
                    || symbol
                        .rare
                        .decorators
                        .iter()
                        .any(|text| platform::leaves_out(text))
                {
                    symbols[index].modifiers |= left_out;
                }
            }
        }
        _ => {}
    }
}

/// The inside of a macro's brackets, if it looks like items.
fn inside(node: Node, source: &str) -> Option<Region> {
    let (start, end) = (node.start_byte() + 1, node.end_byte().checked_sub(1)?);
    let text = source.get(start..end)?;
    let words = [
        "fn ", "struct ", "enum ", "impl ", "trait ", "type ", "mod ", "use ",
    ];
    words
        .iter()
        .any(|word| text.contains(word))
        .then_some(Region {
            start,
            end,
            is_repair: false,
        })
}

fn too_deep(at: usize, source: &str, max_depth: u32) -> Problem {
    let line =
        memchr::memchr_iter(b'\n', source.as_bytes().get(..at).unwrap_or_default()).count() as u32;
    let span = Span {
        start: at as u32,
        end: at as u32,
        start_line: line,
        end_line: line,
    };
    let message = format!(
        "code is nested deeper than {max_depth} levels; definitions and calls beyond that are left out, the text is searched"
    );
    Problem {
        kind: ProblemKind::Limit,
        span,
        message,
    }
}

/// The symbols of a file with what the sweeps need.
pub(crate) struct SymbolTable {
    pub(crate) symbols: Vec<crate::facts::Symbol>,
    /// Start and end of each symbol's scope: after its decorators, to its end.
    pub(crate) scopes: Vec<(u32, u32)>,
    /// The nearest definition, itself or around it, that references and bindings belong to.
    pub(crate) enclosing: Vec<Option<u32>>,
}

/// Returns true if references inside are attributed to this definition.
pub(crate) fn encloses(kind: SymbolKind, is_anonymous: bool) -> bool {
    use SymbolKind::{Constant, Field, Section, Variable, Variant};
    !is_anonymous && !matches!(kind, Variable | Field | Constant | Variant | Section)
}

fn imports(harvest: &Harvest, rules: &Rules, source: &str, table: &SymbolTable) -> Vec<Import> {
    let mut nodes = harvest.imports.clone();
    nodes.sort_unstable_by_key(|node| (node.start_byte(), std::cmp::Reverse(node.end_byte())));
    nodes.dedup_by_key(|node| node.id());
    let mut out = Vec::new();
    let mut sweep = Sweep::new(&table.scopes);
    for node in nodes {
        let enclosing = sweep
            .innermost(node.start_byte() as u32)
            .and_then(|at| table.enclosing.get(at).copied().flatten());
        let first = out.len();
        (rules.imports)(node, source, &mut out);
        for import in out.iter_mut().skip(first) {
            import.enclosing = enclosing;
        }
    }
    out
}
