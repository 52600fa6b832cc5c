//! Evaluates written receivers: the head first, then step by step.

use std::rc::Rc;

use syntax::facts::{Chain, Head, Literal, Step, SymbolKind};

use crate::program::{Def, NodeId, ParameterId, is_function, is_type_scope};
use crate::resolver::infer::MAX_DEPTH;
use crate::resolver::{Resolver, Space};
use crate::types::wrappers;
use crate::types::{Ty, Value, instance_of, substitute};
use graph::Reason;

impl Resolver<'_, '_> {
    /// The value of a written expression.
    pub(crate) fn evaluate_chain(&mut self, scope: NodeId, at: u32, chain: &Chain<'_>) -> Value {
        if self.inference.depth >= MAX_DEPTH {
            self.cut_short();
            return unknown();
        }
        self.inference.depth += 1;
        if let Ok(value) = self.rules(scope).chain(self, scope, at, chain) {
            self.inference.depth -= 1;
            return value;
        }
        let mut value = self.first_value(scope, at, chain);
        // `StatusCode::OK`: a constant of an external type is a value of the type.
        let is_constant =
            matches!(chain.steps.last(), Some(Step::Path(name)) if is_constant_name(name));
        if is_constant && matches!(value.ty, Ty::Def(Def::External(_))) {
            value.ty = self.made_outside(chain, chain.steps.len());
        }
        self.inference.depth -= 1;
        value
    }

