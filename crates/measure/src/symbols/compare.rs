//! Definitions of one file beside those of the compiler's index: found or missed, of the same kind or not, known or
//! false.

use std::collections::{BTreeMap, HashMap, HashSet};

use syntax::Language;
use syntax::facts::{FileFacts, Modifiers, Symbol, SymbolKind};

use super::index::{FileIndex, Wanted, What};

/// Sums of a comparison.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Count {
    /// Definitions of the index.
    pub(crate) wanted: usize,
    /// Of these, those with the same name on the same line.
    pub(crate) found: usize,
    /// Of these, those of the same kind.
    pub(crate) same_kind: usize,
}

impl Count {
    pub(crate) fn add(&mut self, other: &Count) {
        self.wanted += other.wanted;
        self.found += other.found;
        self.same_kind += other.same_kind;
    }
}

/// One line of a list of faults.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    /// `missed`, `kind` or `false`.
    pub(crate) word: &'static str,
    /// 0-based.
    pub(crate) line: u32,
    pub(crate) name: String,
    /// The compiler's definition and ours.
    pub(crate) note: String,
}

/// The result for some files.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) n_files: usize,
    pub(crate) by_what: BTreeMap<What, Count>,
    /// Definitions of ours of the kinds that are compared.
    pub(crate) n_ours: usize,
    /// Of these, those that the index does not know.
    pub(crate) n_false: usize,
}

impl Comparison {
    /// All kinds that count, summed.
    pub(crate) fn total(&self) -> Count {
        let mut total = Count::default();
        let counted = self.by_what.iter().filter(|(what, _)| counts(**what));
        counted.for_each(|(_, count)| total.add(count));
        total
    }

    pub(crate) fn add(&mut self, other: &Comparison) {
        self.n_files += other.n_files;
        self.n_ours += other.n_ours;
        self.n_false += other.n_false;
        for (what, count) in &other.by_what {
            self.by_what.entry(*what).or_default().add(count);
        }
    }
}

fn counts(what: What) -> bool {
    !matches!(what, What::Field | What::Other)
}

/// Compares one file; what does not agree is listed in `faults`.
pub(crate) fn file(facts: &FileFacts, index: &FileIndex, faults: &mut Vec<Fault>) -> Comparison {
    let mut out = Comparison {
        n_files: 1,
        ..Comparison::default()
    };
    let mut ours: HashMap<(u32, &str), Vec<&Symbol>> = HashMap::new();
    for symbol in facts.symbols.iter().filter(|symbol| has_name(symbol)) {
        let key = (symbol.name_span.start_line, plain(&symbol.name));
        ours.entry(key).or_default().push(symbol);
    }
    let imported: HashSet<(u32, &str)> = facts
        .imports
        .iter()
        .map(|import| (import.span.start_line, import.local.as_str()))
        .collect();
    let meanings = meanings(index, &ours);
    for ((line, name), wanted) in places(index) {
        let what = wanted
            .iter()
            .map(|one| one.what)
            .min()
            .unwrap_or(What::Other);
        if what == What::Other {
            continue;
        }
        let count = out.by_what.entry(what).or_default();
        count.wanted += 1;
        let note = |said: &str| format!("{what:?} {said}");
        let fault = |word, note| Fault {
            word,
            line,
            name: name.to_owned(),
            note,
        };
        match ours.get(&(line, name)) {
            // `const x = require("x")` is an import for us.
            None if imported.contains(&(line, name)) => {
                count.found += 1;
                count.same_kind += 1;
            }
            None => faults.push(fault("missed", note(&wanted[0].symbol))),
            Some(found) => {
                count.found += 1;
                let agrees = |one: &Wanted| {
                    found
                        .iter()
                        .any(|symbol| same_kind(one.what, symbol, facts))
                };
                // A value and a type of one name are one symbol, described once.
                let is_both = |one: &Wanted| {
                    meanings
                        .get(one.symbol.as_str())
                        .is_some_and(|words| words.contains(&what))
                };
                if wanted.iter().any(|one| agrees(one) || is_both(one)) {
                    count.same_kind += 1;
                } else {
                    faults.push(fault("kind", note(&format!("is {:?}", found[0].kind))));
                }
            }
        }
    }
    falsehoods(facts, index, &mut out, faults);
    out
}

/// Symbols of the index that are defined in several places → what our definitions in these places are.
fn meanings<'a>(
    index: &'a FileIndex,
    ours: &HashMap<(u32, &str), Vec<&Symbol>>,
) -> HashMap<&'a str, Vec<What>> {
    let mut out: HashMap<&str, Vec<What>> = HashMap::new();
    for one in &index.definitions {
        let found = ours.get(&(one.line, one.name.as_str()));
        let words = found.into_iter().flatten().map(|symbol| match symbol.kind {
            SymbolKind::Interface => What::Interface,
            SymbolKind::Class => What::Class,
            SymbolKind::TypeAlias => What::TypeAlias,
            SymbolKind::Function => What::Function,
            SymbolKind::Enum => What::Enum,
            _ => What::Value,
        });
        out.entry(&one.symbol).or_default().extend(words);
    }
    out
}

/// Definitions of the index by place, each place once, in order.
fn places(index: &FileIndex) -> Vec<((u32, &str), Vec<&Wanted>)> {
    let mut order: Vec<((u32, &str), Vec<&Wanted>)> = Vec::new();
    let mut at: HashMap<(u32, &str), usize> = HashMap::new();
    for one in &index.definitions {
        let key = (one.line, one.name.as_str());
        let slot = *at.entry(key).or_insert_with(|| {
            order.push((key, Vec::new()));
            order.len() - 1
        });
        order[slot].1.push(one);
    }
    order
}

