//! Types of definitions as values: of variables, fields and parameters, and of the results of calls.

use std::rc::Rc;

use syntax::facts::{
    Binding, BindingKind, Bound, Chain, Modifiers, Step, Symbol, SymbolKind, TypeId,
};

use crate::program::{BindingId, Def, FileId, NodeId, ParameterId, is_function, is_type_scope};
use crate::resolver::Resolver;
use crate::resolver::infer::MAX_DEPTH;
use crate::resolver::questions::ValueOf;
use crate::types::wrappers;
use crate::types::{Ty, instance_of, parameter_named, substitute};

impl<'a> Resolver<'_, 'a> {
    /// Returns the type of a definition as a value.
    pub(crate) fn value_of(&mut self, def: Def) -> Ty {
        if self.inference.depth >= MAX_DEPTH {
            self.cut_short();
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

    pub(crate) fn value_of_node(&mut self, node: NodeId) -> Ty {
        let Some(symbol) = self.program.symbol(node) else {
            return Ty::Def(Def::Node(node));
        };
        match symbol.kind {
            SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field => {
                let scope = self.program.parent(node).unwrap_or(node);
                let written = self.type_of(scope, symbol.ty);
                if written != Ty::Unknown {
                    return written;
                }
                let mut found = Ty::Unknown;
                if !self.rules(node).flags().tables_are_types {
                    found = self.binding_of(node, scope);
                } else if !self.heritage.has_methods(node) {
                    let scope = self.heritage.owner_of(node).unwrap_or(scope);
                    found = self.binding_of(node, scope);
                }
                if found == Ty::Unknown {
                    Ty::Def(Def::Node(node))
                } else {
                    found
                }
            }
            kind if is_function(kind)
                && (symbol.is(Modifiers::ACCESSOR) || self.is_called_by_name(node, symbol)) =>
            {
                self.result_of(node, None)
            }
            _ => Ty::Def(Def::Node(node)),
        }
    }

    /// Whether naming a method calls it.
    pub(crate) fn is_called_by_name(&self, node: NodeId, symbol: &Symbol) -> bool {
        symbol.kind != SymbolKind::Constructor
            && symbol.parameters.is_empty()
            && self.rules(node).flags().names_call
    }

    /// Returns the type that bindings give to a variable or field which is also a symbol.
    pub(crate) fn binding_of(&mut self, node: NodeId, scope: NodeId) -> Ty {
        let file = self.program.file_of(node);
        let Some(name) = self.program.name(node) else {
            return Ty::Unknown;
        };
        let program = self.program;
        program
            .bindings_in(scope, name)
            .take(4)
            .map(|index| self.value_of(Def::Binding(file, index)))
            .find(|ty| *ty != Ty::Unknown)
            .unwrap_or(Ty::Unknown)
    }

    pub(crate) fn value_of_parameter(&mut self, function: NodeId, index: ParameterId) -> Ty {
        let Some(parameter) = self
            .program
            .symbol(function)
            .and_then(|symbol| symbol.parameters.get(index.index()))
        else {
            return Ty::Unknown;
        };
        if parameter.ty.is_none() {
            if let Some((file, binding)) = self.binding_of_callback(function, &parameter.name) {
                return self.value_of_binding(file, binding);
            }
            let expected = self.expected_parameter(function, &parameter.name, Some(index));
            return if expected == Ty::Unknown {
                self.usual_type(function, &parameter.name)
            } else {
                expected
            };
        }
        self.type_of(function, parameter.ty)
    }

    /// The type of an untyped parameter, where the function around it has a declared function type or returns one: by
    /// position for its own parameters, by name for those of a function that it returns.
    pub(crate) fn expected_parameter(
        &mut self,
        function: NodeId,
        name: &str,
        index: Option<ParameterId>,
    ) -> Ty {
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
        match (self.type_of(function, symbol.ty), index) {
            (Ty::Function(parameters, _), Some(index)) => parameters
                .get(index.index())
                .map_or(Ty::Unknown, |(_, ty)| ty.clone()),
            (ty, _) => parameter_named(&ty, name),
        }
    }

    pub(crate) fn value_of_binding(&mut self, file: FileId, index: BindingId) -> Ty {
        let Some(binding) = self.program.binding(file, index) else {
            return Ty::Unknown;
        };
        self.answer(ValueOf(file, index), Ty::Unknown, |this| {
            this.value_bound(file, index, binding)
        })
    }

    fn value_bound(&mut self, file: FileId, index: BindingId, binding: &'a Binding) -> Ty {
        let scope = self.program.scope(file, binding.enclosing);
        if binding.bound == Bound::Nothing && binding.kind != BindingKind::Argument {
            let expected = self.expected_parameter(scope, &binding.name, None);
            return if expected == Ty::Unknown {
                self.usual_type(scope, &binding.name)
            } else {
                expected
            };
        }
        // The right side was evaluated before the name was bound.
        let at = binding.span.start.saturating_sub(1);
        match (&binding.bound, binding.kind) {
            (Bound::Type(ty), BindingKind::Constructed) => match self.type_of(scope, Some(*ty)) {
                Ty::Def(Def::Node(node)) => Ty::instance(node),
                ty => ty,
            },
            (Bound::Type(ty), _) => self.type_of(scope, Some(*ty)),
            (Bound::Value(chain), kind) => {
                let chain = self.program.chain(file, *chain);
                let value = self.value_of_chain(scope, at, chain, kind);
                if binding.is_closure() && value != Ty::Unknown {
                    Ty::Function(Rc::from([]), Rc::new(value))
                } else {
                    value
                }
            }
            (Bound::Parameter(_) | Bound::Nothing, _) => {
                match self.given(file, index, scope, binding) {
                    Ty::Unknown | Ty::Outside => self.usual_type(scope, &binding.name),
                    ty => ty,
                }
            }
        }
    }

    /// The value of an expression that a name is bound to in the way of `kind`.
    fn value_of_chain(
        &mut self,
        scope: NodeId,
        at: u32,
        mut chain: Chain<'_>,
        kind: BindingKind,
    ) -> Ty {
        match kind {
            BindingKind::Call => {
                chain.steps.push(Step::Call);
                self.evaluate_chain(scope, at, &chain).ty
            }
            BindingKind::Element => match self.evaluate_chain(scope, at, &chain).ty {
                Ty::Def(Def::Node(node)) => self.payload(node),
                // The content of an option: `for (job <- jobs.find(isDone))`.
                content @ Ty::Instance(..)
                    if self.rules(scope).flags().pass_receiver.contains(&"foreach") =>
                {
                    content
                }
                iterated => wrappers::element(&self.underlying(iterated)),
            },
            _ => self.rules(scope).bound(self, scope, at, &chain),
        }
    }

    /// One of several written results of a function.
    pub(crate) fn result_at(
        &self,
        function: NodeId,
        ty: TypeId,
        position: usize,
    ) -> Option<TypeId> {
        if !self.rules(function).flags().has_several_results {
            return None;
        }
        let facts = self.program.facts(self.program.file_of(function));
        facts.expressions.element(ty, position)
    }

    /// The first field of a tuple struct or variant: what a pattern `Foo(x)` binds.
    fn payload(&mut self, node: NodeId) -> Ty {
        let Some(symbol) = self.program.symbol(node) else {
            return Ty::Unknown;
        };
        if !matches!(symbol.kind, SymbolKind::Variant | SymbolKind::Struct) {
            return Ty::Unknown;
        }
        match self.type_of(node, symbol.ty) {
            Ty::Instance(same, _) if same == node => Ty::Unknown,
            ty => ty,
        }
    }

    /// Returns the type of a call of a value.
    pub(crate) fn call(&mut self, callee: &Ty, this: Option<&Ty>) -> Ty {
        match callee {
            Ty::Def(Def::Node(node)) => match self.program.kind(*node) {
                Some(kind) if is_function(kind) => self.result_of(*node, this),
                Some(SymbolKind::Variant) => {
                    self.program.parent(*node).map_or(Ty::Unknown, Ty::instance)
                }
                // `Key(k)` of `type Key []string`.
                Some(SymbolKind::TypeAlias) if self.rules(*node).flags().has_defined_types => {
                    self.lower_symbol(*node, Rc::from([]))
                }
                // A function that makes types gives a type.
                Some(kind) if is_type_scope(kind) && self.rules(*node).flags().calls_give_types => {
                    callee.clone()
                }
                Some(kind) if is_type_scope(kind) => Ty::instance(*node),
                // A table that can be called makes an object.
                Some(_)
                    if self.rules(*node).flags().tables_are_types
                        && self.heritage.has_methods(*node) =>
                {
                    Ty::instance(*node)
                }
                // `const f = require('./f'); f()`
                None => match self.module_as_function(self.program.file_of(*node)) {
                    Some(function) => self.call(&Ty::Def(Def::Node(function)), None),
                    None => Ty::Unknown,
                },
                _ => Ty::Unknown,
            },
            Ty::Function(_, result) => (**result).clone(),
            Ty::Instance(node, _) if self.rules(*node).flags().has_defined_types => {
                match self.underlying(callee.clone()) {
                    Ty::Function(_, result) => (*result).clone(),
                    _ => Ty::Unknown,
                }
            }
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
            Ty::List(_)
            | Ty::Tuple(_)
            | Ty::Union(_)
            | Ty::Param(..)
            | Ty::Unknown
            | Ty::Def(_) => Ty::Unknown,
        }
    }

    /// The type of a function's result; `this` is the type of the receiver.
    pub(crate) fn result_of(&mut self, function: NodeId, this: Option<&Ty>) -> Ty {
        let Some(symbol) = self.program.symbol(function) else {
            return Ty::Unknown;
        };
        if symbol.kind == SymbolKind::Constructor {
            return self.self_type(function).map_or(Ty::Unknown, instance_of);
        }
        let rules = self.rules(function);
        if symbol.ty.is_none() {
            let ty = rules.result(self, function, this);
            if ty != Ty::Unknown {
                return ty;
            }
        }
        if let Some(made) = rules.made_by(self, function) {
            return Ty::instance(made);
        }
        let text = &*symbol.type_text;
        if !rules.flags().has_results_behind_names && declared_as(symbol) {
            let declared = self.type_of(function, symbol.ty);
            return self.call(&declared, None);
        }
        let means_self = matches!(text, "Self" | "&Self" | "&mutSelf" | "&mut Self" | "this")
            || rules.flags().receiver_results.contains(&text)
            || text == "\"Self\"";
        if let (true, Some(this @ (Ty::Instance(..) | Ty::Opaque(..)))) = (means_self, this) {
            return this.clone();
        }
        let first = symbol
            .ty
            .map(|ty| self.result_at(function, ty, 0).unwrap_or(ty));
        let ty = self.type_of(function, first);
        match this {
            Some(Ty::Instance(owner, arguments)) => {
                self.substitute_owner(&ty, function, *owner, arguments)
            }
            Some(Ty::Def(Def::Node(_))) | None | Some(_) => ty,
        }
    }

    /// Substitutes the receiver's type arguments for the type parameters of the owner and of the impl block around a
    /// method.
    pub(crate) fn substitute_owner(
        &mut self,
        ty: &Ty,
        method: NodeId,
        owner: NodeId,
        arguments: &Rc<[Ty]>,
    ) -> Ty {
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
            .is_some_and(|rest| rest.trim_start().starts_with(&*symbol.type_text))
}
