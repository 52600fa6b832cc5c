//! Conventions of Ruby: `ClassMethods` of a module, values that are named like their class.

use syntax::facts::{Chain, Head, Step, SymbolKind};

use crate::program::{Def, FileId, NodeId, is_type_scope};
use crate::resolver::{Resolver, Use};
use graph::Reason;

/// The module within a module whose methods a class has that includes the outer one.
const CLASS_METHODS: &str = "ClassMethods";

impl Resolver<'_, '_> {
    /// A module gives the methods of its `ClassMethods` to the classes that include it.
    pub(crate) fn extend_includers(&mut self) {
        let program = self.program;
        let Some(name) = program.names.get(CLASS_METHODS) else {
            return;
        };
        for node in program.named(name) {
            let outer = program.parent(node).filter(|&outer| {
                program.kind(node) == Some(SymbolKind::Trait)
                    && program.kind(outer) == Some(SymbolKind::Trait)
            });
            if let Some(outer) = outer {
                let (outer, inner) = (self.first_opening(outer), self.first_opening(node));
                self.heritage.add_super(outer, inner);
            }
        }
    }

    fn first_opening(&self, node: NodeId) -> NodeId {
        match self.heritage.impl_target(node) {
            Some(Def::Node(first)) => first,
            _ => node,
        }
    }

    /// A member of the only class that a variable or method of unknown type is named like: `request.path` of a `Request`.
    /// Within that class the value is another that it wraps.
    pub(crate) fn ruby_named_like(
        &mut self,
        file: FileId,
        scope: NodeId,
        receiver: &Chain<'_>,
        name: &str,
    ) -> Option<Use> {
        let value = match (receiver.steps.last(), &receiver.head) {
            (Some(Step::Member(name)), _) | (None, Head::Name(name)) => *name,
            _ => return None,
        };
        let program = self.program;
        let class = program.names.get(&in_camel_case(value))?;
        let mut classes: Vec<NodeId> = program
            .named(class)
            .filter(|&node| {
                program.kind(node).is_some_and(is_type_scope)
                    && program.family_of(node) == program.family_of(file)
                    && self.is_visible(file, node)
            })
            .map(|node| self.first_opening(node))
            .collect();
        classes.dedup();
        let [class] = classes.as_slice() else {
            return None;
        };
        if self.ruby_class(scope) == Some(*class) {
            return None;
        }
        let (found, _) = self.type_member_for(*class, program.names.get(name)?, true)?;
        matches!(found, Def::Node(_)).then_some((found, Reason::UsualType))
    }
}

/// `http_request` as the name of a class.
fn in_camel_case(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    let capitals = words.map(|word| {
        let mut rest = word.chars();
        let first = rest.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(rest).collect::<String>()
    });
    capitals.collect()
}
