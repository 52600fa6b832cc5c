//! Converts written types to types: a name is looked up, an alias becomes its target, a known wrapper its content.

use std::rc::Rc;

use syntax::facts::{SymbolKind, TypeId, TypeRef};

use crate::program::{Def, NodeId};
use crate::resolver::Resolver;
use crate::resolver::questions::TypeIn;
use crate::types::wrappers::{self, Wrapper};
use crate::types::{Ty, instance_of, substitute};

/// The current depth of inference.
#[derive(Default)]
pub(crate) struct Inference {
    pub depth: u32,
}

/// Maximum number of bindings, aliases and results that one inference follows.
pub(crate) const MAX_DEPTH: u32 = 24;
impl<'a> Resolver<'_, 'a> {
    /// A written type in a scope of its file.
    pub(crate) fn type_of(&mut self, scope: NodeId, ty: Option<TypeId>) -> Ty {
        let Some(ty) = ty else {
            return Ty::Unknown;
        };
        self.answer(TypeIn(scope, ty), Ty::Unknown, |this| {
            let written = this.program.type_ref(this.program.file_of(scope), ty);
            this.lower(scope, &written)
        })
    }

    pub(crate) fn lower(&mut self, scope: NodeId, expr: &TypeRef<'_>) -> Ty {
        if self.inference.depth >= MAX_DEPTH {
            self.cut_short();
            return Ty::Unknown;
        }
        self.inference.depth += 1;
        let ty = match expr {
            TypeRef::Named(segments, arguments) => {
                self.lower_named(scope, expr, segments, arguments)
            }
            TypeRef::Union(parts) => {
                let parts: Vec<Ty> = parts.iter().map(|part| self.lower(scope, part)).collect();
                Ty::Union(parts.into())
            }
            TypeRef::List(element) => Ty::List(Rc::new(self.lower(scope, element))),
            TypeRef::Function(parameters, result) => {
                let parameters = parameters
                    .iter()
                    .map(|(name, ty)| (Rc::from(*name), self.lower(scope, ty)))
                    .collect();
                Ty::Function(parameters, Rc::new(self.lower(scope, result)))
            }
            TypeRef::Tuple(parts) => {
                let parts: Vec<Ty> = parts.iter().map(|part| self.lower(scope, part)).collect();
                Ty::Tuple(parts.into())
            }
            TypeRef::Other => Ty::Unknown,
        };
        self.inference.depth -= 1;
        ty
    }

    pub(crate) fn lower_named(
        &mut self,
        scope: NodeId,
        expr: &TypeRef<'_>,
        segments: &[&str],
        arguments: &[TypeRef<'_>],
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

    pub(crate) fn lower_symbol(&mut self, node: NodeId, arguments: Rc<[Ty]>) -> Ty {
        let Some(symbol) = self.program.symbol(node) else {
            return if self.rules(node).flags().files_are_types {
                Ty::instance(node)
            } else {
                Ty::Unknown
            };
        };
        match symbol.kind {
            SymbolKind::TypeAlias if !self.has_members(node) && !self.is_defined_type(node) => {
                let ty = self.type_of(node, symbol.ty);
                substitute(&ty, node, &arguments)
            }
            SymbolKind::Variant => self.program.parent(node).map_or(Ty::Unknown, Ty::instance),
            // A class that is made by a call or re-assigned: `Alias = Base` in Python.
            SymbolKind::Variable | SymbolKind::Constant
                if self.rules(node).is_type_value(self, node) =>
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

    /// Whether a type that is defined by another has methods of its own: `type Errors []Error` in Go.
    fn is_defined_type(&self, node: NodeId) -> bool {
        self.rules(node).flags().has_defined_types && self.heritage.has_methods(node)
    }

    /// Returns the underlying type of a defined type; for any other the type itself.
    pub(crate) fn underlying(&mut self, ty: Ty) -> Ty {
        let Ty::Instance(node, arguments) = &ty else {
            return ty;
        };
        let symbol = self
            .program
            .symbol(*node)
            .filter(|symbol| symbol.kind == SymbolKind::TypeAlias);
        match symbol {
            Some(symbol) if self.is_defined_type(*node) => {
                let made_of = self.type_of(*node, symbol.ty);
                substitute(&made_of, *node, arguments)
            }
            _ => ty,
        }
    }

    pub(crate) fn has_members(&self, node: NodeId) -> bool {
        let Some(symbol) = self.program.symbol(node) else {
            return false;
        };
        let file = self.program.file_of(node);
        let local = node.0 - self.program.node(file, 0).0;
        let next = self.program.facts(file).symbols.get(local as usize + 1);
        next.is_some_and(|next| next.parent == Some(local)) && !symbol.name.is_empty()
    }
}
