//! Types of values, as far as names and written types tell, and generic types of standard libraries around them. Pure
//! data: nothing here asks the resolver.

pub(crate) mod wrappers;

use std::rc::Rc;

use crate::program::{Def, NodeId, ParameterId};
use graph::Reason;

/// The type of a value, or the known part of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ty {
    Unknown,
    /// The thing itself: a class, function, module.
    Def(Def),
    /// A value of a type of the repository, with type arguments.
    Instance(NodeId, Rc<[Ty]>),
    /// A value of an external type, by the last part of its name.
    Opaque(Rc<str>, Rc<[Ty]>),
    /// A value of a type parameter.
    Param(NodeId, ParameterId),
    /// One of several.
    Union(Rc<[Ty]>),
    /// Values by position.
    Tuple(Rc<[Ty]>),
    /// A sequence of elements.
    List(Rc<Ty>),
    /// A function value: parameters by name, and its result.
    Function(Rc<[(Rc<str>, Ty)]>, Rc<Ty>),
    /// The supertypes of a type, as `super` means them.
    Super(NodeId),
    /// A value that is known to have no type of the repository.
    Outside,
}

impl Ty {
    pub(crate) fn instance(node: NodeId) -> Ty {
        Ty::Instance(node, Rc::from([]))
    }
}

/// A type and the rule by which its members are found.
#[derive(Debug, Clone)]
pub(crate) struct Value {
    pub ty: Ty,
    pub reason: Reason,
}

pub(crate) fn instance_of(def: Def) -> Ty {
    match def {
        Def::Node(node) => Ty::instance(node),
        Def::TypeParam(node, index) => Ty::Param(node, index),
        _ => Ty::Unknown,
    }
}
/// A type with the type parameters of `owner` replaced by arguments, by position.
pub(crate) fn substitute(ty: &Ty, owner: NodeId, arguments: &[Ty]) -> Ty {
    // Aliases of aliases can grow without end; a type larger than any useful one stays unknown.
    let mut n_left = 512;
    substitute_within(ty, owner, arguments, &mut n_left)
}

fn substitute_within(ty: &Ty, owner: NodeId, arguments: &[Ty], n_left: &mut u32) -> Ty {
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
            .get(index.index())
            .cloned()
            .unwrap_or_else(|| ty.clone()),
        Ty::Instance(node, list) if !list.is_empty() => Ty::Instance(*node, all(list)),
        Ty::Opaque(name, list) if !list.is_empty() => Ty::Opaque(name.clone(), all(list)),
        Ty::Union(list) => Ty::Union(all(list)),
        Ty::Tuple(list) => Ty::Tuple(all(list)),
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

/// The parameter of a name in a function type, or in one of several.
pub(crate) fn parameter_named(ty: &Ty, name: &str) -> Ty {
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
