//! Types and their members: impl blocks, methods written outside of their type, supertypes.
//!
//! This is read once for all files, before any name is resolved, not file by file. A type does not know who adds to it:
//! an impl block, an extension, a part of a partial class or another opening of a class may be in any file. The members
//! of a type are known only when every file has been read, and a file whose text stays the same can gain or lose a
//! target because another file adds a member. Reading is linear in the number of such blocks and written supertypes, a
//! few names for each; uses, of which there are far more, are then resolved file by file.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::facts::{Base, BaseKind, SymbolKind, TypeId, TypeRef};
use syntax::order::InOrder;

use crate::program::{Def, Name, NodeId, ParameterId, is_type_scope};
use crate::resolver::questions::AliasOf;
use crate::resolver::{Resolver, Space};
use graph::Reason;

/// Members and supertypes of types that are written outside of them.
#[derive(Default)]
pub(crate) struct Heritage<'a> {
    /// The type that an impl block is for.
    impl_targets: FxHashMap<NodeId, Def>,
    /// Impl blocks of a type, those without a trait first.
    impls_of: FxHashMap<NodeId, Vec<NodeId>>,
    /// Impl blocks for external types, by the type's name.
    pub(crate) impls_outside: FxHashMap<&'a str, Vec<NodeId>>,
    /// Impl blocks for every type (`impl<T: Bound> Trait for T`).
    pub(crate) blanket_impls: Vec<NodeId>,
    /// Supertypes in the repository, in written order.
    supers: FxHashMap<NodeId, Vec<NodeId>>,
    /// The type or object of a method that is written outside of it.
    owners: FxHashMap<NodeId, NodeId>,
    pub(crate) owned: FxHashMap<(NodeId, Name), Vec<NodeId>>,
    /// Types that have such methods.
    with_methods: FxHashSet<NodeId>,
    /// Functions that extend external types, by the type's name and theirs.
    pub(crate) owned_outside: FxHashMap<(String, Name), Vec<NodeId>>,
    /// Written relations of types: for edges.
    pub relations: Vec<Relation>,
}

/// A type, its supertype, and where that is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Relation {
    pub source: NodeId,
    pub target: NodeId,
    pub kind: BaseKind,
    pub line: u32,
    pub reason: Reason,
}

impl Heritage<'_> {
    /// Whether the repository adds members to an external type of this name.
    pub fn is_extended(&self, name: &str) -> bool {
        self.impls_outside.contains_key(name)
    }

    pub fn impl_target(&self, node: NodeId) -> Option<Def> {
        self.impl_targets.get(&node).copied()
    }

    pub fn owner_of(&self, method: NodeId) -> Option<NodeId> {
        self.owners.get(&method).copied()
    }

    /// Whether methods of a type are written outside of it.
    pub fn has_methods(&self, node: NodeId) -> bool {
        self.with_methods.contains(&node)
    }

    pub fn supers(&self, node: NodeId) -> &[NodeId] {
        self.supers.get(&node).map_or(&[], Vec::as_slice)
    }

    pub fn add_super(&mut self, node: NodeId, above: NodeId) {
        let supers = self.supers.entry(node).or_default();
        if !supers.contains(&above) {
            supers.push(above);
        }
    }

    /// Makes another opening of a class a block of the first.
    pub fn join(&mut self, first: NodeId, other: NodeId) {
        self.impl_targets.insert(other, Def::Node(first));
        self.impls_of.entry(first).or_default().push(other);
    }

    pub fn impls_of(&self, node: NodeId) -> &[NodeId] {
        self.impls_of.get(&node).map_or(&[], Vec::as_slice)
    }
}

