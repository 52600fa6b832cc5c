//! Receivers, bound values and written types of a file as structure: a chain is a head and steps, a type is a name with
//! arguments, a union, a list, a tuple or a function.
//!
//! A file stores each part once. A chain is a list of links, each of which names the one before it, so that
//! `a.b().c()` shares all of `a.b()` with it: a chain of 2,000 calls, which is the receiver of 2,000 uses, takes
//! 4,000 links. [`Chain`] and [`TypeRef`] are views that borrow names from the table.

use std::num::NonZeroU32;

use rkyv::{Archive, Deserialize, Serialize};

use super::stored::FromZero;

/// Number of a chain within [`Expressions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Archive, Serialize, Deserialize)]
#[rkyv(derive(Debug, Clone, Copy))]
pub struct ChainId(pub(super) u32);

/// Number of a type within [`Expressions`]. In memory it is one more, so that an `Option` of it takes 4 bytes rather than 8; an
/// archive has it from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Archive, Serialize, Deserialize)]
#[rkyv(derive(Debug, Clone, Copy))]
pub struct TypeId(#[rkyv(with = FromZero)] NonZeroU32);

/// Number of a name within [`Expressions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Archive, Serialize, Deserialize)]
#[rkyv(derive(Debug, Clone, Copy))]
pub(crate) struct NameId(u32);

/// A receiver or value: `a.b(c)[0]` is the head `a` with the steps member `b`, call, index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain<'t> {
    /// Its first part.
    pub head: Head<'t>,
    /// The steps behind the head, in order.
    pub steps: Vec<Step<'t>>,
}

