//! Go: a type implements an interface by having its methods; the source does not declare it.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::facts::{BaseKind, Symbol, SymbolKind};

use crate::program::{Def, Family, Name, NodeId, is_function};
use crate::resolver::Relation;
use crate::resolver::Resolver;
use graph::Reason;

impl Resolver<'_, '_> {
    /// Relates every Go type to the interfaces of the repository whose methods it has, by name, number of parameters
    /// and written result. Must come after owners are read.
    pub(crate) fn read_structural_types(&mut self) {
        if !self.program.has_family(Family::Go) {
            return;
        }
        let with_method = self.types_by_method();
        let interfaces: Vec<NodeId> = self
            .program
            .all_symbols()
            .filter(|(node, symbol)| {
                symbol.kind == SymbolKind::Interface && self.program.family_of(*node) == Family::Go
            })
            .map(|(node, _)| node)
            .collect();
        for interface in interfaces {
            let wanted = self.interface_methods(interface);
            // Begin with the method that the fewest types have: it leaves the fewest candidates.
            let none = Vec::new();
            let candidates = wanted
                .iter()
                .map(|(name, _)| with_method.get(name).unwrap_or(&none))
                .min_by_key(|list| list.len());
            for &candidate in candidates.unwrap_or(&none) {
                let is_visible = self.is_test_node(interface) || !self.is_test_node(candidate);
                if candidate != interface && is_visible && self.has_methods(candidate, &wanted) {
                    self.relate_structurally(candidate, interface);
                }
            }
        }
    }

    fn is_test_node(&self, node: NodeId) -> bool {
        self.program.is_test(node)
    }

    /// Go types by the names of the methods that are written for them.
    fn types_by_method(&self) -> FxHashMap<Name, Vec<NodeId>> {
        let mut by_method: FxHashMap<Name, Vec<NodeId>> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        for (node, symbol) in self.program.all_symbols() {
            if is_function(symbol.kind)
                && self.program.family_of(node) == Family::Go
                && let Some((owner, name)) =
                    self.heritage.owner_of(node).zip(self.program.name(node))
                && seen.insert((owner, name))
            {
                by_method.entry(name).or_default().push(owner);
            }
        }
        by_method
    }

    /// Methods of an interface and of those that it embeds.
    fn interface_methods(&self, interface: NodeId) -> Vec<(Name, NodeId)> {
        let mut pending = vec![interface];
        let mut next = 0;
        let mut methods = Vec::new();
        while let Some(&current) = pending.get(next) {
            next += 1;
            methods.extend(self.program.methods_in(current));
            for &above in self.heritage.supers(current) {
                if !pending.contains(&above) {
                    pending.push(above);
                }
            }
        }
        methods
    }

    fn has_methods(&mut self, candidate: NodeId, wanted: &[(Name, NodeId)]) -> bool {
        !wanted.is_empty()
            && wanted.iter().all(|&(name, declared)| {
                match self.type_member_for(candidate, name, true) {
                    Some((Def::Node(own), _)) => {
                        let pair = self.program.symbol(own).zip(self.program.symbol(declared));
                        pair.is_some_and(|(own, declared)| same_shape(own, declared))
                    }
                    _ => false,
                }
            })
    }

    fn relate_structurally(&mut self, source: NodeId, target: NodeId) {
        let line = self
            .program
            .symbol(source)
            .map_or(0, |symbol| symbol.name_span.start_line);
        self.heritage.add_super(source, target);
        let (kind, reason) = (BaseKind::Implements, Reason::StructuralType);
        self.heritage.relations.push(Relation {
            source,
            target,
            kind,
            line,
            reason,
        });
    }
}

/// Whether two methods take as many parameters and are written with the same result, packages left out.
fn same_shape(a: &Symbol, b: &Symbol) -> bool {
    let plain = |text: &str| {
        text.rsplit(['.', ' '])
            .next()
            .unwrap_or_default()
            .trim_end_matches(')')
            .to_owned()
    };
    a.parameters.len() == b.parameters.len() && plain(&a.type_text) == plain(&b.type_text)
}
