//! Scala: names that types give to their own value.

use syntax::facts::{BindingKind, Bound, Head};

use crate::program::{NodeId, is_type_scope};
use crate::resolver::Resolver;
use crate::types::{Ty, Value};
use graph::Reason;

impl Resolver<'_, '_> {
    /// The value of the innermost type around a place that names its own value so: `trait Part { self =>`.
    pub(crate) fn scala_own_value(&self, scope: NodeId, name: &str) -> Option<Value> {
        let program = self.program;
        let interned = program.names.get(name)?;
        let mut types = program
            .scopes(scope)
            .filter(|&node| program.kind(node).is_some_and(is_type_scope));
        let named = types.find(|&node| {
            program.bindings_in(node, interned).any(|index| {
                let file = program.file_of(node);
                let binding = program.binding(file, index);
                binding.is_some_and(|binding| match binding.bound {
                    Bound::Value(chain) if binding.kind == BindingKind::Alias => {
                        let chain = program.chain(file, chain);
                        chain.steps.is_empty() && chain.head == Head::Name("this")
                    }
                    _ => false,
                })
            })
        })?;
        Some(Value {
            ty: Ty::instance(named),
            reason: Reason::SelfType,
        })
    }
}
