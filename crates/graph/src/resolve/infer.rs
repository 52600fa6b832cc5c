//! What type an expression has, as far as names and written types tell.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::facts::{BindingKind, Modifiers, Symbol, SymbolKind};

use super::expr::{Chain, Head, Step, parse_chain};
use super::family::{Family, is_common_method};
use super::follow::{Resolver, Space};
use super::names::Name;
use super::program::{Def, is_function, is_type_scope};
use super::type_text::{TypeExpr, parse_type};
use super::wrappers::{self, Wrapper};
use crate::kinds::Reason;

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
    fn instance(node: u32) -> Ty {
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
    open: FxHashSet<(u32, u32)>,
    usual: FxHashMap<(Family, Name), Ty>,
    depth: u32,
}

/// Inference goes through so many bindings, aliases and results at most.
const MAX_DEPTH: u32 = 24;

impl<'a> Resolver<'_, 'a> {
    /// A written type in a scope.
    pub fn type_of_text(&mut self, scope: u32, text: &'a str) -> Ty {
        if text.is_empty() {
            return Ty::Unknown;
        }
        if let Some(ty) = self.inference.texts.get(&(scope, text)) {
            return ty.clone();
        }
        self.inference.texts.insert((scope, text), Ty::Unknown);
        let ty = self.lower(scope, &parse_type(text));
        self.inference.texts.insert((scope, text), ty.clone());
        ty
    }

    fn lower(&mut self, scope: u32, expr: &TypeExpr<'_>) -> Ty {
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

    fn lower_named(
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

    fn lower_symbol(&mut self, node: u32, arguments: Rc<[Ty]>) -> Ty {
        let Some(symbol) = self.program.symbol(node) else {
            return Ty::Unknown;
        };
        match symbol.kind {
            SymbolKind::TypeAlias if !self.has_members(node) => {
                let ty = self.type_of_text(node, &symbol.type_text);
                substitute(&ty, node, &arguments)
            }
            SymbolKind::Variant => self.program.parent(node).map_or(Ty::Unknown, Ty::instance),
            // A class that is made by a call or re-assigned: `Alias = Base` in Python.
            SymbolKind::Variable | SymbolKind::Constant => match self.value_of(Def::Node(node)) {
                Ty::Def(Def::Node(class)) if class != node => Ty::Instance(class, arguments),
                _ => Ty::Unknown,
            },
            _ => Ty::Instance(node, arguments),
        }
    }

    fn has_members(&self, node: u32) -> bool {
        let Some(symbol) = self.program.symbol(node) else {
            return false;
        };
        let file = self.program.file_of(node);
        let local = node - self.program.layout.node(file, 0);
        let next = self.program.facts(file).symbols.get(local as usize + 1);
        next.is_some_and(|next| next.parent == Some(local)) && !symbol.name.is_empty()
    }

    /// What a definition is as a value.
    pub fn value_of(&mut self, def: Def) -> Ty {
        if self.inference.depth >= MAX_DEPTH {
            return Ty::Unknown;
        }
        self.inference.depth += 1;
        let ty = match def {
            Def::Node(node) => self.value_of_node(node),
            Def::Param(function, index) => self.value_of_parameter(function, index),
            Def::Binding(file, index) => self.value_of_binding(file, index),
            Def::TypeParam(node, index) => Ty::Param(node, index),
            def => Ty::Def(def),
        };
        self.inference.depth -= 1;
        ty
    }

    fn value_of_node(&mut self, node: u32) -> Ty {
        let Some(symbol) = self.program.symbol(node) else {
            return Ty::Def(Def::Node(node));
        };
        match symbol.kind {
            SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field => {
                let scope = self.program.parent(node).unwrap_or(node);
                let written = self.type_of_text(scope, &symbol.type_text);
                if written != Ty::Unknown {
                    return written;
                }
                let found = self.binding_of(node, scope);
                if found == Ty::Unknown {
                    Ty::Def(Def::Node(node))
                } else {
                    found
                }
            }
            kind if is_function(kind) && symbol.is(Modifiers::ACCESSOR) => {
                self.result_of(node, None)
            }
            _ => Ty::Def(Def::Node(node)),
        }
    }

    /// What bindings say of a variable or field that is also a symbol.
    fn binding_of(&mut self, node: u32, scope: u32) -> Ty {
        let file = self.program.file_of(node);
        let Some(name) = self.program.name(node) else {
            return Ty::Unknown;
        };
        let bindings: Vec<u32> = self
            .program
            .decls(scope, name)
            .iter()
            .filter_map(|entry| match entry.decl {
                super::program::Decl::Binding(index) => Some(index),
                _ => None,
            })
            .take(4)
            .collect();
        bindings
            .into_iter()
            .map(|index| self.value_of(Def::Binding(file, index)))
            .find(|ty| *ty != Ty::Unknown)
            .unwrap_or(Ty::Unknown)
    }

    fn value_of_parameter(&mut self, function: u32, index: u32) -> Ty {
        let Some(parameter) = self
            .program
            .symbol(function)
            .and_then(|symbol| symbol.parameters.get(index as usize))
        else {
            return Ty::Unknown;
        };
        if parameter.type_text.is_empty() {
            let expected = self.expected_parameter(function, &parameter.name, Some(index));
            return if expected == Ty::Unknown {
                self.usual_type(function, &parameter.name)
            } else {
                expected
            };
        }
        self.type_of_text(function, &parameter.type_text)
    }

    /// The type of an untyped parameter, where the function around it is said to be or to return a function type: by
    /// position for its own parameters, by name for those of a function that it returns.
    fn expected_parameter(&mut self, function: u32, name: &str, index: Option<u32>) -> Ty {
        let Some(symbol) = self
            .program
            .symbol(function)
            .filter(|symbol| is_function(symbol.kind))
        else {
            return Ty::Unknown;
        };
        let is_own = declared_as(symbol);
        if is_own != index.is_some() {
            return Ty::Unknown;
        }
        match (self.type_of_text(function, &symbol.type_text), index) {
            (Ty::Function(parameters, _), Some(index)) => parameters
                .get(index as usize)
                .map_or(Ty::Unknown, |(_, ty)| ty.clone()),
            (ty, _) => parameter_named(&ty, name),
        }
    }

    fn value_of_binding(&mut self, file: u32, index: u32) -> Ty {
        let Some(binding) = self.program.binding(file, index) else {
            return Ty::Unknown;
        };
        if !self.inference.open.insert((file, index)) {
            return Ty::Unknown;
        }
        let scope = binding
            .enclosing
            .map_or(file, |local| self.program.layout.node(file, local));
        if binding.value.is_empty() {
            let expected = self.expected_parameter(scope, &binding.name, None);
            let ty = if expected == Ty::Unknown {
                self.usual_type(scope, &binding.name)
            } else {
                expected
            };
            self.inference.open.remove(&(file, index));
            return ty;
        }
        // What stands on the right was evaluated before the name was bound.
        let at = binding.span.start.saturating_sub(1);
        let ty = match binding.kind {
            BindingKind::Annotated => self.type_of_text(scope, &binding.value),
            BindingKind::Constructed => match self.type_of_text(scope, &binding.value) {
                Ty::Def(Def::Node(node)) => Ty::instance(node),
                ty => ty,
            },
            BindingKind::Call => {
                let mut chain = parse_chain(&binding.value);
                chain.steps.push(Step::Call);
                self.evaluate_chain(scope, at, &chain).ty
            }
            BindingKind::Alias => self.evaluate(scope, at, &binding.value).ty,
            BindingKind::Element => {
                let iterated = self.evaluate(scope, at, &binding.value).ty;
                wrappers::element(&iterated)
            }
        };
        self.inference.open.remove(&(file, index));
        ty
    }

    /// What a call of a value gives.
    pub fn call(&mut self, callee: &Ty, this: Option<&Ty>) -> Ty {
        match callee {
            Ty::Def(Def::Node(node)) => match self.program.kind(*node) {
                Some(kind) if is_function(kind) => self.result_of(*node, this),
                Some(SymbolKind::Variant) => {
                    self.program.parent(*node).map_or(Ty::Unknown, Ty::instance)
                }
                Some(kind) if is_type_scope(kind) => Ty::instance(*node),
                // `const f = require('./f'); f()`
                None => match self.module_as_function(*node) {
                    Some(function) => self.call(&Ty::Def(Def::Node(function)), None),
                    None => Ty::Unknown,
                },
                _ => Ty::Unknown,
            },
            Ty::Function(_, result) => (**result).clone(),
            Ty::Instance(node, _) => {
                self.program
                    .names
                    .get("__call__")
                    .map_or(Ty::Unknown, |name| match self.type_member(*node, name) {
                        Some((Def::Node(method), _)) => self.result_of(method, Some(callee)),
                        _ => Ty::Unknown,
                    })
            }
            Ty::Super(_) => callee.clone(),
            Ty::Opaque(..) | Ty::Outside | Ty::Def(Def::External(_)) => Ty::Outside,
            Ty::List(_) | Ty::Union(_) | Ty::Param(..) | Ty::Unknown | Ty::Def(_) => Ty::Unknown,
        }
    }

    /// The result of a function; `this` is what it was called on.
    fn result_of(&mut self, function: u32, this: Option<&Ty>) -> Ty {
        let Some(symbol) = self.program.symbol(function) else {
            return Ty::Unknown;
        };
        if symbol.kind == SymbolKind::Constructor {
            return self.self_type(function).map_or(Ty::Unknown, instance_of);
        }
        let text = symbol.type_text.as_str();
        if declared_as(symbol) {
            let declared = self.type_of_text(function, text);
            return self.call(&declared, None);
        }
        let means_self = matches!(text, "Self" | "&Self" | "&mutSelf" | "&mut Self" | "this")
            || text == "\"Self\"";
        if let (true, Some(this @ (Ty::Instance(..) | Ty::Opaque(..)))) = (means_self, this) {
            return this.clone();
        }
        let ty = self.type_of_text(function, text);
        match this {
            Some(Ty::Instance(owner, arguments)) => {
                self.substitute_owner(&ty, function, *owner, arguments)
            }
            Some(Ty::Def(Def::Node(_))) | None | Some(_) => ty,
        }
    }

    /// Type parameters of the owner, and of the impl block around a method, stand for the receiver's arguments.
    fn substitute_owner(&mut self, ty: &Ty, method: u32, owner: u32, arguments: &Rc<[Ty]>) -> Ty {
        if arguments.is_empty() {
            return ty.clone();
        }
        let ty = substitute(ty, owner, arguments);
        match self.program.enclosing_type(method) {
            Some(block) if self.program.kind(block) == Some(SymbolKind::Impl) => {
                substitute(&ty, block, arguments)
            }
            _ => ty,
        }
    }

    /// The value of a receiver as written.
    pub fn evaluate(&mut self, scope: u32, at: u32, text: &str) -> Value {
        self.evaluate_chain(scope, at, &parse_chain(text))
    }

    fn evaluate_chain(&mut self, scope: u32, at: u32, chain: &Chain<'_>) -> Value {
        let unknown = Value {
            ty: Ty::Unknown,
            reason: Reason::ReceiverType,
        };
        if self.inference.depth >= MAX_DEPTH {
            return unknown;
        }
        self.inference.depth += 1;
        let mut value = self.evaluate_head(scope, at, &chain.head);
        let mut this: Option<Ty> = None;
        for (index, step) in chain.steps.iter().enumerate() {
            let is_call = chain.steps.get(index + 1) == Some(&Step::Call);
            value = match step {
                Step::Member(name) | Step::Path(name) => {
                    let next = self.step_into(&value, name, is_call);
                    this = Some(value.ty);
                    next
                }
                Step::Call => {
                    let is_function = matches!(&value.ty, Ty::Def(Def::Node(node)) if self.program.kind(*node).is_some_and(is_function));
                    let reason = if is_function {
                        Reason::InferredType
                    } else {
                        Reason::ReceiverType
                    };
                    Value {
                        ty: self.call(&value.ty, this.take().as_ref()),
                        reason,
                    }
                }
                Step::Index => Value {
                    ty: wrappers::element(&value.ty),
                    reason: Reason::InferredType,
                },
            };
            if value.ty == Ty::Unknown {
                break;
            }
        }
        self.inference.depth -= 1;
        value
    }

    fn step_into(&mut self, value: &Value, name: &str, is_call: bool) -> Value {
        if let Some((def, _)) = self.member_for(&value.ty, name, is_call) {
            let ty = if is_call {
                Ty::Def(def)
            } else {
                self.value_of(def)
            };
            let ty = match (&value.ty, is_call) {
                (Ty::Instance(owner, arguments), false) => substitute(&ty, *owner, arguments),
                _ => ty,
            };
            // A field that is called: what it holds.
            let ty = match ty {
                Ty::Def(Def::Node(node)) if is_call && !self.is_callable(node) => {
                    self.value_of(def)
                }
                Ty::Def(def @ (Def::Binding(..) | Def::Param(..))) => self.value_of(def),
                ty => ty,
            };
            let reason = match value.reason {
                Reason::SelfType | Reason::TypeMember | Reason::ModuleMember => {
                    Reason::ReceiverType
                }
                reason => reason,
            };
            return Value { ty, reason };
        }
        let ty = match (wrappers::standard_member(&value.ty, name), &value.ty) {
            (Some(result), _) if is_call => Ty::Function(Rc::from([]), Rc::new(result)),
            (Some(result), _) => result,
            (
                None,
                Ty::Opaque(..)
                | Ty::Outside
                | Ty::Def(Def::External(_))
                | Ty::List(_)
                | Ty::Function(..),
            ) => Ty::Outside,
            _ => Ty::Unknown,
        };
        Value {
            ty,
            reason: Reason::InferredType,
        }
    }

    fn is_callable(&self, node: u32) -> bool {
        !matches!(
            self.program.kind(node),
            Some(SymbolKind::Field | SymbolKind::Variable | SymbolKind::Constant)
        )
    }

    fn evaluate_head(&mut self, scope: u32, at: u32, head: &Head<'_>) -> Value {
        let family = self.program.family_of(scope);
        match head {
            Head::Name(name) => self.evaluate_name(scope, at, name, family),
            Head::Inner(inner) => self.evaluate_chain(scope, at, inner),
            Head::Cast(text) => {
                let ty = self.lower(scope, &parse_type(text));
                Value {
                    ty,
                    reason: Reason::ReceiverType,
                }
            }
            Head::Literal("list") => Value {
                ty: Ty::List(Rc::new(Ty::Unknown)),
                reason: Reason::ReceiverType,
            },
            Head::Literal(kind) => Value {
                ty: Ty::Opaque(Rc::from(*kind), Rc::from([])),
                reason: Reason::ReceiverType,
            },
            Head::Unknown => Value {
                ty: Ty::Unknown,
                reason: Reason::ReceiverType,
            },
        }
    }

    fn evaluate_name(&mut self, scope: u32, at: u32, name: &str, family: Family) -> Value {
        if family.is_self(name) || name == "Self" {
            let ty = self.self_type(scope).map_or(Ty::Unknown, |def| match name {
                "cls" | "Self" => Ty::Def(def),
                _ => instance_of(def),
            });
            return Value {
                ty: self.own_object(ty, scope),
                reason: Reason::SelfType,
            };
        }
        if name == "super" && family != Family::Rust {
            let ty = match self.self_type(scope) {
                Some(Def::Node(node)) => Ty::Super(node),
                _ => Ty::Unknown,
            };
            return Value {
                ty,
                reason: Reason::Inherited,
            };
        }
        if family == Family::Rust && matches!(name, "crate" | "self" | "super" | "$crate") {
            let found = self.rust_path(scope, name, false, Space::Type);
            return Value {
                ty: found.map_or(Ty::Unknown, |found| Ty::Def(found.def)),
                reason: Reason::Path,
            };
        }
        let found = self
            .lookup(scope, at, name, Space::Value)
            .or_else(|| self.lookup(scope, at, name, Space::Type));
        let Some((def, _)) = found else {
            let outside = if family == Family::Rust {
                self.rust_path(scope, name, false, Space::Type)
            } else {
                None
            };
            // A name that nothing declares is a global of the language, except in C, where macros declare unseen.
            let unknown = if family == Family::C {
                Ty::Unknown
            } else {
                Ty::Outside
            };
            let ty = match outside {
                Some(found) => Ty::Def(found.def),
                None if self.heritage.is_extended(name) => Ty::Opaque(Rc::from(name), Rc::from([])),
                None => unknown,
            };
            return Value {
                ty,
                reason: Reason::Path,
            };
        };
        let ty = self.value_of(def);
        let reason = match &ty {
            Ty::Def(Def::Node(node))
                if self
                    .program
                    .kind(*node)
                    .is_some_and(|kind| kind != SymbolKind::Module) =>
            {
                Reason::TypeMember
            }
            Ty::Def(_) if family == Family::Rust => Reason::Path,
            Ty::Def(_) => Reason::ModuleMember,
            _ if self.is_usual(def) => Reason::UsualType,
            _ if self.is_inferred(def) => Reason::InferredType,
            _ => Reason::ReceiverType,
        };
        Value { ty, reason }
    }

    /// Whether a variable's type follows from the result of a function rather than from a written or constructed type.
    fn is_inferred(&self, def: Def) -> bool {
        let Def::Binding(file, index) = def else {
            return false;
        };
        self.program
            .binding(file, index)
            .is_some_and(|binding| match binding.kind {
                BindingKind::Call => !binding
                    .value
                    .rsplit(['.', ':'])
                    .next()
                    .unwrap_or_default()
                    .starts_with(char::is_uppercase),
                BindingKind::Annotated | BindingKind::Constructed => false,
                BindingKind::Alias | BindingKind::Element => true,
            })
    }

    /// Whether a variable has its type from nothing but its name.
    fn is_usual(&mut self, def: Def) -> bool {
        match def {
            Def::Binding(file, index) => {
                let Some(binding) = self
                    .program
                    .binding(file, index)
                    .filter(|binding| binding.value.is_empty())
                else {
                    return false;
                };
                let scope = binding
                    .enclosing
                    .map_or(file, |local| self.program.layout.node(file, local));
                self.expected_parameter(scope, &binding.name, None) == Ty::Unknown
            }
            Def::Param(function, index) => {
                let parameters = self
                    .program
                    .symbol(function)
                    .map(|symbol| symbol.parameters.as_slice());
                let Some(parameter) = parameters.and_then(|list| list.get(index as usize)) else {
                    return false;
                };
                parameter.type_text.is_empty()
                    && self.expected_parameter(function, &parameter.name, Some(index))
                        == Ty::Unknown
            }
            _ => false,
        }
    }

    /// The type that parameters of a name have wherever one is written: `c: Context` in nearly all typed functions says
    /// what `c` is in an untyped callback.
    fn usual_type(&mut self, scope: u32, name: &str) -> Ty {
        let family = self.program.family_of(scope);
        if !matches!(family, Family::Ecma | Family::Python) {
            return Ty::Unknown;
        }
        let Some(interned) = self.program.names.get(name) else {
            return Ty::Unknown;
        };
        if let Some(ty) = self.inference.usual.get(&(family, interned)) {
            return ty.clone();
        }
        self.inference.usual.insert((family, interned), Ty::Unknown);
        let written: Vec<(u32, u32)> = self.program.typed_parameters(interned).to_vec();
        let mut counts: Vec<(u32, usize)> = Vec::new();
        let mut total = 0;
        for (function, index) in written {
            if self.program.family_of(function) != family {
                continue;
            }
            total += 1;
            if let Ty::Instance(node, _) = self.value_of_parameter(function, index) {
                match counts.iter_mut().find(|(other, _)| *other == node) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((node, 1)),
                }
            }
        }
        let most = counts
            .into_iter()
            .max_by_key(|(node, count)| (*count, std::cmp::Reverse(*node)));
        let ty = match most {
            Some((node, count)) if count >= 3 && count * 5 >= total * 4 => Ty::instance(node),
            _ => Ty::Unknown,
        };
        self.inference.usual.insert((family, interned), ty.clone());
        ty
    }

    /// `this` in a method of an object or of a type outside.
    fn own_object(&self, ty: Ty, scope: u32) -> Ty {
        if ty != Ty::Unknown {
            return ty;
        }
        let block = self
            .program
            .enclosing_type(scope)
            .filter(|&node| self.program.kind(node) == Some(SymbolKind::Impl));
        match block.and_then(|block| self.program.symbol(block)) {
            Some(symbol) => Ty::Opaque(Rc::from(symbol.name.as_str()), Rc::from([])),
            None => Ty::Unknown,
        }
    }

    /// A member of a value and the rule by which it was found, beyond the one that gave the value.
    pub fn member(&mut self, ty: &Ty, name: &str) -> Option<(Def, Option<Reason>)> {
        self.member_for(ty, name, false)
    }

    /// As [`Self::member`]; for a call a method is preferred to a field of the same name.
    pub fn member_for(
        &mut self,
        ty: &Ty,
        name: &str,
        is_call: bool,
    ) -> Option<(Def, Option<Reason>)> {
        match ty {
            Ty::Def(def @ (Def::External(_) | Def::Folder(_) | Def::Package(_))) => self
                .module_member(*def, name, Space::Value)
                .map(|found| (found.def, None)),
            Ty::Def(Def::Node(node)) => self.member_of_node(*node, name, is_call),
            Ty::Instance(node, _) => {
                let own = self.inherited_or_own(*node, name, is_call);
                own.or_else(|| self.nested(|this| this.through_associated(*node, name)))
            }
            Ty::Super(node) => {
                let name = self.program.names.get(name)?;
                self.super_member(*node, name)
                    .map(|def| (def, Some(Reason::Inherited)))
            }
            Ty::Union(parts) => parts
                .iter()
                .find_map(|part| self.member_for(part, name, is_call)),
            Ty::Param(node, index) => self.member_of_bound(*node, *index, name),
            Ty::Opaque(outside, arguments) => {
                let interned = self.program.names.get(name)?;
                if let Some(def) = self.outside_member(outside, interned) {
                    return Some((def, None));
                }
                let inner = arguments
                    .first()
                    .filter(|_| wrappers::is_transparent(outside))?;
                self.member_for(inner, name, is_call)
            }
            Ty::Unknown | Ty::Outside | Ty::Def(_) | Ty::List(_) | Ty::Function(..) => None,
        }
    }

    /// A member of what a value is dereferenced or awaited to: the associated types `Target` and `Output`.
    fn through_associated(&mut self, node: u32, name: &str) -> Option<(Def, Option<Reason>)> {
        if self.program.family_of(node) != Family::Rust {
            return None;
        }
        ["Target", "Output"].iter().find_map(|associated| {
            let associated = self.program.names.get(associated)?;
            let Some(Def::Node(alias)) = self.own_member(node, associated, false) else {
                return None;
            };
            let symbol = self
                .program
                .symbol(alias)
                .filter(|symbol| symbol.kind == SymbolKind::TypeAlias)?;
            let ty = self.type_of_text(alias, &symbol.type_text);
            let is_itself = matches!(&ty, Ty::Instance(same, _) if *same == node);
            let found = if is_itself {
                None
            } else {
                self.member(&ty, name)
            };
            found.map(|(def, _)| (def, Some(Reason::InferredType)))
        })
    }

    fn member_of_node(
        &mut self,
        node: u32,
        name: &str,
        is_call: bool,
    ) -> Option<(Def, Option<Reason>)> {
        match self.program.kind(node) {
            None | Some(SymbolKind::Module) => {
                let value = self.module_member(Def::Node(node), name, Space::Value);
                let found =
                    value.or_else(|| self.module_member(Def::Node(node), name, Space::Type))?;
                Some((found.def, None))
            }
            Some(SymbolKind::Variant) => {
                let parent = self.program.parent(node)?;
                self.inherited_or_own(parent, name, is_call)
            }
            Some(_) => self.inherited_or_own(node, name, is_call),
        }
    }

    fn inherited_or_own(
        &mut self,
        node: u32,
        name: &str,
        is_call: bool,
    ) -> Option<(Def, Option<Reason>)> {
        let name = self.program.names.get(name)?;
        let (def, is_inherited) = self.type_member_for(node, name, is_call)?;
        Some((def, is_inherited.then_some(Reason::Inherited)))
    }

    /// A member of what bounds a type parameter, in its own list or in a `where` clause.
    fn member_of_bound(
        &mut self,
        node: u32,
        index: u32,
        name: &str,
    ) -> Option<(Def, Option<Reason>)> {
        let program = self.program;
        let parameter = program.symbol(node)?.type_parameters.get(index as usize)?;
        for scope in program.scopes(node) {
            let Some(symbol) = program.symbol(scope) else {
                continue;
            };
            for bound in symbol
                .type_parameters
                .iter()
                .filter(|bound| bound.name == parameter.name && !bound.type_text.is_empty())
            {
                if let TypeExpr::Named(..) | TypeExpr::Union(_) = parse_type(&bound.type_text) {
                    let ty = self.type_of_text(scope, &bound.type_text);
                    if matches!(ty, Ty::Param(..)) {
                        continue;
                    }
                    if let Some((def, _)) = self.member(&ty, name) {
                        return Some((def, Some(Reason::TraitBound)));
                    }
                }
            }
        }
        let interned = program.names.get(name)?;
        // What has a name of the standard traits more likely comes from a bound outside.
        let is_rust = program.family_of(node) == Family::Rust && !is_common_method(name);
        is_rust
            .then(|| self.blanket_member(interned))
            .flatten()
            .map(|(def, _)| (def, Some(Reason::TraitBound)))
    }
}

