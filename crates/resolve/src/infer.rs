//! Types, as far as names and written types tell: what is known of a value, and what a written type stands for.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::facts::SymbolKind;

use super::family::Family;
use super::follow::Resolver;
use super::names::Name;
use super::program::Def;
use super::type_text::{TypeExpr, parse_type};
use super::wrappers::{self, Wrapper};
use graph::Reason;

/// What is known of a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ty {
    Unknown,
    /// The thing itself: a class, function, module.
    Def(Def),
    /// A value of a type of the repository, with type arguments.
    Instance(u32, Rc<[Ty]>),
    /// A value of a type outside, by the last part of its name.
    Opaque(Rc<str>, Rc<[Ty]>),
    /// A value of a type parameter.
    Param(u32, u32),
    /// One of several.
    Union(Rc<[Ty]>),
    /// A sequence of elements.
    List(Rc<Ty>),
    /// A function value: parameters by name, and its result.
    Function(Rc<[(Rc<str>, Ty)]>, Rc<Ty>),
    /// The supertypes of a type, as `super` means them.
    Super(u32),
    /// A value of which is known that nothing in the repository is its type.
    Outside,
}

impl Ty {
    pub(super) fn instance(node: u32) -> Ty {
        Ty::Instance(node, Rc::from([]))
    }
}

/// A type and by what rule its members are found.
#[derive(Debug, Clone)]
pub(crate) struct Value {
    pub ty: Ty,
    pub reason: Reason,
}

/// What was inferred already, and what is being inferred.
#[derive(Default)]
pub(crate) struct Inference<'a> {
    texts: FxHashMap<(u32, &'a str), Ty>,
    pub open: FxHashSet<(u32, u32)>,
    pub usual: FxHashMap<(Family, Name), Ty>,
    /// What calls give to functions that they are handed, by file and binding: callbacks within callbacks ask for those around them.
    pub given: FxHashMap<(u32, u32), Ty>,
    pub depth: u32,
}

/// Inference goes through so many bindings, aliases and results at most.
pub(super) const MAX_DEPTH: u32 = 24;
impl<'a> Resolver<'_, 'a> {
    /// A written type in a scope.
    pub(super) fn type_of_text(&mut self, scope: u32, text: &'a str) -> Ty {
        if text.is_empty() {
            return Ty::Unknown;
        }
        if let Some(ty) = self.inference.texts.get(&(scope, text)) {
            return ty.clone();
        }
        self.inference.texts.insert((scope, text), Ty::Unknown);
        let plain = match self.program.family_of(scope) {
            Family::Zig => super::zig::zig_type(text),
            _ => text,
        };
        let ty = self.lower(scope, &parse_type(plain));
        self.inference.texts.insert((scope, text), ty.clone());
        ty
    }

    pub(super) fn lower(&mut self, scope: u32, expr: &TypeExpr<'_>) -> Ty {
        if self.inference.depth >= MAX_DEPTH {
            return Ty::Unknown;
        }
        self.inference.depth += 1;
        let ty = match expr {
            TypeExpr::Named(segments, arguments) => {
                self.lower_named(scope, expr, segments, arguments)
            }
            TypeExpr::Union(parts) => {
                let parts: Vec<Ty> = parts.iter().map(|part| self.lower(scope, part)).collect();
                Ty::Union(parts.into())
            }
            TypeExpr::List(element) => Ty::List(Rc::new(self.lower(scope, element))),
            TypeExpr::Function(parameters, result) => {
                let parameters = parameters
                    .iter()
                    .map(|(name, ty)| (Rc::from(*name), self.lower(scope, ty)))
                    .collect();
                Ty::Function(parameters, Rc::new(self.lower(scope, result)))
            }
            TypeExpr::Tuple(_) | TypeExpr::Other => Ty::Unknown,
        };
        self.inference.depth -= 1;
        ty
    }

    pub(super) fn lower_named(
        &mut self,
        scope: u32,
        expr: &TypeExpr<'_>,
        segments: &[&str],
        arguments: &[TypeExpr<'_>],
    ) -> Ty {
        let lowered = |this: &mut Self| -> Rc<[Ty]> {
            arguments
                .iter()
                .map(|argument| this.lower(scope, argument))
                .collect()
        };
        let Some(&last) = segments.last() else {
            return Ty::Unknown;
        };
        if segments.len() == 1 && last == "this" {
            return self.self_type(scope).map_or(Ty::Unknown, instance_of);
        }
        match self.named_type(scope, expr) {
            Some((Def::Node(node), _)) => {
                let arguments = lowered(self);
                self.lower_symbol(node, arguments)
            }
            Some((Def::TypeParam(node, index), _)) => Ty::Param(node, index),
            _ => {
                let arguments = lowered(self);
                match wrappers::wrapper(last) {
                    Some(Wrapper::Itself) => arguments.first().cloned().unwrap_or(Ty::Unknown),
                    Some(Wrapper::Alternatives) => Ty::Union(arguments),
                    Some(Wrapper::TheType) => match arguments.first() {
                        Some(Ty::Instance(node, _)) => Ty::Def(Def::Node(*node)),
                        _ => Ty::Unknown,
                    },
                    Some(Wrapper::List) => {
                        Ty::List(Rc::new(arguments.last().cloned().unwrap_or(Ty::Unknown)))
                    }
                    _ => Ty::Opaque(Rc::from(last), arguments),
                }
            }
        }
    }

    pub(super) fn lower_symbol(&mut self, node: u32, arguments: Rc<[Ty]>) -> Ty {
        let Some(symbol) = self.program.symbol(node) else {
            // A file of Zig is a container.
            let is_type = self.program.family_of(node) == Family::Zig;
            return if is_type {
                Ty::instance(node)
            } else {
                Ty::Unknown
            };
        };
        match symbol.kind {
            SymbolKind::TypeAlias if !self.has_members(node) && !self.is_defined_type(node) => {
                let ty = self.type_of_text(node, &symbol.type_text);
                substitute(&ty, node, &arguments)
            }
            SymbolKind::Variant => self.program.parent(node).map_or(Ty::Unknown, Ty::instance),
            // A class that is made by a call or re-assigned: `Alias = Base` in Python.
            SymbolKind::Variable | SymbolKind::Constant
                if self.program.family_of(node) == Family::Lua && self.is_table(node) =>
            {
                Ty::Instance(node, arguments)
            }
            SymbolKind::Variable | SymbolKind::Constant => match self.value_of(Def::Node(node)) {
                Ty::Def(Def::Node(class)) if class != node => Ty::Instance(class, arguments),
                _ => Ty::Unknown,
            },
            _ => Ty::Instance(node, arguments),
        }
    }

    /// Whether a type of Go that is made of another has methods of its own: `type Errors []Error`.
    fn is_defined_type(&self, node: u32) -> bool {
        self.program.family_of(node) == Family::Go && self.heritage.has_methods(node)
    }

    /// What a type of Go is made of, where it has methods of its own; any other is itself.
    pub(super) fn underlying(&mut self, ty: Ty) -> Ty {
        let Ty::Instance(node, arguments) = &ty else {
            return ty;
        };
        let symbol = self
            .program
            .symbol(*node)
            .filter(|symbol| symbol.kind == SymbolKind::TypeAlias);
        match symbol {
            Some(symbol) if self.is_defined_type(*node) => {
                let made_of = self.type_of_text(*node, &symbol.type_text);
                substitute(&made_of, *node, arguments)
            }
            _ => ty,
        }
    }

    pub(super) fn has_members(&self, node: u32) -> bool {
        let Some(symbol) = self.program.symbol(node) else {
            return false;
        };
        let file = self.program.file_of(node);
        let local = node - self.program.layout.node(file, 0);
        let next = self.program.facts(file).symbols.get(local as usize + 1);
        next.is_some_and(|next| next.parent == Some(local)) && !symbol.name.is_empty()
    }
}

