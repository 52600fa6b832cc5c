//! C and C++: names that stand in other files. A file sees what it includes, at any depth; namespaces go on from file to
//! file; what is only declared stands for its definition, wherever the linker would find that.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use syntax::facts::{Import, ImportFlags, Modifiers, Symbol, SymbolKind};

use super::family::Family;
use super::follow::{Found, Resolver, Space};
use super::modules::folder_of;
use super::names::Name;
use super::program::{Def, is_declaration, is_function, is_type_scope};
use super::scope::fit;
use graph::Reason;

/// What is known of includes.
#[derive(Default)]
pub(crate) struct Included {
    trees: FxHashMap<u32, Rc<Includes>>,
    /// By file, namespace, name and space.
    names: FxHashMap<Question, Option<(Def, Reason)>>,
    /// By file and declaration.
    definitions: FxHashMap<(u32, u32), u32>,
}

/// A file, a namespace, a name and what is wanted.
type Question = (u32, u32, Name, Space);

/// The files that a file includes, directly or not, each with its place in order: nearest first.
type Includes = FxHashMap<u32, u32>;

/// More included files than any real tree of headers has; ends a runaway one.
const MAX_INCLUDES: usize = 2_000;

/// More definitions of one name are not compared.
const MAX_NAMESAKES: usize = 500;

/// Whether an import is `using namespace a::b`, not an include.
pub(crate) fn is_using(import: &Import) -> bool {
    import.is(ImportFlags::GLOB)
        && !import.is(ImportFlags::SYSTEM)
        && !import.module.contains(['.', '/'])
}

impl Resolver<'_, '_> {
    /// A name that stands outside of all namespaces in an included file.
    pub(super) fn included(
        &mut self,
        file: u32,
        name: Name,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let package = self.modules.packages.of_scope(file)?;
        self.visible_member(file, package, name, space)
    }

    /// A name of the namespace that a block is a part of, from wherever the block's file includes it.
    pub(super) fn cpp_namespace(
        &mut self,
        block: u32,
        name: Name,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let package = self.modules.packages.of_scope(block)?;
        let file = self.program.file_of(block);
        // `namespace a::b {` stands in a, too.
        let mut outer = Some(package);
        let end = self
            .program
            .parent(block)
            .and_then(|around| self.modules.packages.of_scope(around));
        while let Some(package) = outer.filter(|_| outer != end) {
            if let Some(found) = self.visible_member(file, package, name, space) {
                return Some(found);
            }
            outer = self.modules.packages.outer(package);
        }
        None
    }

    /// A name of the namespaces that a scope opens by `using namespace`.
    pub(super) fn used_namespace(
        &mut self,
        scope: u32,
        name: Option<Name>,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let file = self.program.file_of(scope);
        let program = self.program;
        program.globs(scope).find_map(|index| {
            let import = program
                .import(file, index)
                .filter(|import| is_using(import))?;
            let package = self.cpp_package(scope, &import.module)?;
            self.visible_member(file, package, name?, space)
        })
    }

    /// A member of the type that a function belongs to, where that is written before its name: `void Type::f()`.
    pub(super) fn lookup_in_owner(
        &mut self,
        function: u32,
        name: Name,
        family: Family,
        space: Space,
    ) -> Option<(Def, Reason)> {
        if family != Family::C {
            return None;
        }
        let owner = self.heritage.owner_of(function)?;
        let program = self.program;
        let around = program.scopes(owner);
        let mut types = around.take_while(|&node| program.kind(node).is_some_and(is_type_scope));
        types.find_map(|node| self.lookup_in_type(node, Some(name), family, false, space))
    }

    /// The namespace or type that a written qualifier means: `a::b` of `using a::b::f;`.
    pub(super) fn cpp_qualifier(&mut self, scope: u32, text: &str) -> Option<Def> {
        if let Some(package) = self.cpp_package(scope, text) {
            return Some(Def::Package(package));
        }
        let mut parts = text.split("::").filter(|part| !part.is_empty());
        let (first, _) = self.lookup(scope, u32::MAX, parts.next()?, Space::Type)?;
        parts.try_fold(first, |def, part| {
            self.module_member(def, part, Space::Type)
                .map(|found| found.def)
        })
    }

