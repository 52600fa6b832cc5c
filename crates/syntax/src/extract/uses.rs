//! Uses of names, and what is said about the types of names.

use rustc_hash::FxHashSet;
use tree_sitter::Node;

use super::blocks;
use super::harvest::{Harvest, RawReference};
use super::narrowing;
use super::nesting::Sweep;
use super::pattern;
use super::{SymbolTable, harvest::RawBinding};
use crate::Language;
use crate::facts::{Binding, BindingKind, Bound, Receiver, Reference, ReferenceForm, SymbolKind};
use crate::fields::ByField;
use crate::node::{span_of, text_of};
use crate::rules::{Rules, expression, is_function};
use crate::text::squeezed;

/// Names longer than this are cut.
const MAX_NAME: usize = 200;

/// Signs and words that are no names: lambdas and the results of functions are bound to them.
const SIGNS: [&str; 4] = ["{", "=", "end", "return"];

/// Bindings in source order; a place is bound once, by the pattern written first.
pub(crate) fn bindings(
    harvest: &mut Harvest,
    rules: &Rules,
    source: &str,
    table: &SymbolTable,
    language: Language,
) -> Vec<Binding> {
    let mut raw = std::mem::take(&mut harvest.bindings);
    raw.sort_by_key(|one| (one.name.start_byte(), one.pattern));
    raw.dedup_by_key(|one| one.name.start_byte());
    let defined: FxHashSet<u32> = table
        .symbols
        .iter()
        .map(|symbol| symbol.name_span.start)
        .collect();
    let mut sweep = Sweep::new(&table.scopes);
    let bindings: Vec<(Binding, Option<Node>)> = raw
        .iter()
        .map(|one| {
            let inner = sweep.innermost(one.name.start_byte() as u32);
            binding(
                one,
                inner.and_then(|at| table.enclosing.get(at).copied().flatten()),
                rules,
                source,
                language,
            )
        })
        .zip(&raw)
        .filter_map(|(binding, one)| Some((narrowed(binding, one, source)?, one.extent)))
        .filter(|(binding, _)| says_something(binding, &defined))
        .collect();
    blocks::with_ends(bindings, table)
}

/// Of a name that a test narrows, the binding holds in a part of the text only; none if that part is not clear.
fn narrowed(binding: Binding, raw: &RawBinding, source: &str) -> Option<Binding> {
    if binding.kind != BindingKind::Annotated || !narrowing::is_narrowed(raw.name, source) {
        return Some(binding);
    }
    let types = binding.value.trim_start_matches('(').trim_end_matches(')');
    Some(Binding {
        value: types.trim_end_matches(',').replace(',', "|"),
        span: narrowing::extent(raw.name)?,
        ..binding
    })
}

/// Returns true if a binding adds information beyond the symbols.
fn says_something(binding: &Binding, defined: &FxHashSet<u32>) -> bool {
    let is_unknown = binding.kind == BindingKind::Alias && binding.value.is_empty();
    let is_object = matches!(binding.name.as_str(), "self" | "cls" | "this" | "_")
        || SIGNS.contains(&binding.name.as_str());
    let is_itself = binding.kind != BindingKind::Call && binding.value == binding.name;
    !is_itself && !(is_unknown && (is_object || defined.contains(&binding.span.start)))
}

fn binding(
    raw: &RawBinding,
    enclosing: Option<u32>,
    rules: &Rules,
    source: &str,
    language: Language,
) -> Binding {
    let value = raw
        .value
        .map(|node| {
            let value = bound_value(node, raw.kind, source, language);
            pattern::unwrapped(value, raw, node, source)
        })
        .unwrap_or_default();
    let name = squeezed(text_of(raw.name, source), MAX_NAME);
    let span = match raw.around.last() {
        // A binding of a bracket holds between it and the other.
        Some(between) if name == "{" => span_of(*between),
        _ if SIGNS.contains(&name.as_str()) => span_of(raw.name),
        _ => pattern::place(raw.name, source),
    };
    match raw.kind {
        // `auto x`, `var x`: no type is written.
        Some(kind) if !matches!(value.as_str(), "auto" | "var") => Binding {
            name,
            kind,
            value,
            bound: Bound::Nothing,
            enclosing,
            span,
        },
        _ => {
            let bound = rules.bound.filter(|_| raw.kind.is_none());
            let bound = bound.and_then(|bound| (bound.value)(raw.name, &raw.around, source));
            let (kind, value) = bound.unwrap_or((BindingKind::Alias, String::new()));
            Binding {
                name,
                kind,
                value,
                bound: Bound::Nothing,
                enclosing,
                span,
            }
        }
    }
}

/// The text of a value; of a call only what is called.
fn bound_value(node: Node, kind: Option<BindingKind>, source: &str, language: Language) -> String {
    let is_call = (node.kind() == "method_invocation" && kind != Some(BindingKind::Element))
        || (kind == Some(BindingKind::Call) && node.kind().ends_with("call_expression"))
        || (node.kind() == "call" && node.field("method").is_some());
    let arguments = if is_call {
        node.field("arguments").or_else(|| node.field("block"))
    } else {
        None
    };
    let end = arguments.map_or(node.end_byte(), |arguments| arguments.start_byte());
    let text = source.get(node.start_byte()..end).unwrap_or_default();
    let text = text.trim_start_matches([':', ' ']);
    match kind {
        Some(BindingKind::Annotated | BindingKind::Constructed) => squeezed(text, MAX_NAME),
        _ => expression(text, language),
    }
}

