//! Members of types: those in the type, in its impl blocks, those that name it as owner, and inherited ones.

use syntax::facts::{Modifiers, SymbolKind};

use crate::program::{Def, Name, NodeId, is_declaration, is_function};
use crate::resolver::Resolver;
use crate::types::Ty;

impl Resolver<'_, '_> {
    /// A member of a type and whether it comes from a supertype: nearest first, breadth first.
    pub fn type_member(&mut self, node: NodeId, name: Name) -> Option<(Def, bool)> {
        self.type_member_for(node, name, false)
    }

    /// As [`Self::type_member`]; for a call a method is preferred to a field of the same name.
    pub fn type_member_for(
        &mut self,
        node: NodeId,
        name: Name,
        is_call: bool,
    ) -> Option<(Def, bool)> {
        let start = self.through_alias(node);
        let mut seen = vec![start];
        let mut next = 0;
        let mut declared = None;
        while let Some(&current) = seen.get(next) {
            let own = self.own_member(current, name, is_call);
            // A call means what accompanies the type rather than a parameter of its constructor.
            let found = match own {
                Some(Def::Node(_)) => own,
                Some(_) if !is_call => own,
                _ => {
                    let rules = self.rules(current);
                    let companion = rules.companion_member(self, current, name, is_call);
                    companion.or(own)
                }
            };
            match found {
                // A class takes the body from a class or trait, whichever interface declares the name as well.
                Some(def) if next > 0 && self.is_only_declared(start, current, def) => {
                    declared.get_or_insert(def);
                }
                Some(def) => return Some((def, next > 0)),
                None => {}
            }
            next += 1;
            for &above in self.heritage.supers(current) {
                if !seen.contains(&above) && seen.len() < 200 {
                    seen.push(above);
                }
            }
        }
        let universal = declared.or_else(|| {
            self.rules(start)
                .universal_member(self, &Ty::instance(start), name)
        });
        universal.map(|def| (def, true))
    }

    /// Whether a member of a class's supertype is what an interface declares, without a body.
    fn is_only_declared(&self, class: NodeId, owner: NodeId, member: Def) -> bool {
        let Def::Node(member) = member else {
            return false;
        };
        self.program.kind(class) == Some(SymbolKind::Class)
            && self.program.kind(owner) == Some(SymbolKind::Interface)
            && self.program.symbol(member).is_some_and(is_declaration)
    }

    /// A member of a supertype only: what `super` means.
    pub fn super_member(&mut self, node: NodeId, name: Name) -> Option<Def> {
        let supers = self.heritage.supers(node).to_vec();
        supers
            .into_iter()
            .find_map(|above| self.type_member(above, name))
            .map(|(def, _)| def)
    }

    /// A member in the type, in its impl blocks, or one that names the type as owner. For a call, methods are looked
    /// for everywhere before fields are.
    pub fn own_member(&self, node: NodeId, name: Name, is_call: bool) -> Option<Def> {
        let written = self.program.symbols_in(node, name);
        let owned = self
            .heritage
            .owned
            .get(&(node, name))
            .into_iter()
            .flatten()
            .copied();
        let blocks = self.heritage.impls_of(node).iter();
        let in_blocks = blocks.flat_map(|&block| self.program.symbols_in(block, name));
        let all: Vec<NodeId> = written.chain(owned).chain(in_blocks).collect();
        let is_method = |node: &NodeId| self.program.kind(*node).is_some_and(is_function);
        let methods = all.iter().copied().filter(is_method);
        let called = if is_call {
            self.best_member(methods)
        } else {
            None
        };
        if is_call && called.is_none() && self.rules(node).flags().has_method_names {
            return None;
        }
        if let Some(member) = called.or_else(|| self.best_member(all.iter().copied())) {
            return Some(Def::Node(member));
        }
        let places = std::iter::once(&node).chain(self.heritage.impls_of(node));
        places.into_iter().find_map(|&place| {
            let file = self.program.file_of(place);
            let mut bindings = self.program.bindings_in(place, name);
            bindings.next().map(|index| Def::Binding(file, index))
        })
    }

    /// Of several members of one name: the first that has a body, else the first.
    pub(crate) fn best_member(&self, members: impl Iterator<Item = NodeId>) -> Option<NodeId> {
        let mut best: Option<((bool, bool), NodeId)> = None;
        for node in members {
            let Some(symbol) = self.program.symbol(node) else {
                continue;
            };
            if symbol.kind == SymbolKind::Impl || symbol.is(Modifiers::ANONYMOUS) {
                continue;
            }
            let rank = (!self.program.is_left_out(node), !is_declaration(symbol));
            if best.is_none_or(|(other, _)| rank > other) {
                best = Some((rank, node));
            }
        }
        best.map(|(_, node)| node)
    }

    /// A member that the repository adds to an external type.
    pub fn outside_member(&self, type_name: &str, name: Name) -> Option<Def> {
        // The type of a literal is the name of its kind.
        let written = match type_name {
            "str" => &["String", "string", "str"][..],
            "number" => &["Int", "int", "Double", "double", "num", "number"][..],
            _ => &[],
        };
        let extended = std::iter::once(type_name)
            .chain(written.iter().copied())
            .find_map(|of| {
                let functions = self.heritage.owned_outside.get(&(of.to_owned(), name))?;
                self.best_member(functions.iter().copied())
            });
        if let Some(function) = extended {
            return Some(Def::Node(function));
        }
        let blocks = std::iter::once(&type_name)
            .chain(written)
            .find_map(|of| self.heritage.impls_outside.get(of))?;
        let own = blocks
            .iter()
            .filter(|&&block| !self.is_one_of_many(block))
            .find_map(|&block| self.best_member(self.program.symbols_in(block, name)));
        let of_trait = || {
            let mut traits = blocks.iter().flat_map(|&block| self.heritage.supers(block));
            traits.find_map(|&t| self.best_member(self.program.symbols_in(t, name)))
        };
        own.or_else(of_trait).map(Def::Node)
    }

    /// Whether a block implements, for an external type, an external trait with arguments: `From<Name>` for `String` is
    /// one of many, and the others are not seen.
    fn is_one_of_many(&self, block: NodeId) -> bool {
        self.heritage.supers(block).is_empty()
            && self.program.symbol(block).is_some_and(|symbol| {
                symbol
                    .rare
                    .bases
                    .iter()
                    .any(|base| base.name.ends_with('>'))
            })
    }

    /// The type that `Self`, `self` or `this` means in a scope.
    pub fn self_type(&self, scope: NodeId) -> Option<Def> {
        let around = self.program.enclosing_type(scope);
        match around {
            Some(node) if self.program.kind(node) == Some(SymbolKind::Impl) => {
                self.heritage.impl_target(node)
            }
            // A class that is opened in several places is the first of them.
            Some(node) => Some(self.heritage.impl_target(node).unwrap_or(Def::Node(node))),
            // Methods written outside of their type.
            None => self
                .program
                .scopes(scope)
                .find_map(|node| self.heritage.owner_of(node))
                .map(Def::Node),
        }
    }
}
