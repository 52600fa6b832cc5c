//! The object that accompanies a class: `companion object` in Kotlin, an object of the class's name in Scala.

use crate::program::{Def, Name, NodeId, is_type_scope};
use crate::resolver::Resolver;

impl Resolver<'_, '_> {
    pub(crate) fn kotlin_companion_member(
        &self,
        node: NodeId,
        name: Name,
        is_call: bool,
    ) -> Option<Def> {
        let program = self.program;
        let companion = program.names.get("Companion");
        let named = companion
            .into_iter()
            .flat_map(|name| program.symbols_in(node, name));
        let is_companion = |child: &NodeId| {
            program
                .symbol(*child)
                .is_some_and(|symbol| symbol.signature.contains("companion object"))
        };
        named
            .chain(program.types_in(node))
            .filter(is_companion)
            .find_map(|child| self.own_member(child, name, is_call))
    }

    pub(crate) fn scala_companion_member(
        &self,
        node: NodeId,
        name: Name,
        is_call: bool,
    ) -> Option<Def> {
        let program = self.program;
        let scope = program.parent(node)?;
        let own = program.name(node)?;
        program
            .symbols_in(scope, own)
            .filter(|&other| other != node && program.kind(other).is_some_and(is_type_scope))
            .find_map(|other| self.own_member(other, name, is_call))
    }
}
