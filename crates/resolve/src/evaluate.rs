//! The values of receivers as written: a head, then step by step.

use std::rc::Rc;

use syntax::facts::SymbolKind;

use super::expr::{Chain, Head, Step, parse_chain};
use super::family::Family;
use super::follow::{Resolver, Space};
use super::infer::{MAX_DEPTH, Ty, Value, instance_of, substitute};
use super::program::{Def, is_function};
use super::type_text::parse_type;
use super::wrappers;
use graph::Reason;

impl Resolver<'_, '_> {
    /// The value of a receiver as written.
    pub(super) fn evaluate(&mut self, scope: u32, at: u32, text: &str) -> Value {
        match self.program.family_of(scope) {
            Family::Ruby => {
                let text = super::ruby::plain(text);
                return self.evaluate_chain(scope, at, &parse_chain(&text));
            }
            Family::Lua => {
                if let Some((ty, rest)) = self.lua_required(scope, text) {
                    return self.evaluate_from(ty, &parse_chain(&rest.replace(':', ".")));
                }
                let text = text.replace(':', ".");
                return self.evaluate_chain(scope, at, &parse_chain(&text));
            }
            Family::Zig => {
                let text = if text.starts_with(['*', '?', '[']) {
                    super::zig::zig_type(text)
                } else {
                    text
                };
                if let Some((ty, rest)) = self.zig_imported(scope, text) {
                    return self.evaluate_from(ty, &parse_chain(rest));
                }
                return self.evaluate_chain(scope, at, &parse_chain(text));
            }
            _ => {}
        }
        self.evaluate_chain(scope, at, &parse_chain(text))
    }

    /// The value of a chain whose head follows a known value.
    fn evaluate_from(&mut self, ty: Ty, chain: &Chain<'_>) -> Value {
        let value = Value {
            ty,
            reason: Reason::ModuleMember,
        };
        match &chain.head {
            Head::Name(name) => {
                let mut value =
                    self.step_into(&value, name, chain.steps.first() == Some(&Step::Call));
                self.follow_steps(&mut value, chain);
                value
            }
            _ => value,
        }
    }

    pub(super) fn evaluate_chain(&mut self, scope: u32, at: u32, chain: &Chain<'_>) -> Value {
        let unknown = Value {
            ty: Ty::Unknown,
            reason: Reason::ReceiverType,
        };
        if self.inference.depth >= MAX_DEPTH {
            return unknown;
        }
        self.inference.depth += 1;
        if self.program.family_of(scope) == Family::Ruby {
            let value = self.ruby_chain(scope, at, chain);
            self.inference.depth -= 1;
            return value;
        }
        let mut value = self.first_value(scope, at, chain);
        // `StatusCode::OK`: a constant of a type outside is a value of the type.
        let is_constant =
            matches!(chain.steps.last(), Some(Step::Path(name)) if is_constant_name(name));
        if is_constant && matches!(value.ty, Ty::Def(Def::External(_))) {
            value.ty = self.made_outside(chain, chain.steps.len());
        }
        self.inference.depth -= 1;
        value
    }

    /// The value of a chain, constants of types outside left out.
    fn first_value(&mut self, scope: u32, at: u32, chain: &Chain<'_>) -> Value {
        let mut value = match (&chain.head, chain.steps.first()) {
            // Methods have names of their own in Java: a variable is not called.
            (Head::Name(name), Some(Step::Call)) if self.is_java(scope) => {
                let found = self.java_method(scope, at, name);
                found.map_or_else(
                    || self.evaluate_head(scope, at, &chain.head),
                    |(def, reason)| Value {
                        ty: Ty::Def(def),
                        reason,
                    },
                )
            }
            _ => self.evaluate_head(scope, at, &chain.head),
        };
        let is_unknown = value.ty == Ty::Outside && self.program.family_of(scope) == Family::Java;
        let qualified = if is_unknown {
            self.java_qualified(chain)
        } else {
            None
        };
        match qualified {
            Some((found, used)) => {
                value = found;
                let rest = Chain {
                    head: Head::Unknown,
                    steps: chain.steps.get(used..).unwrap_or_default().to_vec(),
                };
                self.follow_steps(&mut value, &rest);
            }
            None => self.follow_steps(&mut value, chain),
        }
        value
    }

    /// The steps behind the head of a chain.
    fn follow_steps(&mut self, start: &mut Value, chain: &Chain<'_>) {
        let mut value = start.clone();
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
                    let mut ty = self.call(&value.ty, this.take().as_ref());
                    if ty == Ty::Outside {
                        ty = self.made_outside(chain, index);
                    }
                    Value { ty, reason }
                }
                // Type arguments in brackets: `Foo[Int](a)`.
                Step::Index if is_call && matches!(value.ty, Ty::Def(_)) => value,
                Step::Index => Value {
                    ty: wrappers::element(&self.underlying(value.ty)),
                    reason: Reason::InferredType,
                },
            };
            if value.ty == Ty::Unknown {
                break;
            }
        }
        *start = value;
    }

    /// What `Type::make()` or `Type::CONSTANT` of a type outside gives: a value of the type, where the repository adds members to it.
    fn made_outside(&self, chain: &Chain<'_>, call: usize) -> Ty {
        let names = |step: &Step<'_>| match step {
            Step::Path(name) | Step::Member(name) => Some((*name).to_owned()),
            Step::Call | Step::Index => None,
        };
        let mut path: Vec<String> = match &chain.head {
            Head::Name(name) => vec![(*name).to_owned()],
            _ => Vec::new(),
        };
        path.extend(chain.steps.iter().take(call).map_while(names));
        match path.as_slice() {
            [.., of, function]
                if path.len() == call + 1
                    && of.starts_with(char::is_uppercase)
                    && (function.starts_with(char::is_lowercase) || is_constant_name(function))
                    && self.heritage.is_extended(of) =>
            {
                Ty::Opaque(Rc::from(of.as_str()), Rc::from([]))
            }
            _ => Ty::Outside,
        }
    }

    pub(super) fn step_into(&mut self, value: &Value, name: &str, is_call: bool) -> Value {
        if let Some(ty) = self.go_embedded(&value.ty, name) {
            return Value {
                ty,
                reason: Reason::ReceiverType,
            };
        }
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

    pub(super) fn is_callable(&self, node: u32) -> bool {
        !matches!(
            self.program.kind(node),
            Some(SymbolKind::Field | SymbolKind::Variable | SymbolKind::Constant)
        )
    }

    pub(super) fn evaluate_head(&mut self, scope: u32, at: u32, head: &Head<'_>) -> Value {
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

    pub(super) fn evaluate_name(
        &mut self,
        scope: u32,
        at: u32,
        name: &str,
        family: Family,
    ) -> Value {
        if family.is_self(name) || family.is_own_type(name) {
            let ty = self.self_type(scope).map_or(Ty::Unknown, |def| match name {
                "cls" | "Self" | "static" => Ty::Def(def),
                "self" if family == Family::Php => Ty::Def(def),
                _ => instance_of(def),
            });
            return Value {
                ty: self.own_object(ty, scope),
                reason: Reason::SelfType,
            };
        }
        if family.is_super(name) {
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
        // Within a class its name is found among its members: the constructor. What is meant is the class.
        let def = match def {
            Def::Node(node) if self.program.kind(node) == Some(SymbolKind::Constructor) => {
                self.self_type(node).unwrap_or(def)
            }
            def => def,
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

    /// `this` in a method of an object or of a type outside.
    pub(super) fn own_object(&self, ty: Ty, scope: u32) -> Ty {
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
}

fn is_constant_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && !name.contains(char::is_lowercase)
}
