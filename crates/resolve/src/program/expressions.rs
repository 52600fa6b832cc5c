//! Expressions and types of files, as their facts have them.

use syntax::facts::{Chain, ChainId, Reference, Step, TypeId, TypeRef};

use super::{FileId, NodeId, Program};

impl<'a> Program<'a> {
    /// A written type of a file.
    pub fn type_ref(&self, file: FileId, ty: TypeId) -> TypeRef<'a> {
        self.facts(file).expressions.type_ref(ty)
    }

    /// A type that is written in the file of a node, if one is.
    pub fn written(&self, node: NodeId, ty: Option<TypeId>) -> Option<TypeRef<'a>> {
        Some(self.type_ref(self.file_of(node), ty?))
    }

    /// A written expression of a file.
    pub fn chain(&self, file: FileId, chain: ChainId) -> Chain<'a> {
        self.facts(file).expressions.chain(chain)
    }

    /// Steps behind the beginning of a chain, each with the chain that ends with it; none if it begins in another way.
    pub fn steps_behind(
        &self,
        file: FileId,
        known: ChainId,
        chain: ChainId,
    ) -> Option<Vec<(ChainId, Step<'a>)>> {
        let expressions = &self.facts(file).expressions;
        let mut steps = Vec::new();
        let mut at = chain;
        while at != known {
            let (before, step) = expressions.last_step(at)?;
            steps.push((at, step));
            at = before;
        }
        steps.reverse();
        Some(steps)
    }

    /// The expression before a name of a file, if there is one.
    pub fn receiver(&self, file: FileId, reference: &Reference) -> Option<Chain<'a>> {
        Some(self.chain(file, reference.receiver?.chain))
    }
}
