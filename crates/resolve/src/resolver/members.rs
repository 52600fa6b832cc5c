//! Members of values: of modules, types, supertypes, bounds, and through pointers and results.

use syntax::facts::{SymbolKind, TypeRef};

use crate::program::{Def, Name, NodeId, ParameterId, is_common_method};
use crate::resolver::{Resolver, Space};
use crate::types::Ty;
use crate::types::wrappers;
use graph::Reason;

impl Resolver<'_, '_> {
    /// A member of a value, and the rule that found it, where that is another than the rule of the value.
    pub(crate) fn member(&mut self, ty: &Ty, name: &str) -> Option<(Def, Option<Reason>)> {
        self.member_for(ty, name, false)
    }

    /// As [`Self::member`]; for a call a method is preferred to a field of the same name.
    pub(crate) fn member_for(
        &mut self,
        ty: &Ty,
        name: &str,
        is_call: bool,
    ) -> Option<(Def, Option<Reason>)> {
        match ty {
            Ty::Def(def @ (Def::External(_) | Def::Folder(_) | Def::Package(_))) => self
                .module_member(*def, name, Space::Value)
                .map(|found| (found.def, None)),
            Ty::Def(Def::Node(node)) => self.member_of_node(*node, name, is_call),
            Ty::Instance(node, _) => {
                let own = self.inherited_or_own(*node, name, is_call);
                let own = own.or_else(|| {
                    let rules = self.rules(*node);
                    let found = self.nested(|this| rules.dereferenced_member(this, *node, name));
                    found.map(|(def, reason)| (def, Some(reason)))
                });
                match self.underlying(ty.clone()) {
                    // The underlying type gives fields, but no methods.
                    made_of if own.is_none() && made_of != *ty => {
                        self.nested(|this| this.member_for(&made_of, name, is_call))
                    }
                    _ => own,
                }
            }
            Ty::Super(node) => {
                let name = self.program.names.get(name)?;
                self.super_member(*node, name)
                    .map(|def| (def, Some(Reason::Inherited)))
            }
            Ty::Union(parts) => parts
                .iter()
                .find_map(|part| self.member_for(part, name, is_call)),
            Ty::Param(node, index) => self.member_of_bound(*node, *index, name),
            Ty::Opaque(outside, arguments) => {
                let interned = self.program.names.get(name)?;
                if let Some(def) = self.outside_member(outside, interned) {
                    return Some((def, None));
                }
                let sees_through =
                    wrappers::is_transparent(outside) && !wrappers::has_own(outside, name);
                let inner = arguments.first().filter(|_| sees_through)?;
                self.member_for(inner, name, is_call)
            }
            Ty::List(_) => {
                let name = self.program.names.get(name)?;
                self.extension_of_lists(name).map(|def| (def, None))
            }
            Ty::Unknown | Ty::Outside | Ty::Def(_) | Ty::Tuple(_) | Ty::Function(..) => None,
        }
    }

    /// A member that the repository adds to the lists of the standard library.
    fn extension_of_lists(&self, name: Name) -> Option<Def> {
        wrappers::COLLECTIONS
            .iter()
            .filter(|of| self.heritage.is_extended(of))
            .find_map(|of| self.outside_member(of, name))
    }

    pub(crate) fn member_of_node(
        &mut self,
        node: NodeId,
        name: &str,
        is_call: bool,
    ) -> Option<(Def, Option<Reason>)> {
        match self.program.kind(node) {
            None | Some(SymbolKind::Module) => {
                let value = self.module_member(Def::Node(node), name, Space::Value);
                let found =
                    value.or_else(|| self.module_member(Def::Node(node), name, Space::Type))?;
                Some((found.def, None))
            }
            Some(SymbolKind::Variant) => {
                let parent = self.program.parent(node)?;
                self.inherited_or_own(parent, name, is_call)
            }
            Some(_) => {
                let own = self.inherited_or_own(node, name, is_call);
                let rules = self.rules(node);
                if own.is_some() || !rules.flags().tables_are_types {
                    return own;
                }
                let found = self.nested(|this| rules.dereferenced_member(this, node, name));
                found.map(|(def, reason)| (def, Some(reason)))
            }
        }
    }

    pub(crate) fn inherited_or_own(
        &mut self,
        node: NodeId,
        name: &str,
        is_call: bool,
    ) -> Option<(Def, Option<Reason>)> {
        let name = self.program.names.get(name)?;
        let (def, is_inherited) = self.type_member_for(node, name, is_call)?;
        Some((def, is_inherited.then_some(Reason::Inherited)))
    }

    /// A member of the bounds of a type parameter, in its own list or in a `where` clause.
    pub(crate) fn member_of_bound(
        &mut self,
        node: NodeId,
        index: ParameterId,
        name: &str,
    ) -> Option<(Def, Option<Reason>)> {
        let program = self.program;
        let parameter = program
            .symbol(node)?
            .rare
            .type_parameters
            .get(index.index())?;
        for scope in program.scopes(node) {
            let Some(symbol) = program.symbol(scope) else {
                continue;
            };
            for bound in symbol
                .rare
                .type_parameters
                .iter()
                .filter(|bound| bound.name == parameter.name)
            {
                let Some(written) = bound.ty else { continue };
                let file = program.file_of(scope);
                if let TypeRef::Named(..) | TypeRef::Union(_) = program.type_ref(file, written) {
                    let ty = self.type_of(scope, bound.ty);
                    if matches!(ty, Ty::Param(..)) {
                        continue;
                    }
                    if let Some((def, _)) = self.member(&ty, name) {
                        return Some((def, Some(Reason::TraitBound)));
                    }
                }
            }
        }
        let interned = program.names.get(name)?;
        // A method with a name of the standard traits more likely comes from an external bound.
        if is_common_method(name) {
            return None;
        }
        let of = Ty::Param(node, index);
        let universal = self.rules(node).universal_member(self, &of, interned);
        universal.map(|def| (def, Some(Reason::TraitBound)))
    }
}