    /// The namespace of a written name, as seen from a scope: within one of those around it.
    fn cpp_package(&self, scope: u32, text: &str) -> Option<u32> {
        let packages = &self.modules.packages;
        let blocks = self.program.scopes(scope);
        let mut around = blocks.filter_map(|node| packages.of_scope(node)).next();
        while let Some(package) = around {
            if let Some(found) = packages.inside(package, text.trim_start_matches("::")) {
                return Some(found);
            }
            around = packages.outer(package);
        }
        None
    }

    /// One block of a namespace stands for all.
    pub(super) fn whole_namespace(&self, def: Def) -> Def {
        match def {
            Def::Node(node)
                if self.program.kind(node) == Some(SymbolKind::Module)
                    && self.program.family_of(node) == Family::C =>
            {
                self.modules
                    .packages
                    .of_scope(node)
                    .map_or(def, Def::Package)
            }
            def => def,
        }
    }

    /// The block of a namespace that a use in a file is shown as: one of the same file, else the first.
    pub(super) fn part_in(&self, file: u32, package: u32) -> Option<u32> {
        if self.modules.packages.family(package) != Some(Family::C) {
            return None;
        }
        let blocks = self.modules.packages.scopes(package);
        let own = blocks
            .iter()
            .find(|&&block| self.program.file_of(block) == file);
        own.or_else(|| blocks.first())
            .copied()
            .filter(|&block| !self.program.is_file(block))
    }

    /// What a namespace holds under a name, wherever that is asked.
    pub(super) fn cpp_package_member(
        &mut self,
        package: u32,
        name: Name,
        space: Space,
    ) -> Option<Found> {
        let best = self
            .namespace_members(package, name, space)
            .into_iter()
            .max_by_key(|one| {
                (
                    !one.is_test,
                    one.fit,
                    one.is_definition,
                    std::cmp::Reverse(one.node),
                )
            })?;
        Some(Found::new(self.whole_namespace(Def::Node(best.node))))
    }

    /// What a namespace holds under a name, as seen from a file.
    fn visible_member(
        &mut self,
        file: u32,
        package: u32,
        name: Name,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let key = (file, package, name, space);
        if let Some(found) = self.included.names.get(&key) {
            return *found;
        }
        let found = self.visible_member_uncached(file, package, name, space);
        let found = found.map(|(node, reason)| (self.whole_namespace(Def::Node(node)), reason));
        self.included.names.insert(key, found);
        found
    }

    fn visible_member_uncached(
        &mut self,
        file: u32,
        package: u32,
        name: Name,
        space: Space,
    ) -> Option<(u32, Reason)> {
        let members = self.namespace_members(package, name, space);
        if members.is_empty() {
            return None;
        }
        let includes = self.includes(file);
        let place = |node: u32| {
            let of = self.program.file_of(node);
            if of == file {
                Some(0)
            } else {
                includes.get(&of).map(|place| place + 1)
            }
        };
        let visible = members
            .iter()
            .filter_map(|one| place(one.node).map(|place| (one, place)));
        let best = visible.max_by_key(|(one, place)| {
            // Of macros the last definition holds.
            let order = if one.is_macro {
                i64::from(*place)
            } else {
                -i64::from(*place)
            };
            (
                one.fit,
                one.is_definition,
                order,
                std::cmp::Reverse(one.node),
            )
        });
        if let Some((one, _)) = best {
            return Some((one.node, Reason::GlobImport));
        }
        // Parts of a namespace that reach the file by a way that is not written, such as a generated header.
        let is_named = self.modules.packages.outer(package).is_some();
        let is_test = self.program.is_test[file as usize];
        let mut others = members
            .iter()
            .filter(|one| one.is_shared && (is_test || !one.is_test));
        match (others.next(), others.next()) {
            (Some(only), None) if is_named => Some((only.node, Reason::UniqueName)),
            _ => None,
        }
    }

