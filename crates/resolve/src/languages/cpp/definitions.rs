//! C and C++: finds the definition of a declaration, wherever the linker would find it, and the only type of a name.

use syntax::facts::{Modifiers, Symbol};

use super::MAX_NAMESAKES;
use crate::modules::folder_of;
use crate::program::{Def, Family, FileId, NodeId, is_declaration, is_function, is_type_scope};
use crate::resolver::Resolver;
use graph::Reason;
use syntax::facts::SymbolKind;

impl Resolver<'_, '_> {
    /// The only type of a name. Types within types are left out: a bare name elsewhere cannot mean them.
    pub(crate) fn unique_outer_type(&self, name: &str) -> Option<(Def, Reason)> {
        let around = |node| {
            self.program
                .parent(node)
                .and_then(|around| self.program.kind(around))
        };
        self.unique_type_where(name, |node| !around(node).is_some_and(is_type_scope))
    }

    /// The only type of a name that fits.
    pub(crate) fn unique_type_where(
        &self,
        name: &str,
        fits: impl Fn(NodeId) -> bool,
    ) -> Option<(Def, Reason)> {
        let name = self.program.names.get(name)?;
        let mut found = self.program.named(name).filter(|&node| {
            self.program.kind(node).is_some_and(is_type_scope)
                && self.program.kind(node) != Some(SymbolKind::Impl)
                && self.program.family_of(node) == Family::C
                && fits(node)
        });
        let only = found.next()?;
        // A forward declaration and its definition are one type.
        let rest_are_declarations =
            found.all(|other| self.program.symbol(other).is_some_and(is_declaration));
        rest_are_declarations.then_some((Def::Node(only), Reason::UniqueName))
    }

    /// The definition of a declaration, as the linker would find it for a use in `file`.
    pub(crate) fn definition_of(&mut self, node: NodeId, file: FileId) -> NodeId {
        let program = self.program;
        let Some(symbol) = program.symbol(node) else {
            return node;
        };
        if !is_declaration(symbol) || !is_function(symbol.kind) {
            return node;
        }
        let key = (file, node);
        if let Some(&found) = self.included.definitions.get(&key) {
            return found;
        }
        let found = self.definition_uncached(node, symbol, file).unwrap_or(node);
        self.included.definitions.insert(key, found);
        found
    }

    fn definition_uncached(&self, node: NodeId, declared: &Symbol, file: FileId) -> Option<NodeId> {
        let program = self.program;
        let around = program.parent(node)?;
        let name = program.name(node)?;
        let package = self.modules.packages.of_scope(around);
        let is_body = |other: &NodeId| {
            let Some(symbol) = program.symbol(*other) else {
                return false;
            };
            let belongs = match package {
                Some(package) => {
                    symbol.rare.owner.is_empty()
                        && program
                            .parent(*other)
                            .and_then(|around| self.modules.packages.of_scope(around))
                            == Some(package)
                        && (symbol.is(Modifiers::EXPORTED)
                            || program.file_of(*other) == program.file_of(node))
                }
                None => self.heritage.owner_of(*other) == Some(around),
            };
            belongs
                && is_function(symbol.kind)
                && !is_declaration(symbol)
                && program.family_of(*other) == Family::C
        };
        let mut bodies: Vec<NodeId> = program
            .named(name)
            .take(MAX_NAMESAKES)
            .filter(is_body)
            .collect();
        // Of several overloads the one with the same parameters.
        for same in [same_types, same_number] {
            let alike = |other: &NodeId| {
                program
                    .symbol(*other)
                    .is_some_and(|other| same(other, declared))
            };
            if bodies.iter().any(alike) {
                bodies.retain(alike);
                break;
            }
        }
        // Of several programs or platforms: the definition nearest to the use, then to the declaration.
        let from = folder_of(program.path(file));
        let header = folder_of(program.path(program.file_of(node)));
        let rank = |other: NodeId| {
            let path = program.path(program.file_of(other));
            (
                !program.is_left_out(other),
                shared_folders(from, path),
                !is_other_platform(path),
                !is_variant(path),
                shared_folders(header, path),
            )
        };
        let best = bodies.iter().copied().map(rank).max()?;
        bodies.retain(|&other| rank(other) == best);
        let first = *bodies.first()?;
        let is_one_file = bodies
            .iter()
            .all(|&other| program.file_of(other) == program.file_of(first));
        is_one_file.then_some(first)
    }
}

fn same_types(a: &Symbol, b: &Symbol) -> bool {
    let types = |symbol: &Symbol| -> Vec<String> {
        let of = symbol.parameters.iter();
        of.map(|one| one.type_text.split_whitespace().collect())
            .collect()
    };
    same_number(a, b) && types(a) == types(b)
}

fn same_number(a: &Symbol, b: &Symbol) -> bool {
    a.parameters.len() == b.parameters.len()
}

fn shared_folders(folder: &str, path: &str) -> usize {
    let parts = folder.split('/').zip(path.split('/'));
    parts.take_while(|(a, b)| a == b && !a.is_empty()).count()
}

/// Whether a path says that it is for Windows alone. Where a name has a definition for each platform, a use in code for
/// all platforms resolves to that for POSIX.
fn is_other_platform(path: &str) -> bool {
    words(path).any(|word| {
        matches!(
            word,
            "win" | "win32" | "win64" | "windows" | "msvc" | "mingw"
        )
    })
}

/// Whether a path is for one of the rarer platforms.
fn is_variant(path: &str) -> bool {
    words(path).any(|word| {
        matches!(
            word,
            "aix"
                | "android"
                | "bsd"
                | "cygwin"
                | "darwin"
                | "emscripten"
                | "freebsd"
                | "haiku"
                | "hurd"
                | "ibmi"
                | "ios"
                | "mac"
                | "macos"
                | "netbsd"
                | "openbsd"
                | "os390"
                | "osx"
                | "qnx"
                | "solaris"
                | "sunos"
                | "wasi"
                | "wasm"
        )
    })
}

fn words(path: &str) -> impl Iterator<Item = &str> {
    path.split(|c: char| !c.is_ascii_alphanumeric())
}
