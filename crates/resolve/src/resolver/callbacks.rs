//! Parameters of closures: their types, as declared by the function that the closure is passed to.

use syntax::facts::{
    Binding, BindingKind, Bound, CallbackParameter, Chain, Modifiers, Step, SymbolKind,
};

use crate::program::{BindingId, Def, FileId, NodeId, ParameterId, is_type_scope};
use crate::resolver::Resolver;
use crate::resolver::questions::GivenTo;
use crate::types::wrappers;
use crate::types::{Ty, Value, substitute};
use graph::Reason;

impl Resolver<'_, '_> {
    /// The type of a binding that is a parameter of a closure passed to a call. Computed once.
    pub(crate) fn given(
        &mut self,
        file: FileId,
        index: BindingId,
        scope: NodeId,
        binding: &Binding,
    ) -> Ty {
        self.answer(GivenTo(file, index), Ty::Unknown, |this| {
            let at = binding.span.start.saturating_sub(1);
            match &binding.bound {
                Bound::Parameter(parameter) => this.passed(file, scope, at, parameter),
                _ => Ty::Unknown,
            }
        })
    }

    /// The type of a parameter of an argument of a call, and of that the members that are taken of it.
    fn passed(
        &mut self,
        file: FileId,
        scope: NodeId,
        at: u32,
        parameter: &CallbackParameter,
    ) -> Ty {
        let callee = self.program.chain(file, parameter.callee);
        let path = self.program.chain(file, parameter.path);
        let (argument, number) = (parameter.argument as usize, parameter.parameter as usize);
        let ty = self.parameter_given(scope, at, &callee, argument, number);
        path.steps.iter().fold(ty, |ty, step| {
            let Step::Member(name) = step else {
                return Ty::Unknown;
            };
            let value = Value {
                ty,
                reason: Reason::InferredType,
            };
            self.step_into(&value, name, false).ty
        })
    }

    /// Finds the binding of a parameter of a function without a name, in the scopes around it.
    pub(crate) fn binding_of_callback(
        &self,
        function: NodeId,
        name: &str,
    ) -> Option<(FileId, BindingId)> {
        let program = self.program;
        let symbol = program.symbol(function)?;
        let name = program
            .names
            .get(name)
            .filter(|_| symbol.is(Modifiers::ANONYMOUS))?;
        let file = program.file_of(function);
        let mut bound = program
            .scopes(function)
            .skip(1)
            .flat_map(|scope| program.bindings_in(scope, name))
            .filter(|&index| {
                program.binding(file, index).is_some_and(|binding| {
                    binding.kind == BindingKind::Argument
                        && symbol.span.start <= binding.span.start
                        && binding.span.start < symbol.span.end
                })
            });
        bound.next().map(|index| (file, index))
    }

    fn parameter_given(
        &mut self,
        scope: NodeId,
        at: u32,
        callee: &Chain<'_>,
        argument: usize,
        parameter: usize,
    ) -> Ty {
        let Some((Step::Member(name) | Step::Path(name), before)) = callee.steps.split_last()
        else {
            return match self.evaluate_chain(scope, at, callee).ty {
                Ty::Def(Def::Node(node)) => self.parameter_of(node, argument, parameter),
                ty => of_function(&ty, argument, parameter),
            };
        };
        let receiver = Chain {
            head: callee.head.clone(),
            steps: before.to_vec(),
        };
        let receiver = self.evaluate_chain(scope, at, &receiver).ty;
        let standard = if argument == CallbackParameter::LAST {
            0
        } else {
            argument
        };
        if let Some(ty) = wrappers::given(&receiver, name, standard, parameter) {
            return ty;
        }
        let Some((def, _)) = self.member_for(&receiver, name, true) else {
            let passes = self.rules(scope).flags().pass_receiver.contains(name);
            return if passes && parameter == 0 {
                receiver
            } else {
                Ty::Unknown
            };
        };
        let ty = match def {
            Def::Node(node) if self.is_callable(node) => {
                self.parameter_of(node, argument, parameter)
            }
            def => of_function(&self.value_of(def), argument, parameter),
        };
        match &receiver {
            Ty::Instance(owner, arguments) => substitute(&ty, *owner, arguments),
            _ => ty,
        }
    }