/// References in source order: each place once, by the pattern written first; names bound in the functions around are
/// no references when they are only read.
pub(crate) fn references(
    harvest: &mut Harvest,
    source: &str,
    table: &SymbolTable,
    bindings: &[Binding],
) -> Vec<Reference> {
    let mut raw = std::mem::take(&mut harvest.references);
    raw.sort_by_key(|one| (one.name.start_byte(), one.pattern));
    raw.dedup_by_key(|one| one.name.start_byte());
    let locals = Locals::new(bindings, table);
    let mut sweep = Sweep::new(&table.scopes);
    let mut out = Vec::with_capacity(raw.len());
    let mut imported = import_statements(harvest, source);
    imported.append(&mut harvest.quoted);
    imported.sort_unstable();
    let mut inside_import = Sweep::new(&imported);
    for one in &raw {
        let (start, end) = (one.name.start_byte() as u32, one.name.end_byte() as u32);
        let enclosing = sweep
            .innermost(start)
            .and_then(|at| table.enclosing.get(at).copied().flatten());
        let in_import = inside_import.innermost(start).is_some();
        let name = text_of(one.name, source);
        if harvest.claimed.contains(&(start, end)) || in_import || name == "_" {
            continue;
        }
        // In Ruby a bare name is a variable where one is bound, else a call.
        let may_be_local = one.form == ReferenceForm::Value
            || (one.form == ReferenceForm::Call && one.arguments.is_none());
        if may_be_local && one.receiver.is_none() && locals.hide(name, enclosing) {
            continue;
        }
        // `<div>` is the host's.
        if one.form == ReferenceForm::Jsx
            && one.receiver.is_none()
            && name.starts_with(char::is_lowercase)
        {
            continue;
        }
        out.push(reference(one, name, enclosing, source));
    }
    for node in std::mem::take(&mut harvest.tokens) {
        super::tokens::read(node, source, &mut out);
    }
    super::tokens::settle(&mut out, table);
    out
}

/// Statements that only import: the imports cover the names in them. `require(…)` is an ordinary expression.
fn import_statements(harvest: &Harvest, source: &str) -> Vec<(u32, u32)> {
    let only_imports = |node: &&Node| match node.kind() {
        "call_expression" | "expression_statement" | "variable_declarator" => false,
        // The value that a file of Lua returns may have code in it.
        "return_statement" => !text_of(**node, source).contains('('),
        "export_statement" => node.field("source").is_some(),
        _ => true,
    };
    let mut ranges: Vec<(u32, u32)> = harvest
        .imports
        .iter()
        .filter(only_imports)
        .map(|node| (node.start_byte() as u32, node.end_byte() as u32))
        .collect();
    ranges.sort_unstable();
    ranges
}

fn reference(raw: &RawReference, name: &str, enclosing: Option<u32>, source: &str) -> Reference {
    let receiver = raw
        .receiver
        .and_then(|(from, to)| Receiver::between(from, to, source));
    let n_arguments = raw
        .arguments
        .filter(|node| !node.kind().contains("string"))
        .map(count);
    Reference {
        name: name.to_owned(),
        form: raw.form,
        receiver,
        span: span_of(raw.name),
        enclosing,
        n_arguments,
        in_macro: false,
    }
}

fn count(arguments: Node) -> u8 {
    let mut cursor = arguments.walk();
    let n = arguments
        .named_children(&mut cursor)
        .filter(|node| !node.is_extra())
        .take(255)
        .count();
    u8::try_from(n).unwrap_or(u8::MAX)
}

/// Returns true if bindings inside are local: in functions, and in values made by a call that takes a function.
fn holds_locals(kind: SymbolKind) -> bool {
    is_function(kind) || matches!(kind, SymbolKind::Constant | SymbolKind::Variable)
}

/// Names bound within functions.
struct Locals<'a> {
    bound: FxHashSet<(u32, &'a str)>,
    table: &'a SymbolTable,
}

impl<'a> Locals<'a> {
    fn new(bindings: &'a [Binding], table: &'a SymbolTable) -> Locals<'a> {
        let local = |binding: &'a Binding| {
            let enclosing = binding.enclosing.filter(|&at| {
                table
                    .symbols
                    .get(at as usize)
                    .is_some_and(|symbol| holds_locals(symbol.kind))
            });
            enclosing.map(|at| (at, binding.name.as_str()))
        };
        Locals {
            bound: bindings.iter().filter_map(local).collect(),
            table,
        }
    }

    fn hide(&self, name: &str, enclosing: Option<u32>) -> bool {
        let mut at = enclosing;
        while let Some(index) = at {
            if self.bound.contains(&(index, name)) {
                return true;
            }
            at = self
                .table
                .symbols
                .get(index as usize)
                .and_then(|symbol| symbol.parent);
        }
        false
    }
}