impl<'a> Resolver<'_, 'a> {
    /// Reads impl blocks, owners and supertypes; must come before members are looked up.
    pub fn read_heritage(&mut self) {
        let symbols: Vec<_> = self.program.related_symbols().collect();
        for rules in self.all_rules() {
            rules.join_types(self);
        }
        // Blocks without a trait first: their methods hide those of traits.
        for is_inherent in [true, false] {
            for &(node, symbol) in &symbols {
                if symbol.kind == SymbolKind::Impl && symbol.rare.bases.is_empty() == is_inherent {
                    self.read_impl(node, &symbol.name);
                }
            }
        }
        for &(node, symbol) in &symbols {
            if !symbol.rare.owner.is_empty() {
                self.read_owner(node, symbol.rare.owner_type);
            }
        }
        self.read_partial_types(&symbols);
        for &(node, symbol) in &symbols {
            self.rules(node).read_decorators(self, node, symbol);
            for base in &symbol.rare.bases {
                self.read_base(node, base);
            }
        }
    }

    /// Relates types by rules of their languages that need owners and supertypes; must come after
    /// [`Self::read_heritage`].
    pub fn relate_types(&mut self) {
        for rules in self.all_rules() {
            rules.relate_types(self);
        }
    }

    /// Relates the parts of partial types: each is a block of members of the others.
    fn read_partial_types(&mut self, symbols: &[(NodeId, &'a syntax::facts::Symbol)]) {
        let mut parts: FxHashMap<(String, Name), Vec<NodeId>> = FxHashMap::default();
        for &(node, symbol) in symbols {
            let is_partial = is_type_scope(symbol.kind) && self.rules(node).is_partial(symbol);
            if is_partial && let Some(name) = self.program.name(node) {
                let mut around = crate::modules::namespace_of(self.program, node);
                if around.is_empty() {
                    around.clone_from(&self.program.facts(self.program.file_of(node)).package);
                }
                parts.entry((around, name)).or_default().push(node);
            }
        }
        let mut groups: Vec<Vec<NodeId>> = parts
            .into_values()
            .filter(|group| group.len() > 1)
            .collect();
        groups.order_by(Ord::cmp);
        for group in groups.iter().take_while(|group| group.len() <= 1_000) {
            for &node in group {
                let others = group.iter().copied().filter(|&other| other != node);
                self.heritage
                    .impls_of
                    .entry(node)
                    .or_default()
                    .extend(others);
            }
        }
    }

    fn read_impl(&mut self, node: NodeId, name: &'a str) {
        if let Ok(target) = self.rules(node).impl_target(self, node) {
            if let Some(target) = target {
                self.heritage.join(target, node);
            }
            return;
        }
        match self.lookup(node, u32::MAX, name, Space::Type) {
            Some((Def::TypeParam(..), _)) => self.heritage.blanket_impls.push(node),
            Some((Def::Node(target), _)) if self.program.symbol(target).is_some() => {
                let target = self.through_alias(target);
                // An alias of an external type: its members are found by both names.
                if let Some(alias) = self
                    .program
                    .symbol(target)
                    .filter(|symbol| symbol.kind == SymbolKind::TypeAlias)
                    && let Some(TypeRef::Named(segments, _)) =
                        self.program.written(target, alias.ty)
                    && let Some(&last) = segments.last()
                {
                    self.heritage
                        .impls_outside
                        .entry(last)
                        .or_default()
                        .push(node);
                }
                self.heritage.impl_targets.insert(node, Def::Node(target));
                self.heritage.impls_of.entry(target).or_default().push(node);
            }
            _ => self
                .heritage
                .impls_outside
                .entry(name)
                .or_default()
                .push(node),
        }
    }

    /// The type behind an alias of a plain name; for anything else the node itself.
    pub(crate) fn through_alias(&mut self, node: NodeId) -> NodeId {
        let Some(symbol) = self
            .program
            .symbol(node)
            .filter(|symbol| symbol.kind == SymbolKind::TypeAlias)
        else {
            return node;
        };
        // An alias that is being followed resolves to itself, which ends a cycle.
        self.answer(AliasOf(node), node, |this| {
            match this.written_type(node, node, symbol.ty) {
                Some((Def::Node(next), _))
                    if next != node && this.program.symbol(next).is_some() =>
                {
                    this.nested(|this| Some(this.through_alias(next)))
                        .unwrap_or(next)
                }
                _ => node,
            }
        })
    }

    fn read_owner(&mut self, node: NodeId, owner: Option<TypeId>) {
        let Some(scope) = self.program.parent(node) else {
            return;
        };
        if self.rules(node).flags().extends_type_parameters
            && let Some((Def::TypeParam(of, index), _)) = self.written_type(node, node, owner)
            && of == node
        {
            return self.read_extended_parameter(node, index);
        }
        if let Some((Def::Node(target), _)) = self.written_type(node, scope, owner)
            && target != node
            && self.program.symbol(target).is_some()
            && let Some(name) = self.program.name(node)
        {
            let target = self.through_alias(target);
            self.heritage.owners.insert(node, target);
            self.heritage.with_methods.insert(target);
            self.heritage
                .owned
                .entry((target, name))
                .or_default()
                .push(node);
            return;
        }
        // An extension of an external type.
        if self.rules(node).flags().has_extensions
            && let Some(TypeRef::Named(segments, _)) = self.program.written(node, owner)
            && let Some(&last) = segments.last()
            && let Some(name) = self.program.name(node)
            && !matches!(
                self.named_type(node, &TypeRef::Named(vec![last], Vec::new())),
                Some((Def::TypeParam(..), _))
            )
        {
            self.heritage
                .owned_outside
                .entry((last.to_owned(), name))
                .or_default()
                .push(node);
            self.heritage.impls_outside.entry(last).or_default();
        }
    }

    /// A function that extends a type parameter extends its bound, else every type.
    fn read_extended_parameter(&mut self, node: NodeId, index: ParameterId) {
        let Some(name) = self.program.name(node) else {
            return;
        };
        let symbol = self.program.symbol(node);
        let parameters = symbol.map_or(&[][..], |symbol| symbol.rare.type_parameters.as_slice());
        let own = parameters.get(index.index()).map(|own| &own.name);
        let mut same = parameters.iter().filter(|one| Some(&one.name) == own);
        let Some(bound) = same.find_map(|one| one.ty) else {
            let any = ("Any".to_owned(), name);
            self.heritage
                .owned_outside
                .entry(any)
                .or_default()
                .push(node);
            return;
        };
        match self.written_type(node, node, Some(bound)) {
            Some((Def::Node(target), _)) if self.program.symbol(target).is_some() => {
                self.heritage.owners.insert(node, target);
                self.heritage
                    .owned
                    .entry((target, name))
                    .or_default()
                    .push(node);
            }
            Some(_) => {}
            None => {
                let written = self.program.written(node, Some(bound));
                if let Some(TypeRef::Named(segments, _)) = written
                    && let Some(&last) = segments.last()
                {
                    let of = (last.to_owned(), name);
                    self.heritage
                        .owned_outside
                        .entry(of)
                        .or_default()
                        .push(node);
                }
            }
        }
    }

    fn read_base(&mut self, node: NodeId, base: &Base) {
        let (kind, line) = (base.kind, base.span.start_line);
        let is_mixin = kind == BaseKind::Implements && self.rules(node).flags().mixes_in;
        let scope = if self.program.kind(node) == Some(SymbolKind::Impl) || is_mixin {
            node
        } else {
            self.program.parent(node).unwrap_or(node)
        };
        let Some((Def::Node(target), reason)) = self.written_type(node, scope, base.ty) else {
            return;
        };
        if self.program.symbol(target).is_none() {
            return;
        }
        let source = match self.program.kind(node) {
            Some(SymbolKind::Impl) => match self.heritage.impl_target(node) {
                Some(Def::Node(source)) => source,
                _ => {
                    // The impl of an external type, or of any type: the block itself takes the supertype.
                    self.heritage.supers.entry(node).or_default().push(target);
                    return;
                }
            },
            _ => match self.heritage.impl_target(node) {
                Some(Def::Node(first)) => first,
                _ => node,
            },
        };
        if source != target {
            let supers = self.heritage.supers.entry(source).or_default();
            if !supers.contains(&target) {
                supers.push(target);
            }
            if source != node {
                self.heritage.supers.entry(node).or_default().push(target);
            }
            self.heritage.relations.push(Relation {
                source,
                target,
                kind,
                line,
                reason,
            });
        }
    }

    /// The definition that a type written in the file of `node` names in a scope.
    pub fn written_type(
        &mut self,
        node: NodeId,
        scope: NodeId,
        ty: Option<TypeId>,
    ) -> Option<(Def, Reason)> {
        let written = self.program.written(node, ty)?;
        self.named_type(scope, &written)
    }

    /// The definition that a written type names, arguments left out.
    pub fn named_type(&mut self, scope: NodeId, expr: &TypeRef<'_>) -> Option<(Def, Reason)> {
        self.nested(|this| this.named_type_inside(scope, expr))
    }

    fn named_type_inside(&mut self, scope: NodeId, expr: &TypeRef<'_>) -> Option<(Def, Reason)> {
        let TypeRef::Named(segments, _) = expr else {
            return match expr {
                TypeRef::Union(parts) => parts.iter().find_map(|part| self.named_type(scope, part)),
                _ => None,
            };
        };
        let (first, rest) = segments.split_first()?;
        let rules = self.rules(scope);
        if let Ok(found) = rules.named_type(self, scope, segments) {
            return found;
        }
        if rules.flags().is_own_type(first) {
            return self.self_type(scope).map(|def| (def, Reason::SelfType));
        }
        let space = Space::Type;
        let found = self
            .lookup(scope, u32::MAX, first, space)
            .or_else(|| self.lookup(scope, u32::MAX, first, Space::Value));
        let Some((mut def, mut reason)) = found else {
            return rules.type_beyond_scopes(self, segments);
        };
        for segment in rest {
            def = self.module_member(def, segment, space)?.def;
            reason = Reason::ModuleMember;
        }
        Some((def, reason))
    }
}
