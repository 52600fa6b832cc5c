//! Rust: members through `Deref`; traits by `#[derive]`.

use syntax::facts::{BaseKind, Chain, Head, Reference, Step, SymbolKind, TypeRef};

use crate::program::{Def, NodeId};
use crate::resolver::{Relation, Resolver, Space, Use};
use crate::types::Ty;
use graph::Reason;

impl<'a> Resolver<'_, 'a> {
    /// A member of the type that a value is dereferenced or awaited to: the associated types `Target` and `Output`.
    pub(crate) fn through_associated(&mut self, node: NodeId, name: &str) -> Option<Use> {
        ["Target", "Output"].iter().find_map(|associated| {
            let associated = self.program.names.get(associated)?;
            let Some(Def::Node(alias)) = self.own_member(node, associated, false) else {
                return None;
            };
            let symbol = self
                .program
                .symbol(alias)
                .filter(|symbol| symbol.kind == SymbolKind::TypeAlias)?;
            let ty = self.type_of(alias, symbol.ty);
            let is_itself = matches!(&ty, Ty::Instance(same, _) if *same == node);
            let found = if is_itself {
                None
            } else {
                self.member(&ty, name)
            };
            found.map(|(def, _)| (def, Reason::InferredType))
        })
    }

    /// `#[derive(Trait)]` of a trait of the repository: some macro implements it.
    pub(crate) fn read_derives(&mut self, node: NodeId, decorators: &'a [String], line: u32) {
        for derive in decorators
            .iter()
            .filter_map(|text| text.strip_prefix("derive(")?.strip_suffix(')'))
        {
            for name in derive.split(',').map(str::trim) {
                let written = TypeRef::Named(name.split("::").collect(), Vec::new());
                if let Some((Def::Node(target), _)) = self.named_type(node, &written)
                    && self.program.kind(target) == Some(SymbolKind::Trait)
                {
                    self.heritage.add_super(node, target);
                    let (kind, reason) = (BaseKind::Implements, Reason::Heritage);
                    self.heritage.relations.push(Relation {
                        source: node,
                        target,
                        kind,
                        line,
                        reason,
                    });
                }
            }
        }
    }

    pub(crate) fn rust_path_use(
        &mut self,
        scope: NodeId,
        reference: &Reference,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let written = self
            .program
            .receiver(self.program.file_of(scope), reference)?;
        let receiver = self.rust_path(scope, &path_of(&written)?, false, Space::Type)?;
        let (def, extra) = match receiver.def {
            Def::External(_) => {
                let name = self.program.names.get(&reference.name)?;
                (self.outside_member(written.last_name(), name)?, None)
            }
            Def::TypeParam(node, index) => self.member(&Ty::Param(node, index), &reference.name)?,
            def => match self.module_member(def, &reference.name, space) {
                Some(found) => (found.def, None),
                None => self.member(&Ty::Def(def), &reference.name)?,
            },
        };
        if matches!(def, Def::External(_)) {
            return None;
        }
        let is_type = matches!(receiver.def, Def::Node(node) if self.program.kind(node).is_some_and(|kind| kind != SymbolKind::Module));
        let reason = match extra {
            Some(reason) => reason,
            None if written.steps.is_empty() && written.last_name() == "Self" => Reason::SelfType,
            None if is_type => Reason::TypeMember,
            None => Reason::Path,
        };
        Some((def, reason))
    }
}

/// A path as written, without type arguments: `Foo::Bar` of `Foo<T>::Bar`.
fn path_of(chain: &Chain<'_>) -> Option<String> {
    let is_path = chain.steps.iter().all(|step| matches!(step, Step::Path(_)));
    let path = chain.names().filter(|_| is_path)?.join("::");
    Some(match chain.head {
        Head::Absolute(_) => format!("::{path}"),
        _ => path,
    })
}