/// The first part of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head<'t> {
    /// A name.
    Name(&'t str),
    /// A name that is looked for from the outermost scope: `::Foo`.
    Absolute(&'t str),
    /// A module that is named by a text: `require("a.b")` in Lua, `@import("a.zig")` in Zig.
    Module(&'t str),
    /// An expression in parentheses.
    Inner(Box<Chain<'t>>),
    /// `x as T`, `(T) x`, `<T>x`.
    Cast(TypeRef<'t>),
    /// A literal: its kind (`str`, `list`, `dict`, `tuple`, `number`).
    Literal(Literal),
    /// Anything else.
    Unknown,
}

/// A step behind the head of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'t> {
    /// `.x`
    Member(&'t str),
    /// `::x`
    Path(&'t str),
    /// `(…)`
    Call,
    /// `[…]`
    Index,
}

/// Kind of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Archive, Serialize, Deserialize)]
#[rkyv(derive(Debug, Clone, Copy))]
#[repr(u8)]
pub enum Literal {
    /// A text.
    Text,
    /// A list or array.
    List,
    /// A map, object or block.
    Dict,
    /// Several values in parentheses.
    Tuple,
    /// A number.
    Number,
}

impl Literal {
    /// Returns the name of the type of all values of the kind.
    #[must_use]
    pub fn type_name(self) -> &'static str {
        match self {
            Literal::Text => "str",
            Literal::List => "list",
            Literal::Dict => "dict",
            Literal::Tuple => "tuple",
            Literal::Number => "number",
        }
    }
}

/// A written type. References, pointers, lifetimes and qualifiers are left out; `A & B` and `A + B` are unions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeRef<'t> {
    /// `a.b.C<D>`: segments and arguments.
    Named(Vec<&'t str>, Vec<TypeRef<'t>>),
    /// Alternatives or bounds.
    Union(Vec<TypeRef<'t>>),
    /// A sequence of elements.
    List(Box<TypeRef<'t>>),
    /// Elements by position.
    Tuple(Vec<TypeRef<'t>>),
    /// A function: parameters by name (empty where none is written), and its result.
    Function(Vec<(&'t str, TypeRef<'t>)>, Box<TypeRef<'t>>),
    /// Anything else: literals, object types, computed types.
    Other,
}

impl<'t> Chain<'t> {
    /// Returns the names of a chain that consists of names only, in order; none if it has another head, a call or an
    /// index.
    #[must_use]
    pub fn names(&self) -> Option<Vec<&'t str>> {
        let (Head::Name(head) | Head::Absolute(head)) = self.head else {
            return None;
        };
        let steps = self.steps.iter().map(|step| match step {
            Step::Member(name) | Step::Path(name) => Some(*name),
            Step::Call | Step::Index => None,
        });
        std::iter::once(Some(head)).chain(steps).collect()
    }

    /// Returns the last name of a chain; empty if it has none.
    #[must_use]
    pub fn last_name(&self) -> &'t str {
        let mut steps = self.steps.iter().rev();
        let last = steps.find_map(|step| match step {
            Step::Member(name) | Step::Path(name) => Some(*name),
            Step::Call | Step::Index => None,
        });
        let head = match self.head {
            Head::Name(name) | Head::Absolute(name) => name,
            _ => "",
        };
        last.unwrap_or(head)
    }
}

/// A part of a chain: its head, or a step and the chain before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Archive, Serialize, Deserialize)]
#[rkyv(derive(Debug, Clone, Copy))]
pub(crate) enum Link {
    Name(NameId),
    Absolute(NameId),
    Module(NameId),
    Inner(ChainId),
    Cast(TypeId),
    Literal(Literal),
    Unknown,
    Member(ChainId, NameId),
    Path(ChainId, NameId),
    Call(ChainId),
    Index(ChainId),
}

/// A type whose parts are numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Archive, Serialize, Deserialize)]
pub(crate) enum TypeNode {
    Named(Vec<NameId>, Vec<TypeId>),
    Union(Vec<TypeId>),
    List(TypeId),
    Tuple(Vec<TypeId>),
    Function(Vec<(NameId, TypeId)>, TypeId),
    Other,
}

/// All chains and types of a file. Every part comes after those that it names.
#[derive(Debug, Clone, PartialEq, Eq, Default, Archive, Serialize, Deserialize)]
pub struct Expressions {
    pub(crate) names: Vec<String>,
    pub(crate) links: Vec<Link>,
    pub(crate) types: Vec<TypeNode>,
}

impl Expressions {
    /// Returns a chain.
    #[must_use]
    pub fn chain(&self, chain: ChainId) -> Chain<'_> {
        let mut steps = Vec::new();
        let mut at = chain;
        while let Some((before, step)) = self.last_step(at) {
            steps.push(step);
            at = before;
        }
        steps.reverse();
        let head = match self.link(at) {
            Link::Name(name) => Head::Name(self.name(name)),
            Link::Absolute(name) => Head::Absolute(self.name(name)),
            Link::Module(name) => Head::Module(self.name(name)),
            // Parentheses are nested no deeper than lowering allows.
            Link::Inner(inner) => Head::Inner(Box::new(self.chain(inner))),
            Link::Cast(ty) => Head::Cast(self.type_ref(ty)),
            Link::Literal(kind) => Head::Literal(kind),
            _ => Head::Unknown,
        };
        Chain { head, steps }
    }

    /// Returns the last step of a chain and the chain before it; none for a head.
    #[must_use]
    pub fn last_step(&self, chain: ChainId) -> Option<(ChainId, Step<'_>)> {
        Some(match self.link(chain) {
            Link::Member(before, name) => (before, Step::Member(self.name(name))),
            Link::Path(before, name) => (before, Step::Path(self.name(name))),
            Link::Call(before) => (before, Step::Call),
            Link::Index(before) => (before, Step::Index),
            _ => return None,
        })
    }

    /// Returns a type.
    #[must_use]
    pub fn type_ref(&self, ty: TypeId) -> TypeRef<'_> {
        let all = |list: &[TypeId]| list.iter().map(|ty| self.type_ref(*ty)).collect();
        match self.types.get(ty.index() as usize) {
            Some(TypeNode::Named(path, arguments)) => TypeRef::Named(
                path.iter().map(|name| self.name(*name)).collect(),
                all(arguments),
            ),
            Some(TypeNode::Union(parts)) => TypeRef::Union(all(parts)),
            Some(TypeNode::List(element)) => TypeRef::List(Box::new(self.type_ref(*element))),
            Some(TypeNode::Tuple(elements)) => TypeRef::Tuple(all(elements)),
            Some(TypeNode::Function(parameters, result)) => {
                let parameters = parameters.iter();
                let parameters =
                    parameters.map(|(name, ty)| (self.name(*name), self.type_ref(*ty)));
                TypeRef::Function(parameters.collect(), Box::new(self.type_ref(*result)))
            }
            Some(TypeNode::Other) | None => TypeRef::Other,
        }
    }

    /// Returns an element of a tuple.
    #[must_use]
    pub fn element(&self, ty: TypeId, position: usize) -> Option<TypeId> {
        match self.types.get(ty.index() as usize)? {
            TypeNode::Tuple(elements) => elements.get(position).copied(),
            _ => None,
        }
    }

    fn link(&self, chain: ChainId) -> Link {
        self.links
            .get(chain.0 as usize)
            .copied()
            .unwrap_or(Link::Unknown)
    }

    pub(super) fn name(&self, name: NameId) -> &str {
        self.names.get(name.0 as usize).map_or("", String::as_str)
    }

    /// Returns whether every part names only parts before it, and parentheses and types are nested no deeper than
    /// `max_depth`: then no reader of them loops, or needs more stack than that.
    #[must_use]
    pub fn is_sound(&self, max_depth: u32) -> bool {
        let mut types: Vec<u32> = Vec::with_capacity(self.types.len());
        for node in &self.types {
            let below = |ty: &TypeId| types.get(ty.index() as usize).copied();
            let deepest = |list: &[TypeId]| {
                let mut deepest = Some(0);
                for ty in list {
                    deepest = deepest.max(below(ty)).filter(|_| below(ty).is_some());
                }
                deepest
            };
            let depth = match node {
                TypeNode::Named(_, list) | TypeNode::Union(list) | TypeNode::Tuple(list) => {
                    deepest(list)
                }
                TypeNode::List(element) => below(element),
                TypeNode::Function(parameters, result) => {
                    let mut list: Vec<TypeId> = parameters.iter().map(|(_, ty)| *ty).collect();
                    list.push(*result);
                    deepest(&list)
                }
                TypeNode::Other => Some(0),
            };
            match depth {
                Some(depth) if depth < max_depth => types.push(depth + 1),
                _ => return false,
            }
        }
        let mut links: Vec<u32> = Vec::with_capacity(self.links.len());
        for link in &self.links {
            let before = |chain: &ChainId| links.get(chain.0 as usize).copied();
            let depth = match link {
                Link::Member(chain, _) | Link::Path(chain, _) => before(chain),
                Link::Call(chain) | Link::Index(chain) => before(chain),
                Link::Inner(chain) => before(chain).map(|depth| depth + 1),
                Link::Cast(ty) => types.get(ty.index() as usize).map(|_| 0),
                _ => Some(0),
            };
            match depth {
                Some(depth) if depth < max_depth => links.push(depth),
                _ => return false,
            }
        }
        true
    }

    /// Returns whether a chain is in the table.
    #[must_use]
    pub fn has_chain(&self, chain: ChainId) -> bool {
        (chain.0 as usize) < self.links.len()
    }

    /// Returns whether a type is in the table.
    #[must_use]
    pub fn has_type(&self, ty: TypeId) -> bool {
        (ty.index() as usize) < self.types.len()
    }
}

impl ChainId {
    pub(crate) fn new(index: usize) -> ChainId {
        ChainId(index as u32)
    }
}

impl TypeId {
    pub(crate) fn new(index: usize) -> TypeId {
        TypeId(FromZero::shifted(index as u32))
    }

    pub(super) fn index(self) -> u32 {
        self.0.get() - 1
    }
}

impl NameId {
    pub(crate) fn new(index: usize) -> NameId {
        NameId(index as u32)
    }

    pub(super) fn index(self) -> u32 {
        self.0
    }
}