pub(super) fn instance_of(def: Def) -> Ty {
    match def {
        Def::Node(node) => Ty::instance(node),
        Def::TypeParam(node, index) => Ty::Param(node, index),
        _ => Ty::Unknown,
    }
}
/// A type with the type parameters of `owner` replaced by arguments, by position.
pub(super) fn substitute(ty: &Ty, owner: u32, arguments: &[Ty]) -> Ty {
    // Aliases of aliases can grow without end; what is larger than any type worth knowing stays unknown.
    let mut n_left = 512;
    substitute_within(ty, owner, arguments, &mut n_left)
}

fn substitute_within(ty: &Ty, owner: u32, arguments: &[Ty], n_left: &mut u32) -> Ty {
    if *n_left == 0 {
        return Ty::Unknown;
    }
    *n_left -= 1;
    let mut all = |list: &[Ty]| {
        list.iter()
            .map(|ty| substitute_within(ty, owner, arguments, n_left))
            .collect::<Rc<[Ty]>>()
    };
    match ty {
        Ty::Param(node, index) if *node == owner => arguments
            .get(*index as usize)
            .cloned()
            .unwrap_or_else(|| ty.clone()),
        Ty::Instance(node, list) if !list.is_empty() => Ty::Instance(*node, all(list)),
        Ty::Opaque(name, list) if !list.is_empty() => Ty::Opaque(name.clone(), all(list)),
        Ty::Union(list) => Ty::Union(all(list)),
        Ty::List(element) => Ty::List(Rc::new(substitute_within(
            element, owner, arguments, n_left,
        ))),
        Ty::Function(parameters, result) => {
            let types: Vec<Ty> = parameters.iter().map(|(_, ty)| ty.clone()).collect();
            let types = all(&types);
            let parameters = parameters
                .iter()
                .zip(types.iter())
                .map(|((name, _), ty)| (name.clone(), ty.clone()))
                .collect();
            Ty::Function(
                parameters,
                Rc::new(substitute_within(result, owner, arguments, n_left)),
            )
        }
        _ => ty.clone(),
    }
}
