//! Turns the receivers, bound values and written types of a file into structure, once all of its facts are known.
//!
//! A snapshot stores the places and the texts of these, not the structure, which would say the same once more. So this
//! runs when a file was parsed and when its facts are read from a snapshot, and both give the same numbers.

mod chain;
mod tokens;
mod type_ref;
mod words;
mod written;

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::Language;
use crate::facts::{Binding, BindingKind};
use crate::facts::{
    Bound, CallbackParameter, Chain, ChainId, Expressions, FileFacts, Head, Link, NameId, Step,
    Symbol, TypeId, TypeNode, TypeRef,
};
use chain::{read_chain, read_further};
use tokens::Dialect;
use type_ref::read_type;
#[cfg(feature = "ingest")]
pub(crate) use written::abridged;

/// Parentheses and types of sound facts are nested less deep than this.
pub const MAX_DEPTH: u32 = type_ref::MAX_DEPTH * 4;

/// Bytes of receivers that are read for each byte of a file, and at least: those of a chain of calls are read on from
/// the one before, so only receivers within the arguments of receivers are read again and again.
const MAX_READ: [usize; 2] = [16, 1 << 20];

/// Beyond that only receivers as short as this are read.
const SHORT: usize = 200;

/// Sets [`FileFacts::expressions`] and everything that refers to it.
pub fn lower_facts(facts: &mut FileFacts, text: &str) {
    let mut lowering = Lowering::new(facts.language, text);
    for symbol in &mut facts.symbols {
        lowering.symbol(symbol);
    }
    for reference in &mut facts.references {
        if let Some(receiver) = &mut reference.receiver {
            receiver.chain = lowering.receiver(receiver.start, receiver.end);
        }
    }
    for binding in facts.bindings.iter_mut().filter(|one| !one.is_end()) {
        binding.bound = lowering.bound(binding.kind, &binding.value);
    }
    facts.expressions = lowering.out;
}

/// A receiver that was read: its end and chain, if it is all in the chain.
struct Read {
    end: u32,
    chain: ChainId,
    is_whole: bool,
}

struct Lowering<'a> {
    language: Language,
    dialect: Dialect,
    text: &'a str,
    out: Expressions,
    names: FxHashMap<String, NameId>,
    links: FxHashMap<Link, ChainId>,
    types: FxHashMap<TypeNode, TypeId>,
    written: FxHashMap<String, TypeId>,
    /// The last receiver that begins at a byte.
    receivers: FxHashMap<u32, Read>,
    n_left: usize,
}

impl<'a> Lowering<'a> {
    fn new(language: Language, text: &'a str) -> Lowering<'a> {
        let [share, least] = MAX_READ;
        Lowering {
            language,
            dialect: Dialect::of(language),
            text,
            out: Expressions::default(),
            names: FxHashMap::default(),
            links: FxHashMap::default(),
            types: FxHashMap::default(),
            written: FxHashMap::default(),
            receivers: FxHashMap::default(),
            n_left: text.len().saturating_mul(share).max(least),
        }
    }

    fn symbol(&mut self, symbol: &mut Symbol) {
        if let Some(rare) = symbol.rare.as_mut() {
            let owner = &rare.owner;
            let owner = owner.strip_suffix(".prototype").unwrap_or(owner);
            rare.owner_type = self.written(owner);
        }
        symbol.ty = match written::results(self.language, symbol.kind, &symbol.type_text) {
            Some(results) => Some(self.tuple(&results)),
            None => self.written(
                written::first_field(symbol.kind, &symbol.signature).unwrap_or(&symbol.type_text),
            ),
        };
        for parameter in &mut symbol.parameters {
            parameter.ty = self.written(&parameter.type_text);
        }
        if let Some(rare) = symbol.rare.as_mut() {
            for parameter in &mut rare.type_parameters {
                parameter.ty = self.written(&parameter.type_text);
            }
            for base in &mut rare.bases {
                base.ty = self.written(&base.name);
            }
        }
    }

    /// A written type, if there is one.
    fn written(&mut self, text: &str) -> Option<TypeId> {
        if text.is_empty() {
            return None;
        }
        if let Some(known) = self.written.get(text) {
            return Some(*known);
        }
        let plain = match self.language {
            Language::Zig => written::zig_type(text),
            _ => text,
        };
        let ty = self.type_ref(&read_type(plain));
        self.written.insert(text.to_owned(), ty);
        Some(ty)
    }

    fn tuple(&mut self, texts: &[&str]) -> TypeId {
        let elements = texts
            .iter()
            .map(|text| self.type_ref(&read_type(text)))
            .collect();
        self.type_node(TypeNode::Tuple(elements))
    }

    /// The expression between two bytes of the text.
    fn receiver(&mut self, start: u32, end: u32) -> ChainId {
        let text = self.text;
        let slice = |from: u32| text.get(from as usize..end as usize).unwrap_or_default();
        let last = self.receivers.get(&start);
        let last = last.filter(|last| last.is_whole && last.end <= end);
        if let Some((mut chain, from)) = last.map(|last| (last.chain, last.end))
            && let Some((steps, is_whole)) = self
                .charge(slice(from))
                .and_then(|text| read_further(text, self.dialect))
        {
            for step in steps {
                chain = self.step(chain, step);
            }
            self.receivers.insert(
                start,
                Read {
                    end,
                    chain,
                    is_whole,
                },
            );
            return chain;
        }
        let Some(slice) = self.charge(slice(start)) else {
            return self.link(Link::Unknown);
        };
        let (chain, is_whole) = self.expression(slice);
        self.receivers.insert(
            start,
            Read {
                end,
                chain,
                is_whole,
            },
        );
        chain
    }

    /// Returns a text if there is time left to read it.
    fn charge<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        self.n_left = self.n_left.saturating_sub(text.len());
        (self.n_left > 0 || text.len() <= SHORT).then_some(text)
    }

