//! Java: methods have names of their own, beside variables and fields; types may be written with their package.

use syntax::facts::{Chain, Head, Step, Symbol};

use crate::program::{Def, Family, NodeId, is_function, is_type_scope};
use crate::resolver::{Resolver, Space};
use crate::types::{Ty, Value};
use graph::Reason;

/// Maximum number of supertypes that are searched for an overload.
const MAX_SUPERTYPES: usize = 200;

impl Resolver<'_, '_> {
    /// The method that a bare call means: `String id = id();` calls the method, whatever variables there are.
    pub(crate) fn java_method(
        &mut self,
        scope: NodeId,
        at: u32,
        name: &str,
    ) -> Option<(Def, Reason)> {
        let program = self.program;
        let interned = program.names.get(name)?;
        let is_method = |node: NodeId| program.kind(node).is_some_and(is_function);
        for node in program.scopes(scope) {
            let found = match program.kind(node) {
                None => {
                    let found = self.lookup_in_file(
                        program.file_of(node),
                        at,
                        name,
                        Some(interned),
                        Space::Value,
                    );
                    return found
                        .filter(|(def, _)| matches!(def, Def::Node(node) if is_method(*node)));
                }
                Some(kind) if is_type_scope(kind) => self.type_member_for(node, interned, true),
                // Constants of an enum have methods of their own, too.
                Some(_) => self
                    .best_symbol_at(node, interned, Space::Value, at)
                    .map(|node| (Def::Node(node), false)),
            };
            match found {
                Some((Def::Node(found), is_inherited)) if is_method(found) => {
                    let reason = match (is_method(node), is_inherited) {
                        (true, _) => Reason::LexicalScope,
                        (false, true) => Reason::Inherited,
                        (false, false) => Reason::SelfType,
                    };
                    return Some((Def::Node(found), reason));
                }
                _ => {}
            }
        }
        None
    }

    /// A chain that begins with a package, `org.acme.Tool.make()`: the type, and how many steps lead to it.
    pub(crate) fn java_qualified(&mut self, chain: &Chain<'_>) -> Option<(Value, usize)> {
        let Head::Name(head) = chain.head else {
            return None;
        };
        let mut package = self.modules.packages.find(Family::Java, head);
        let mut path = head.to_owned();
        let mut found = package.map(|package| (Def::Package(package), 0));
        for (index, step) in chain.steps.iter().enumerate() {
            let Step::Member(name) = step else { break };
            path.push('.');
            path.push_str(name);
            package = self.modules.packages.find(Family::Java, &path);
            if let Some(package) = package {
                found = Some((Def::Package(package), index + 1));
            } else if let Some((Def::Package(outer), used)) = found
                && used == index
            {
                let interned = self.program.names.get(name);
                let member = self.package_member(outer, name, interned, Space::Type)?;
                found = Some((member.def, index + 1));
                break;
            }
        }
        let (def, used) = found?;
        let value = Value {
            ty: Ty::Def(def),
            reason: Reason::TypeMember,
        };
        Some((value, used))
    }

    /// A type that is written with its package: `org.acme.Tool`, `org.acme.Tool.Part`.
    pub(crate) fn java_qualified_type(&mut self, segments: &[&str]) -> Option<(Def, Reason)> {
        let (head, rest) = segments.split_first()?;
        let steps = rest.iter().map(|name| Step::Member(name)).collect();
        let chain = Chain {
            head: Head::Name(head),
            steps,
        };
        let (value, used) = self.java_qualified(&chain)?;
        let Ty::Def(mut def) = value.ty else {
            return None;
        };
        for name in rest.get(used..)? {
            def = self.module_member(def, name, Space::Type)?.def;
        }
        matches!(def, Def::Node(_)).then_some((def, Reason::Path))
    }

    /// The overload for `n_arguments` arguments where no method of the type itself has as many parameters: one that
    /// takes any number, or one of a supertype.
    pub(crate) fn java_overload(
        &self,
        target: NodeId,
        scope: NodeId,
        n_arguments: usize,
    ) -> NodeId {
        let program = self.program;
        let takes_any = |symbol: &Symbol| takes_any_number(symbol, n_arguments);
        let mut own = program
            .name(target)
            .into_iter()
            .flat_map(|name| program.symbols_in(scope, name));
        own.find(|&other| program.symbol(other).is_some_and(takes_any))
            .or_else(|| self.overload_above(target, |other| other.parameters.len() == n_arguments))
            .or_else(|| self.overload_above(target, takes_any))
            .unwrap_or(target)
    }

    /// Of the methods of a name that supertypes have, the nearest that fits.
    fn overload_above(&self, method: NodeId, fits: impl Fn(&Symbol) -> bool) -> Option<NodeId> {
        let program = self.program;
        let name = program.name(method)?;
        let mut seen = vec![program.parent(method)?];
        let mut next = 0;
        while let Some(&current) = seen.get(next) {
            let mut named = program.symbols_in(current, name);
            let found = named.find(|&other| {
                program
                    .symbol(other)
                    .is_some_and(|other| is_function(other.kind) && fits(other))
            });
            if found.is_some() {
                return found;
            }
            next += 1;
            for &above in self.heritage.supers(current) {
                if !seen.contains(&above) && seen.len() < MAX_SUPERTYPES {
                    seen.push(above);
                }
            }
        }
        None
    }
}

/// Whether a method takes `n_arguments` arguments because its last parameter takes any number.
fn takes_any_number(symbol: &Symbol, n_arguments: usize) -> bool {
    symbol
        .parameters
        .last()
        .is_some_and(|last| last.type_text.ends_with("..."))
        && n_arguments + 1 >= symbol.parameters.len()
}
