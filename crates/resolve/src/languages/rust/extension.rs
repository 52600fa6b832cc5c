//! Rust: methods that traits of the repository add to types of other crates, `text.lines().in_steps()`.

use syntax::facts::{ImportFlags, SymbolKind};
use syntax::order::InOrder;

use crate::program::{Def, Name, NodeId, is_common_method, is_function};
use crate::resolver::{Resolver, Space, Use};
use crate::types::Ty;
use crate::types::wrappers::{self, Wrapper};
use graph::Reason;

impl Resolver<'_, '_> {
    /// The method that the only trait in scope with this method adds to an external type. Names that standard types have
    /// are theirs.
    pub(crate) fn extension_method(&mut self, scope: NodeId, of: &Ty, name: &str) -> Option<Use> {
        if is_common_method(name) {
            return None;
        }
        let name = self.program.names.get(name)?;
        let program = self.program;
        let is_of_trait = |node: &NodeId| {
            program.kind(*node).is_some_and(is_function)
                && program
                    .parent(*node)
                    .is_some_and(|around| program.kind(around) == Some(SymbolKind::Trait))
        };
        let declared = program.named(name).filter(is_of_trait).take(64);
        let declared: Vec<NodeId> = declared.collect();
        let mut in_scope = declared.into_iter().filter_map(|method| {
            let around = program.parent(method)?;
            self.is_trait_in_scope(scope, around)
                .then_some((method, around))
        });
        let (Some((method, around)), None) = (in_scope.next(), in_scope.next()) else {
            return None;
        };
        let found = self.method_of_blocks(around, of, name)?;
        let node = found.unwrap_or(method);
        Some((Def::Node(node), Reason::TraitBound))
    }

    /// Whether a scope sees a trait: by its name, or as `use path::Trait as _`.
    fn is_trait_in_scope(&mut self, scope: NodeId, wanted: NodeId) -> bool {
        let Some(symbol) = self.program.symbol(wanted) else {
            return false;
        };
        let named = self.lookup(scope, u32::MAX, &symbol.name, Space::Type);
        if matches!(named, Some((Def::Node(found), _)) if found == wanted) {
            return true;
        }
        let imports = &self.program.facts(self.program.file_of(scope)).imports;
        imports.iter().any(|import| {
            import.local.is_empty() && import.name == symbol.name && !import.is(ImportFlags::GLOB)
        })
    }

    /// The method in the only block that implements a trait for external types like this one; no method where there are
    /// several such blocks. None where the trait is for no external type.
    fn method_of_blocks(&self, around: NodeId, of: &Ty, name: Name) -> Option<Option<NodeId>> {
        let implements = |block: &NodeId| self.heritage.supers(*block).contains(&around);
        let is_list = matches!(of, Ty::List(_));
        let outside = self.heritage.impls_outside.iter();
        let fitting = outside.filter(|(written, _)| {
            let is_of_list = wrappers::wrapper(written) == Some(Wrapper::List);
            match of {
                Ty::List(_) => is_of_list,
                // Types that are named are found by their name.
                Ty::Opaque(..) => false,
                _ => !is_of_list,
            }
        });
        let mut blocks: Vec<NodeId> = fitting
            .flat_map(|(_, blocks)| blocks.iter().copied())
            .filter(implements)
            .collect();
        if blocks.is_empty() || is_list {
            let blanket = self.heritage.blanket_impls.iter().copied();
            blocks
                .extend(blanket.filter(|block| implements(block) && self.fits_outside(*block, of)));
        }
        blocks.order_by(Ord::cmp);
        match blocks.as_slice() {
            [] => None,
            [only] => Some(self.best_member(self.program.symbols_in(*only, name))),
            _ => Some(None),
        }
    }
}
