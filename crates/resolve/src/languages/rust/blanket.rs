//! Rust: members that blanket impls give, `impl<T: Bound> Trait for T`, to the types that have the bounds.
//!
//! Whether a type has a trait of another crate is known only from what the repository writes: impl blocks, derives, and
//! the bounds of a type parameter.

use rustc_hash::FxHashSet;
use syntax::facts::{Symbol, SymbolKind};

use crate::program::{Def, Name, NodeId, ParameterId, is_function};
use crate::resolver::Resolver;
use crate::types::Ty;

/// Maximum number of traits that are followed from one type.
const MAX_TRAITS: usize = 200;

/// Maximum number of blanket impls that are asked about one another's traits.
const MAX_DEPTH: usize = 3;

impl Resolver<'_, '_> {
    /// A method of a blanket impl whose bounds a type has, or of the trait of such an impl.
    pub(crate) fn blanket_member(&self, of: &Ty, name: Name) -> Option<Def> {
        let mut traits = None;
        for &block in &self.heritage.blanket_impls {
            let own = self.best_member(self.program.symbols_in(block, name));
            let of_trait = || {
                self.heritage
                    .supers(block)
                    .iter()
                    .find_map(|&t| self.best_member(self.program.symbols_in(t, name)))
            };
            let Some(member) = own.or_else(of_trait) else {
                continue;
            };
            let traits = traits.get_or_insert_with(|| self.traits_of(of));
            if self.has_bounds(block, traits, MAX_DEPTH) {
                return Some(Def::Node(member));
            }
        }
        None
    }

    /// Whether an external type may have the bounds of a blanket impl: those of functions only if it is one, those of
    /// the repository's traits never.
    pub(crate) fn fits_outside(&self, block: NodeId, of: &Ty) -> bool {
        let is_function = matches!(of, Ty::Function(..));
        let is_own = |bound: &str| {
            let named = self.program.names.get(bound);
            let mut all = named.into_iter().flat_map(|name| self.program.named(name));
            all.any(|node| self.program.kind(node) == Some(SymbolKind::Trait))
        };
        self.program.symbol(block).is_some_and(|symbol| {
            bounds(symbol, &symbol.name).all(|bound| {
                is_everywhere(bound) || is_function == is_of_functions(bound) && !is_own(bound)
            })
        })
    }

    /// Whether a type with these traits has the bounds of a blanket impl.
    fn has_bounds(&self, block: NodeId, traits: &FxHashSet<&str>, depth: usize) -> bool {
        let Some(symbol) = self.program.symbol(block) else {
            return false;
        };
        bounds(symbol, &symbol.name).all(|bound| {
            is_everywhere(bound)
                || traits.contains(bound)
                || depth > 0 && self.gives(bound, traits, depth - 1)
        })
    }

    /// Whether a blanket impl gives a trait to a type with these traits.
    fn gives(&self, wanted: &str, traits: &FxHashSet<&str>, depth: usize) -> bool {
        self.heritage.blanket_impls.iter().any(|&block| {
            let gives = self.program.symbol(block).is_some_and(|symbol| {
                symbol
                    .rare
                    .bases
                    .iter()
                    .any(|base| last(&base.name) == wanted)
            });
            gives && self.has_bounds(block, traits, depth)
        })
    }

    /// Names of the traits of a type, as far as the repository says: of its impl blocks, derives and bounds, and those
    /// above them.
    fn traits_of(&self, ty: &Ty) -> FxHashSet<&str> {
        let mut found = FxHashSet::default();
        let mut pending: Vec<NodeId> = Vec::new();
        match ty {
            Ty::Instance(node, _) if self.program.kind(*node).is_some_and(is_function) => {
                found.extend(["Fn", "FnMut", "FnOnce"]);
            }
            Ty::Instance(node, _) => pending.push(*node),
            Ty::Function(..) => found.extend(["Fn", "FnMut", "FnOnce"]),
            Ty::Param(node, index) => {
                for bound in self.bounds_of_parameter(*node, *index) {
                    found.insert(bound);
                    let named = self.program.names.get(bound);
                    pending.extend(named.into_iter().flat_map(|name| self.program.named(name)));
                }
            }
            _ => {}
        }
        let mut next = 0;
        while let Some(&node) = pending.get(next).filter(|_| next < MAX_TRAITS) {
            next += 1;
            let blocks = self.heritage.impls_of(node).iter().copied();
            for symbol in std::iter::once(node)
                .chain(blocks)
                .filter_map(|node| self.program.symbol(node))
            {
                found.extend(symbol.rare.bases.iter().map(|base| last(&base.name)));
                found.extend(derived(symbol));
            }
            for &above in self.heritage.supers(node) {
                if !pending.contains(&above) {
                    pending.push(above);
                }
            }
        }
        found
    }

    /// Names of the traits that a type parameter is bound by, in its own list and around it.
    fn bounds_of_parameter(&self, node: NodeId, index: ParameterId) -> Vec<&str> {
        let parameter = self
            .program
            .symbol(node)
            .and_then(|symbol| symbol.rare.type_parameters.get(index.index()));
        let Some(parameter) = parameter else {
            return Vec::new();
        };
        let scopes = self.program.scopes(node);
        scopes
            .filter_map(|scope| self.program.symbol(scope))
            .flat_map(|symbol| bounds(symbol, &parameter.name))
            .collect()
    }
}

/// Last names of the traits that a symbol binds a type parameter by.
fn bounds<'s>(symbol: &'s Symbol, parameter: &str) -> impl Iterator<Item = &'s str> {
    let written = symbol
        .rare
        .type_parameters
        .iter()
        .filter(move |one| one.name == parameter);
    written
        .flat_map(|one| at_top(&one.type_text, '+'))
        .map(last)
        .filter(|bound| !bound.is_empty())
}

/// Names of derived traits.
fn derived(symbol: &Symbol) -> impl Iterator<Item = &str> {
    let lists = symbol
        .rare
        .decorators
        .iter()
        .filter_map(|text| text.strip_prefix("derive(")?.strip_suffix(')'));
    lists.flat_map(|list| list.split(',')).map(last)
}

/// The last part of a path, without arguments: `Fn` of `std::ops::Fn(u32) -> u32`.
fn last(path: &str) -> &str {
    let path = path.trim().trim_start_matches("?Sized");
    let end = path.find(['<', '(']).unwrap_or(path.len());
    let path = path.get(..end).unwrap_or(path).trim_end();
    path.rsplit("::").next().unwrap_or(path).trim()
}

/// Pieces of a text between separators outside of brackets.
fn at_top(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    text.split(move |c| {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == separator && depth == 0
    })
}

/// Returns whether only functions have a trait.
fn is_of_functions(bound: &str) -> bool {
    matches!(
        bound,
        "Fn" | "FnMut" | "FnOnce" | "AsyncFn" | "AsyncFnMut" | "AsyncFnOnce"
    )
}

/// Traits that nearly every type has, and lifetimes.
fn is_everywhere(bound: &str) -> bool {
    bound.starts_with('\'')
        || matches!(
            bound,
            "Sized" | "Send" | "Sync" | "Unpin" | "Clone" | "Debug" | "Any" | "UnwindSafe"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read_by_their_last_names() {
        assert_eq!(last("std::ops::Fn(u32) -> u32"), "Fn");
        assert_eq!(last(" tower::Service<Request<B>>"), "Service");
        let parts: Vec<&str> = at_top("Into<A + B> + Send + 'static", '+').collect();
        assert_eq!(parts, ["Into<A + B> ", " Send ", " 'static"]);
    }
}
