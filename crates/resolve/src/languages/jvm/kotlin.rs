//! Kotlin: lambdas with receivers, the scope functions of the standard library, extensions of type parameters, results of
//! functions that are one expression.

use syntax::facts::{Binding, Bound, Chain, Step};
use syntax::order::InOrder;

use crate::program::{BindingId, Def, FileId, Name, NodeId, ParameterId};
use crate::resolver::{Resolver, Use};
use crate::types::{Ty, parameter_named};
use graph::Reason;

/// The name that a lambda is bound to.
const LAMBDA: &str = "{";
/// The name that the result of a function is bound to.
const RESULT: &str = "=";
/// The type that every type extends.
const ANY: &str = "Any";

impl Resolver<'_, '_> {
    /// A name in the lambdas of a scope: a member of the receiver of one of them, innermost first, or its only parameter.
    pub(crate) fn kotlin_in_lambdas(&mut self, scope: NodeId, at: u32, name: &str) -> Option<Use> {
        for (file, index, _) in self.kotlin_lambdas(scope, at) {
            if name == "it" {
                return Some((Def::Binding(file, index), Reason::LexicalScope));
            }
            let receiver = self.kotlin_receiver(file, index);
            if receiver == Ty::Unknown {
                continue;
            }
            let found = self.nested(|this| this.member_for(&receiver, name, true));
            if let Some((def @ (Def::Node(_) | Def::Binding(..)), reason)) = found {
                return Some((def, reason.unwrap_or(Reason::ReceiverType)));
            }
        }
        None
    }

    /// `this` in a lambda with a receiver.
    pub(crate) fn kotlin_this(&mut self, scope: NodeId, at: u32) -> Option<Ty> {
        let lambdas = self.kotlin_lambdas(scope, at);
        let mut receivers = lambdas
            .into_iter()
            .map(|(file, index, _)| self.kotlin_receiver(file, index));
        receivers.find(|ty| *ty != Ty::Unknown)
    }

    /// The lambdas of a scope around a place, innermost first.
    fn kotlin_lambdas(&self, scope: NodeId, at: u32) -> Vec<(FileId, BindingId, u32)> {
        let program = self.program;
        let Some(name) = program.names.get(LAMBDA) else {
            return Vec::new();
        };
        let file = program.file_of(scope);
        let around = program.bindings_in(scope, name).filter_map(|index| {
            let span = program.binding(file, index)?.span;
            (span.start < at && at < span.end).then_some((file, index, span.start))
        });
        let mut around: Vec<_> = around.collect();
        around.order_by_key(|(.., start)| std::cmp::Reverse(*start));
        around
    }

    /// The receiver of a lambda; unknown for lambdas without one.
    fn kotlin_receiver(&mut self, file: FileId, index: BindingId) -> Ty {
        let Some(binding) = self.program.binding(file, index) else {
            return Ty::Unknown;
        };
        let scope = self.program.scope(file, binding.enclosing);
        match &binding.bound {
            // `with(value) { … }`
            Bound::Value(_) => self.value_of(Def::Binding(file, index)),
            Bound::Type(written) => parameter_named(&self.type_of(scope, Some(*written)), "this"),
            Bound::Parameter(parameter) => {
                let callee = self.program.chain(file, parameter.callee);
                let argument = parameter.argument as usize;
                self.kotlin_receiver_given(scope, binding, &callee, argument)
            }
            Bound::Nothing => Ty::Unknown,
        }
    }

    /// The receiver that a function gives to its argument.
    fn kotlin_receiver_given(
        &mut self,
        scope: NodeId,
        binding: &Binding,
        callee: &Chain<'_>,
        argument: usize,
    ) -> Ty {
        let at = binding.span.start.saturating_sub(1);
        let (receiver, name) = match callee.steps.split_last() {
            Some((Step::Member(name), before)) => {
                let receiver = Chain {
                    head: callee.head.clone(),
                    steps: before.to_vec(),
                };
                (self.evaluate_chain(scope, at, &receiver).ty, *name)
            }
            _ => (Ty::Unknown, ""),
        };
        let function = match name {
            "" => self.evaluate_chain(scope, at, callee).ty,
            name => match self.member_for(&receiver, name, true) {
                Some((def, _)) => Ty::Def(def),
                None if matches!(name, "apply" | "run") => return receiver,
                None => return Ty::Unknown,
            },
        };
        let Ty::Def(Def::Node(function)) = function else {
            return Ty::Unknown;
        };
        let written = self.parameter_type(function, argument);
        match (parameter_named(&written, "this"), &receiver) {
            (Ty::Param(owner, index), _) if self.is_extended_parameter(owner, index) => {
                receiver.clone()
            }
            (ty, Ty::Instance(owner, arguments)) => {
                self.substitute_owner(&ty, function, *owner, arguments)
            }
            (ty, _) => ty,
        }
    }

    /// The type of a parameter of a function; of a number behind the last, the last.
    fn parameter_type(&mut self, function: NodeId, argument: usize) -> Ty {
        let parameters = self
            .program
            .symbol(function)
            .map(|symbol| &symbol.parameters);
        let parameter = parameters.and_then(|list| list.get(argument).or_else(|| list.last()));
        parameter.map_or(Ty::Unknown, |parameter| {
            self.type_of(function, parameter.ty)
        })
    }

    /// Whether a function extends the type parameter.
    fn is_extended_parameter(&self, function: NodeId, index: ParameterId) -> bool {
        self.program.symbol(function).is_some_and(|symbol| {
            let parameter = symbol.rare.type_parameters.get(index.index());
            parameter.is_some_and(|parameter| parameter.name == symbol.rare.owner)
        })
    }

    /// An extension of every type.
    pub(crate) fn kotlin_extension_of_any(&self, name: Name) -> Option<Def> {
        let functions = self.heritage.owned_outside.get(&(ANY.to_owned(), name))?;
        self.best_member(functions.iter().copied()).map(Def::Node)
    }

    /// The result of a function that is one expression.
    pub(crate) fn value_of_expression_body(&mut self, function: NodeId) -> Ty {
        let program = self.program;
        let file = program.file_of(function);
        let result = program.names.get(RESULT);
        let mut results = result
            .into_iter()
            .flat_map(|name| program.bindings_in(function, name));
        results.next().map_or(Ty::Unknown, |index| {
            self.value_of(Def::Binding(file, index))
        })
    }
}
