//! Values in Ruby: a chain of names is a chain of calls, and `Foo.new` makes a Foo.

use syntax::facts::{Chain, Head, Modifiers, Step};

use super::is_constant;
use crate::program::{Def, NodeId, is_function};
use crate::resolver::{Resolver, Space};
use crate::types::wrappers;
use crate::types::{Ty, Value, instance_of};
use graph::Reason;

/// The words that the result of a method is bound to.
const RESULTS: [&str; 2] = ["end", "="];

/// Maximum number of names of a chain that are evaluated; longer chains are configuration written as code.
const MAX_STEPS: usize = 32;

impl Resolver<'_, '_> {
    /// A member of a value, and the rule that found it, where that is another than the rule of the value.
    pub(crate) fn ruby_member(&mut self, ty: &Ty, name: &str) -> Option<(Def, Option<Reason>)> {
        if let (Ty::Def(def @ Def::Node(_)), "new") = (ty, name) {
            return Some((*def, None));
        }
        match ty {
            Ty::Def(Def::Node(node)) | Ty::Instance(node, _) => {
                let interned = self.program.names.get(name)?;
                let (def, is_inherited) = self.type_member_for(*node, interned, true)?;
                matches!(def, Def::Node(_))
                    .then_some((def, is_inherited.then_some(Reason::Inherited)))
            }
            other => self.member_for(other, name, true),
        }
    }

    /// The value of a chain: each name is a call.
    pub(crate) fn ruby_chain(&mut self, scope: NodeId, at: u32, chain: &Chain<'_>) -> Value {
        let mut value = match &chain.head {
            Head::Name(name) | Head::Absolute(name) => self.ruby_name(scope, at, name),
            Head::Inner(inner) => self.evaluate_chain(scope, at, inner),
            head => self.evaluate_head(scope, at, head),
        };
        let mut path = match &chain.head {
            Head::Name(name) | Head::Absolute(name) if is_constant(name) => {
                Some((*name).to_owned())
            }
            _ => None,
        };
        for step in chain.steps.iter().take(MAX_STEPS) {
            let name = match step {
                Step::Member(name) | Step::Path(name) => *name,
                // The parentheses of a call that was evaluated with its name.
                Step::Call => continue,
                Step::Index => {
                    value.ty = wrappers::element(&value.ty);
                    path = None;
                    continue;
                }
            };
            if is_constant(name)
                && let Some(around) = &path
            {
                let longer = format!("{around}::{name}");
                value = self.ruby_constant_value(scope, &longer);
                path = Some(longer);
                continue;
            }
            path = None;
            value = self.ruby_step(&value, name);
            if value.ty == Ty::Unknown {
                break;
            }
        }
        value
    }

    fn ruby_step(&mut self, value: &Value, name: &str) -> Value {
        let ty = match (&value.ty, name) {
            (Ty::Def(def @ Def::Node(_)), "new" | "allocate" | "instance") => instance_of(*def),
            (Ty::Instance(node, _), "class") => Ty::Def(Def::Node(*node)),
            (ty, "tap" | "dup" | "clone" | "freeze" | "itself") => ty.clone(),
            (Ty::Outside | Ty::Opaque(..), _) => Ty::Outside,
            (ty, _) => match self.ruby_member(ty, name) {
                Some((Def::Node(node), _)) => self.ruby_result(node, Some(ty)),
                _ => Ty::Unknown,
            },
        };
        Value {
            ty,
            reason: Reason::ReceiverType,
        }
    }

    /// Returns the type of a call of a method or attribute.
    fn ruby_result(&mut self, node: NodeId, this: Option<&Ty>) -> Ty {
        match self.program.kind(node) {
            Some(kind) if is_function(kind) => self.result_of(node, this),
            _ => match self.value_of(Def::Node(node)) {
                Ty::Def(Def::Node(same)) if same == node => Ty::Unknown,
                ty => ty,
            },
        }
    }

    /// The value of the last statement of a method.
    pub(crate) fn ruby_last_value(&mut self, method: NodeId, this: Option<&Ty>) -> Ty {
        let program = self.program;
        let file = program.file_of(method);
        let mut results = RESULTS
            .iter()
            .filter_map(|word| program.names.get(word))
            .flat_map(|name| program.bindings_in(method, name));
        let Some(index) = results.next() else {
            return Ty::Unknown;
        };
        let is_self = program
            .binding(file, index)
            .is_some_and(|binding| binding.value == "self");
        match this.filter(|_| is_self) {
            Some(this) => this.clone(),
            None => self.value_of(Def::Binding(file, index)),
        }
    }

    fn ruby_constant_value(&mut self, scope: NodeId, path: &str) -> Value {
        let ty = match self.ruby_constant(scope, path) {
            Some(node) => self.value_of(Def::Node(node)),
            None => Ty::Outside,
        };
        Value {
            ty,
            reason: Reason::TypeMember,
        }
    }

    /// Whether `self` is a class or module.
    fn ruby_is_static(&self, scope: NodeId) -> bool {
        self.program
            .scopes(scope)
            .find_map(|node| self.program.symbol(node))
            .is_some_and(|symbol| !is_function(symbol.kind) || symbol.is(Modifiers::STATIC))
    }

    fn ruby_name(&mut self, scope: NodeId, at: u32, name: &str) -> Value {
        if name == "self" {
            let is_static = self.ruby_is_static(scope);
            let ty = self.self_type(scope).map_or(Ty::Unknown, |def| {
                if is_static {
                    Ty::Def(def)
                } else {
                    instance_of(def)
                }
            });
            return Value {
                ty,
                reason: Reason::SelfType,
            };
        }
        if is_constant(name) {
            return self.ruby_constant_value(scope, name);
        }
        let unknown = Value {
            ty: Ty::Unknown,
            reason: Reason::ReceiverType,
        };
        if let ("new", Some(class)) = (name, self.ruby_class(scope)) {
            return Value {
                ty: Ty::instance(class),
                reason: Reason::SelfType,
            };
        }
        let Some(interned) = self.program.names.get(name) else {
            return unknown;
        };
        let program = self.program;
        for around in program.scopes(scope) {
            let is_body = program.kind(around).is_none_or(is_function);
            let found = if !is_body {
                break;
            } else if let Some(file) = program.as_file(around) {
                self.variable_before(file, interned, at)
            } else {
                self.lookup_in_function(around, at, interned, Space::Value)
                    .map(|(def, _)| def)
            };
            if let Some(def @ (Def::Param(..) | Def::Binding(..))) = found {
                return Value {
                    ty: self.value_of(def),
                    reason: Reason::ReceiverType,
                };
            }
        }
        let Some(class) = self.ruby_class(scope) else {
            return unknown;
        };
        let ty = match self.type_member(class, interned) {
            // A method of the class itself is none of its objects.
            Some((Def::Node(node), _))
                if !self.ruby_is_static(scope)
                    && self
                        .program
                        .symbol(node)
                        .is_some_and(|symbol| symbol.is(Modifiers::STATIC)) =>
            {
                Ty::Unknown
            }
            Some((Def::Node(node), _)) => self.ruby_result(node, None),
            Some((def, _)) => self.value_of(def),
            None => Ty::Unknown,
        };
        Value {
            ty,
            reason: Reason::ReceiverType,
        }
    }
}