    /// Returns the type that a function, or the constructor of a class, passes to its callback. Overloads are tried in
    /// turn.
    fn parameter_of(&mut self, node: NodeId, argument: usize, parameter: usize) -> Ty {
        let constructor = || {
            let name = self.program.names.get("constructor")?;
            match self.own_member(node, name, true)? {
                Def::Node(constructor) => Some(constructor),
                _ => None,
            }
        };
        let function = match self.program.kind(node) {
            Some(kind) if is_type_scope(kind) => constructor(),
            Some(SymbolKind::Variable | SymbolKind::Constant) => {
                let ty = self.value_of(Def::Node(node));
                return of_function(&ty, argument, parameter);
            }
            _ => Some(node),
        };
        let Some(function) = function else {
            return Ty::Unknown;
        };
        let program = self.program;
        let overloads: Vec<NodeId> = match (program.parent(function), program.name(function)) {
            (Some(scope), Some(name)) => program.symbols_in(scope, name).collect(),
            _ => vec![function],
        };
        std::iter::once(function)
            .chain(overloads)
            .take(8)
            .map(|overload| self.parameter_written(overload, argument, parameter))
            .find(|ty| *ty != Ty::Unknown)
            .unwrap_or(Ty::Unknown)
    }

    fn parameter_written(&mut self, function: NodeId, argument: usize, parameter: usize) -> Ty {
        let Some(symbol) = self.program.symbol(function) else {
            return Ty::Unknown;
        };
        let mut parameters = symbol.parameters.iter().filter(|one| one.name != "this");
        let n_parameters = parameters.clone().count();
        let is_beyond = argument >= n_parameters && argument != CallbackParameter::LAST;
        let Some(one) = parameters.nth(argument.min(n_parameters.saturating_sub(1))) else {
            return Ty::Unknown;
        };
        let ty = self.type_of(function, one.ty);
        if let Ty::Param(node, index) = ty {
            return self.parameter_bound(node, index, parameter);
        }
        match &ty {
            // `...handlers: Handler[]`
            Ty::List(element) => nth_parameter(element, parameter),
            _ if is_beyond => Ty::Unknown,
            ty => nth_parameter(ty, parameter),
        }
    }

    /// The parameter of the function type that bounds a type parameter: `F: FnOnce(&Part)`.
    fn parameter_bound(&mut self, node: NodeId, index: ParameterId, parameter: usize) -> Ty {
        let program = self.program;
        let Some(symbol) = program.symbol(node) else {
            return Ty::Unknown;
        };
        let Some(name) = symbol
            .rare
            .type_parameters
            .get(index.index())
            .map(|one| &one.name)
        else {
            return Ty::Unknown;
        };
        let bounds = symbol
            .rare
            .type_parameters
            .iter()
            .filter(|one| one.name == *name);
        bounds
            .map(|bound| self.type_of(node, bound.ty))
            .map(|ty| nth_parameter(&ty, parameter))
            .find(|ty| *ty != Ty::Unknown)
            .unwrap_or(Ty::Unknown)
    }
}

/// The type of a parameter of a function that is an argument of this function type.
fn of_function(ty: &Ty, argument: usize, parameter: usize) -> Ty {
    nth_parameter(&nth_parameter(ty, argument), parameter)
}

/// A parameter of a function type, or of the first of several that has it.
fn nth_parameter(ty: &Ty, number: usize) -> Ty {
    match ty {
        Ty::Function(parameters, _) => parameters
            .iter()
            .filter(|(name, _)| &**name != "this")
            .nth(number)
            .map_or(Ty::Unknown, |(_, ty)| ty.clone()),
        Ty::Union(parts) => parts
            .iter()
            .map(|part| nth_parameter(part, number))
            .find(|ty| *ty != Ty::Unknown)
            .unwrap_or(Ty::Unknown),
        _ => Ty::Unknown,
    }
}