    fn expression(&mut self, text: &str) -> (ChainId, bool) {
        // A type as a value, `[]const Foo` in Zig.
        let plain = match self.language {
            Language::Zig if text.starts_with(['*', '?', '[']) => written::zig_type(text),
            _ => text,
        };
        let (chain, is_whole) = read_chain(plain, self.dialect);
        let chain = self.chain(&chain);
        (chain, is_whole && plain.len() == text.len())
    }

    fn bound(&mut self, kind: BindingKind, value: &str) -> Bound {
        if value.is_empty() {
            return Bound::Nothing;
        }
        match kind {
            BindingKind::Annotated | BindingKind::Constructed => {
                self.written(value).map_or(Bound::Nothing, Bound::Type)
            }
            BindingKind::Call | BindingKind::Alias | BindingKind::Element => {
                let result = value.strip_prefix(Binding::CLOSURE);
                Bound::Value(self.expression(result.unwrap_or(value)).0)
            }
            BindingKind::Argument => self
                .callback_parameter(value)
                .map_or(Bound::Nothing, |parameter| {
                    Bound::Parameter(Box::new(parameter))
                }),
        }
    }

    /// `0.1.name callee`: of the callee's argument 0 the parameter 1, and of that the member `name`.
    fn callback_parameter(&mut self, value: &str) -> Option<CallbackParameter> {
        let (place, callee) = value.split_once(' ')?;
        let mut parts = place.split('.');
        let mut number = || parts.next()?.parse().ok();
        let (argument, parameter) = (number()?, number()?);
        let mut path = self.link(Link::Unknown);
        for member in parts {
            let (name, is_element) = match member.split_once('[') {
                Some((name, _)) => (name, true),
                None => (member, false),
            };
            let name = self.name(name);
            path = self.link(Link::Member(path, name));
            if is_element {
                path = self.link(Link::Index(path));
            }
        }
        Some(CallbackParameter {
            argument,
            parameter,
            path,
            callee: self.expression(callee).0,
        })
    }

    fn chain(&mut self, chain: &Chain<'_>) -> ChainId {
        let head = match &chain.head {
            Head::Name(name) => Link::Name(self.name(name)),
            Head::Absolute(name) => Link::Absolute(self.name(name)),
            Head::Module(path) => Link::Module(self.name(path)),
            // Parentheses are nested no deeper than the reader allows.
            Head::Inner(inner) => Link::Inner(self.chain(inner)),
            Head::Cast(ty) => Link::Cast(self.type_ref(ty)),
            Head::Literal(kind) => Link::Literal(*kind),
            Head::Unknown => Link::Unknown,
        };
        let head = self.link(head);
        chain
            .steps
            .iter()
            .fold(head, |before, step| self.step(before, *step))
    }

    fn step(&mut self, before: ChainId, step: Step<'_>) -> ChainId {
        let link = match step {
            Step::Member(name) => Link::Member(before, self.name(name)),
            Step::Path(name) => Link::Path(before, self.name(name)),
            Step::Call => Link::Call(before),
            Step::Index => Link::Index(before),
        };
        self.link(link)
    }

    fn type_ref(&mut self, ty: &TypeRef<'_>) -> TypeId {
        let node = match ty {
            TypeRef::Named(path, arguments) => {
                let path = path.iter().map(|name| self.name(name)).collect();
                TypeNode::Named(path, self.type_refs(arguments))
            }
            TypeRef::Union(parts) => TypeNode::Union(self.type_refs(parts)),
            TypeRef::List(element) => TypeNode::List(self.type_ref(element)),
            TypeRef::Tuple(elements) => TypeNode::Tuple(self.type_refs(elements)),
            TypeRef::Function(parameters, result) => {
                let parameters = parameters.iter();
                let parameters = parameters.map(|(name, ty)| (self.name(name), self.type_ref(ty)));
                TypeNode::Function(parameters.collect(), self.type_ref(result))
            }
            TypeRef::Other => TypeNode::Other,
        };
        self.type_node(node)
    }

    fn type_refs(&mut self, list: &[TypeRef<'_>]) -> Vec<TypeId> {
        list.iter().map(|ty| self.type_ref(ty)).collect()
    }

    fn name(&mut self, name: &str) -> NameId {
        if let Some(known) = self.names.get(name) {
            return *known;
        }
        let new = NameId::new(self.out.names.len());
        self.out.names.push(name.to_owned());
        self.names.insert(name.to_owned(), new);
        new
    }

    fn link(&mut self, link: Link) -> ChainId {
        numbered(&mut self.links, &mut self.out.links, link, ChainId::new)
    }

    fn type_node(&mut self, node: TypeNode) -> TypeId {
        numbered(&mut self.types, &mut self.out.types, node, TypeId::new)
    }
}

/// The number of a value in a list that has every value once.
fn numbered<T: Clone + Eq + Hash, N: Copy>(
    known: &mut FxHashMap<T, N>,
    all: &mut Vec<T>,
    value: T,
    number: fn(usize) -> N,
) -> N {
    if let Some(known) = known.get(&value) {
        return *known;
    }
    let new = number(all.len());
    all.push(value.clone());
    known.insert(value, new);
    new
}