    /// All that stands directly in a namespace under a name and fits, in order.
    fn namespace_members(&self, package: u32, name: Name, space: Space) -> Vec<Member> {
        let program = self.program;
        let member = |node: u32| {
            let symbol = program.symbol(node)?;
            let fit = fit(symbol.kind, space, Family::C)?;
            let mut around = program.parent(node)?;
            if symbol.kind == SymbolKind::Variant {
                around = program.parent(around)?;
            }
            let is_member = self.modules.packages.of_scope(around) == Some(package)
                && symbol.owner.is_empty()
                && !symbol.is(Modifiers::ANONYMOUS);
            is_member.then(|| Member {
                node,
                fit,
                is_definition: !is_declaration(symbol),
                is_macro: matches!(symbol.kind, SymbolKind::Macro),
                is_shared: symbol.is(Modifiers::EXPORTED),
                is_test: program.is_test[program.file_of(node) as usize],
            })
        };
        program
            .named(name)
            .take(MAX_NAMESAKES)
            .filter(|&node| program.family_of(node) == Family::C)
            .filter_map(member)
            .collect()
    }

    /// The files that a file includes, nearest first.
    fn includes(&mut self, file: u32) -> Rc<Includes> {
        if let Some(tree) = self.included.trees.get(&file) {
            return Rc::clone(tree);
        }
        let mut order = vec![file];
        let mut places = Includes::default();
        places.insert(file, 0);
        let mut next = 0;
        while let Some(&current) = order.get(next).filter(|_| order.len() <= MAX_INCLUDES) {
            next += 1;
            for import in &self.program.facts(current).imports {
                if !import.is(ImportFlags::GLOB) || is_using(import) {
                    continue;
                }
                if let Some(Def::Node(included)) = self.module_of(current, import) {
                    let place = order.len() as u32;
                    if let std::collections::hash_map::Entry::Vacant(entry) = places.entry(included)
                    {
                        entry.insert(place);
                        order.push(included);
                    }
                }
            }
        }
        places.remove(&file);
        let tree = Rc::new(places);
        self.included.trees.insert(file, Rc::clone(&tree));
        tree
    }

    /// For what is only declared: its definition, as the linker would find it for a use in `file`.
    pub(super) fn definition_of(&mut self, node: u32, file: u32) -> u32 {
        let program = self.program;
        let Some(symbol) = program.symbol(node) else {
            return node;
        };
        if !is_declaration(symbol)
            || !is_function(symbol.kind)
            || program.family_of(node) != Family::C
        {
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

    fn definition_uncached(&self, node: u32, declared: &Symbol, file: u32) -> Option<u32> {
        let program = self.program;
        let around = program.parent(node)?;
        let name = program.name(node)?;
        let package = self.modules.packages.of_scope(around);
        let is_body = |other: &u32| {
            let Some(symbol) = program.symbol(*other) else {
                return false;
            };
            let belongs = match package {
                Some(package) => {
                    symbol.owner.is_empty()
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
        let mut bodies: Vec<u32> = program
            .named(name)
            .take(MAX_NAMESAKES)
            .filter(is_body)
            .collect();
        // Of overloads the one with the same parameters.
        for same in [same_types, same_number] {
            let alike = |other: &u32| {
                program
                    .symbol(*other)
                    .is_some_and(|other| same(other, declared))
            };
            if bodies.iter().any(alike) {
                bodies.retain(alike);
                break;
            }
        }
        // Of several programs or platforms: what lies nearest to the use, then to the declaration.
        let from = folder_of(program.path(file));
        let header = folder_of(program.path(program.file_of(node)));
        let rank = |other: u32| {
            let path = program.path(program.file_of(other));
            (
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

/// A name of a namespace, and what speaks for it.
struct Member {
    node: u32,
    fit: u8,
    is_definition: bool,
    is_macro: bool,
    is_shared: bool,
    is_test: bool,
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

/// Whether a path says that it is for Windows alone. Where a name has one definition for each platform, a use that is for
/// all of them is shown that of POSIX.
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