    /// The value of a chain, without constants of external types.
    fn first_value(&mut self, scope: NodeId, at: u32, chain: &Chain<'_>) -> Value {
        let rules = self.rules(scope);
        let called = match (&chain.head, chain.steps.first()) {
            (Head::Name(name) | Head::Absolute(name), Some(Step::Call)) => {
                rules.called_head(self, scope, at, name)
            }
            _ => None,
        };
        let mut value = called.map_or_else(
            || self.evaluate_head(scope, at, &chain.head),
            |(def, reason)| Value {
                ty: Ty::Def(def),
                reason,
            },
        );
        let qualified = if value.ty == Ty::Outside {
            rules.qualified_head(self, chain)
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
    pub(crate) fn follow_steps(&mut self, start: &mut Value, chain: &Chain<'_>) {
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

    /// Returns the type of `Type::make()` or `Type::CONSTANT` for an external type: a value of that type, if the
    /// repository adds members to it.
    fn made_outside(&self, chain: &Chain<'_>, call: usize) -> Ty {
        let names = |step: &Step<'_>| match step {
            Step::Path(name) | Step::Member(name) => Some((*name).to_owned()),
            Step::Call | Step::Index => None,
        };
        let mut path: Vec<String> = match &chain.head {
            Head::Name(name) | Head::Absolute(name) => vec![(*name).to_owned()],
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

    pub(crate) fn step_into(&mut self, value: &Value, name: &str, is_call: bool) -> Value {
        let embedded = match &value.ty {
            Ty::Instance(node, _) => self.rules(*node).embedded(self, *node, name),
            _ => None,
        };
        if let Some(ty) = embedded {
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
            // A call of a field calls the function in it.
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
        let keeps = match &value.ty {
            Ty::Instance(node, _) | Ty::Param(node, _) => {
                self.rules(*node).flags().return_receiver.contains(&name)
            }
            _ => false,
        };
        if is_call && keeps {
            return Value {
                ty: Ty::Function(Rc::from([]), Rc::new(value.ty.clone())),
                reason: value.reason,
            };
        }
        if let Some(ty) = wrappers::at_position(&value.ty, name) {
            return Value {
                ty,
                reason: Reason::InferredType,
            };
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

    pub(crate) fn is_callable(&self, node: NodeId) -> bool {
        !matches!(
            self.program.kind(node),
            Some(SymbolKind::Field | SymbolKind::Variable | SymbolKind::Constant)
        )
    }

    pub(crate) fn evaluate_head(&mut self, scope: NodeId, at: u32, head: &Head<'_>) -> Value {
        match head {
            Head::Name(name) | Head::Absolute(name) => self.evaluate_name(scope, at, name),
            Head::Module(path) => Value {
                ty: self.rules(scope).named_module(self, scope, path),
                reason: Reason::ModuleMember,
            },
            Head::Inner(inner) => self.evaluate_chain(scope, at, inner),
            Head::Cast(written) => {
                let ty = self.lower(scope, written);
                Value {
                    ty,
                    reason: Reason::ReceiverType,
                }
            }
            Head::Literal(Literal::List) => Value {
                ty: Ty::List(Rc::new(Ty::Unknown)),
                reason: Reason::ReceiverType,
            },
            Head::Literal(kind) => Value {
                ty: Ty::Opaque(Rc::from(kind.type_name()), Rc::from([])),
                reason: Reason::ReceiverType,
            },
            Head::Unknown => Value {
                ty: Ty::Unknown,
                reason: Reason::ReceiverType,
            },
        }
    }

    pub(crate) fn evaluate_name(&mut self, scope: NodeId, at: u32, name: &str) -> Value {
        let rules = self.rules(scope);
        let flags = rules.flags();
        let is_receiver = flags.is_self(name) || flags.is_own_type(name);
        if is_receiver && !(flags.selves_are_names && self.is_other_name(scope, at, name)) {
            let is_type = flags.types_themselves.contains(&name);
            if let Some(ty) = rules.receiver_at(self, scope, at) {
                return Value {
                    ty,
                    reason: Reason::ReceiverType,
                };
            }
            let ty = match self.self_type(scope) {
                Some(def) if is_type => Ty::Def(def),
                Some(def) => instance_of(def),
                None => Ty::Unknown,
            };
            return Value {
                ty: self.own_object(ty, scope),
                reason: Reason::SelfType,
            };
        }
        if flags.is_super(name) {
            let ty = match self.self_type(scope) {
                Some(Def::Node(node)) => Ty::Super(node),
                _ => Ty::Unknown,
            };
            return Value {
                ty,
                reason: Reason::Inherited,
            };
        }
        if let Ok(value) = rules.head(self, scope, name) {
            return value;
        }
        let found = self
            .lookup(scope, at, name, Space::Value)
            .or_else(|| self.lookup(scope, at, name, Space::Type));
        let Some((def, _)) = found else {
            let ty = match rules.package_named(self, scope, name) {
                Some(def) => Ty::Def(def),
                None if self.heritage.is_extended(name) => Ty::Opaque(Rc::from(name), Rc::from([])),
                None if flags.has_unseen_names => Ty::Unknown,
                // A name that nothing declares is a global of the language.
                None => Ty::Outside,
            };
            return Value {
                ty,
                reason: Reason::Path,
            };
        };
        // Within a class its name is found among its members, as the constructor, but means the class.
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
            Ty::Def(_) => flags.module_reason,
            _ if self.is_usual(def) => Reason::UsualType,
            _ if self.is_inferred(def) => Reason::InferredType,
            _ => Reason::ReceiverType,
        };
        Value { ty, reason }
    }

    /// Whether a name of the receiver is a variable or another parameter at a place: `for cls in classes`.
    fn is_other_name(&mut self, scope: NodeId, at: u32, name: &str) -> bool {
        match self.lookup(scope, at, name, Space::Value) {
            Some((Def::Param(function, ParameterId(0)), _)) => {
                let around = self.program.parent(function);
                !around
                    .and_then(|around| self.program.kind(around))
                    .is_some_and(is_type_scope)
            }
            Some((Def::Param(..) | Def::Binding(..), _)) => true,
            _ => false,
        }
    }

    /// `this` in a method of an object or of an external type.
    pub(crate) fn own_object(&self, ty: Ty, scope: NodeId) -> Ty {
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

pub(crate) fn unknown() -> Value {
    Value {
        ty: Ty::Unknown,
        reason: Reason::ReceiverType,
    }
}

fn is_constant_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && !name.contains(char::is_lowercase)
}