/// Counts our definitions of the compared kinds, and those among them that the index does not know at their place.
fn falsehoods(facts: &FileFacts, index: &FileIndex, out: &mut Comparison, faults: &mut Vec<Fault>) {
    let defined: HashSet<(u32, &str)> = index
        .definitions
        .iter()
        .map(|one| (one.line, one.name.as_str()))
        .collect();
    let symbols_at = |line: u32, name: &str| index.mentions.get(&(line, name.to_owned()));
    // The symbols of the index whose definition is one of ours.
    let shared: HashSet<&String> = facts
        .symbols
        .iter()
        .filter(|symbol| defined.contains(&(symbol.name_span.start_line, plain(&symbol.name))))
        .filter_map(|symbol| symbols_at(symbol.name_span.start_line, plain(&symbol.name)))
        .flatten()
        .collect();
    let is_script = matches!(
        facts.language,
        Language::JavaScript | Language::TypeScript | Language::Tsx
    );
    // `app.handle = function () {}` gives a member to an object; scip-typescript has no symbol for it.
    let is_given = |symbol: &Symbol| is_script && !symbol.rare.owner.is_empty();
    let compared = facts.symbols.iter().filter(|symbol| is_compared(symbol));
    for symbol in compared.filter(|symbol| !is_given(symbol)) {
        out.n_ours += 1;
        let (line, name) = (symbol.name_span.start_line, plain(&symbol.name));
        let mentioned = symbols_at(line, name);
        // An indexer that marks only the first definition of a name mentions it where it is defined again.
        let is_repeat =
            mentioned.is_some_and(|symbols| symbols.iter().any(|symbol| shared.contains(symbol)));
        // A member of an object whose type is known is, for the compiler, a mention of the type's member.
        let is_typed = mentioned.is_some() && is_in_object(symbol, facts);
        // scip-typescript has no symbol for a member with a computed name, only mentions of what the name is computed from.
        let is_computed =
            computed_from(name).is_some_and(|inner| symbols_at(line, inner).is_some());
        if !defined.contains(&(line, name)) && !is_repeat && !is_typed && !is_computed {
            out.n_false += 1;
            faults.push(Fault {
                word: "false",
                line,
                name: name.to_owned(),
                note: format!("{:?}", symbol.kind),
            });
        }
    }
}

/// Returns the last part of a computed name: `iterator` of `[Symbol.iterator]`.
fn computed_from(name: &str) -> Option<&str> {
    let inner = name.strip_prefix('[')?.strip_suffix(']')?;
    let start = inner.rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$')));
    inner.get(start.map_or(0, |at| at + 1)..)
}

/// Whether a definition is the member of an object literal: a method in no type.
fn is_in_object(symbol: &Symbol, facts: &FileFacts) -> bool {
    use SymbolKind::{Class, Enum, Interface, Method, Struct, Trait};
    let parent = symbol
        .parent
        .and_then(|parent| facts.symbols.get(parent as usize));
    let in_type = parent
        .is_some_and(|parent| matches!(parent.kind, Class | Struct | Enum | Trait | Interface));
    symbol.kind == Method && symbol.rare.owner.is_empty() && !in_type
}

/// Whether the source names the definition: a compiler has no symbol for the others.
fn has_name(symbol: &Symbol) -> bool {
    symbol.kind != SymbolKind::Impl
        && !symbol.is(Modifiers::ANONYMOUS)
        && symbol.name_span.start < symbol.name_span.end
}

fn is_compared(symbol: &Symbol) -> bool {
    let is_other = matches!(
        symbol.kind,
        SymbolKind::Impl | SymbolKind::Field | SymbolKind::Module | SymbolKind::Section
    );
    has_name(symbol) && !is_other
}

fn plain(name: &str) -> &str {
    name.trim_matches(['"', '\'', '`']).trim_start_matches("r#")
}

/// Whether the compiler's word and ours are the same. A value that holds a function or a class may be called by what
/// it holds; `__init__` and the like are methods with a word of their own; scip-python calls a function within a method
/// a member of the class.
fn same_kind(what: What, symbol: &Symbol, facts: &FileFacts) -> bool {
    use SymbolKind as Our;
    let is_nested = || {
        let parent = symbol
            .parent
            .and_then(|parent| facts.symbols.get(parent as usize));
        parent.is_some_and(|parent| matches!(parent.kind, Our::Method | Our::Constructor))
    };
    match what {
        What::Method if symbol.kind == Our::Function => is_nested(),
        What::Function => symbol.kind == Our::Function,
        What::Method => matches!(symbol.kind, Our::Method | Our::Constructor),
        What::Constructor => symbol.kind == Our::Constructor,
        What::Class => symbol.kind == Our::Class,
        What::Struct => symbol.kind == Our::Struct,
        What::Enum => symbol.kind == Our::Enum,
        What::Variant => symbol.kind == Our::Variant,
        What::Trait => symbol.kind == Our::Trait,
        What::Interface => symbol.kind == Our::Interface,
        What::TypeAlias => symbol.kind == Our::TypeAlias,
        What::Macro => symbol.kind == Our::Macro,
        What::Value => matches!(
            symbol.kind,
            Our::Constant | Our::Variable | Our::Function | Our::Class | Our::TypeAlias
        ),
        What::Field => matches!(
            symbol.kind,
            Our::Field | Our::Variable | Our::Constant | Our::Method | Our::Variant | Our::Class
        ),
        What::Other => true,
    }
}