/// Whether the written type is that of the variable which holds the function, `const f: Handler = (c) => …`.
fn declared_as(symbol: &Symbol) -> bool {
    let Some(rest) = symbol
        .signature
        .split_once(symbol.name.as_str())
        .map(|(_, rest)| rest.trim_start())
    else {
        return false;
    };
    !symbol.type_text.is_empty()
        && rest
            .strip_prefix(':')
            .is_some_and(|rest| rest.trim_start().starts_with(symbol.type_text.as_str()))
}

/// The parameter of a name in a function type, or in one of several.
fn parameter_named(ty: &Ty, name: &str) -> Ty {
    match ty {
        Ty::Function(parameters, _) => parameters
            .iter()
            .find(|(other, _)| &**other == name)
            .map_or(Ty::Unknown, |(_, ty)| ty.clone()),
        Ty::Union(parts) | Ty::Opaque(_, parts) => parts
            .iter()
            .map(|part| parameter_named(part, name))
            .find(|ty| *ty != Ty::Unknown)
            .unwrap_or(Ty::Unknown),
        _ => Ty::Unknown,
    }
}

fn instance_of(def: Def) -> Ty {
    match def {
        Def::Node(node) => Ty::instance(node),
        Def::TypeParam(node, index) => Ty::Param(node, index),
        _ => Ty::Unknown,
    }
}

/// A type with the type parameters of `owner` replaced by arguments, by position.
fn substitute(ty: &Ty, owner: u32, arguments: &[Ty]) -> Ty {
    let all = |list: &[Ty]| {
        list.iter()
            .map(|ty| substitute(ty, owner, arguments))
            .collect::<Rc<[Ty]>>()
    };
    match ty {
        Ty::Param(node, index) if *node == owner => match arguments.get(*index as usize) {
            Some(argument) => argument.clone(),
            None => ty.clone(),
        },
        Ty::Instance(node, list) if !list.is_empty() => Ty::Instance(*node, all(list)),
        Ty::Opaque(name, list) if !list.is_empty() => Ty::Opaque(name.clone(), all(list)),
        Ty::Union(list) => Ty::Union(all(list)),
        Ty::List(element) => Ty::List(Rc::new(substitute(element, owner, arguments))),
        Ty::Function(parameters, result) => {
            let parameters = parameters
                .iter()
                .map(|(name, ty)| (name.clone(), substitute(ty, owner, arguments)))
                .collect();
            Ty::Function(parameters, Rc::new(substitute(result, owner, arguments)))
        }
        _ => ty.clone(),
    }
}
