//! C and C++: names from other files. A file sees the names of the files it includes, at any depth; a namespace spans
//! files; a declaration resolves to its definition, wherever the linker would find that.

mod definitions;

use std::rc::Rc;

use syntax::facts::{Import, ImportFlags, Modifiers, SymbolKind};

use crate::program::{Def, Family, FileId, Name, NodeId, PackageId, is_declaration, is_type_scope};
use crate::resolver::{Flags, Found, Includes, LanguageRules, Member, Resolver, Space, Use, fit};
use graph::Reason;

/// Maximum number of included files: more than any real tree of headers has.
const MAX_INCLUDES: usize = 2_000;

/// Maximum number of definitions of one name that are compared.
const MAX_NAMESAKES: usize = 500;

/// Whether an import is `using namespace a::b`, not an include.
pub(crate) fn is_using(import: &Import) -> bool {
    import.is(ImportFlags::GLOB)
        && !import.is(ImportFlags::SYSTEM)
        && !import.module.contains(['.', '/'])
}

/// The rules of C and C++.
pub(crate) struct Cpp;

const FLAGS: Flags = Flags {
    selves: &["this"],
    has_implicit_this: true,
    macros_are_values: true,
    has_unseen_names: true,
    paths_start_at_top: true,
    has_overloads: true,
    ..Flags::COMMON
};

impl LanguageRules for Cpp {
    fn flags(&self) -> &'static Flags {
        &FLAGS
    }

    fn lookup_in_local_imports(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        _name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Use> {
        r.used_namespace(scope, interned, space)
    }

    /// A member of the type in `void Type::f()`.
    fn lookup_in_owner(
        &self,
        r: &mut Resolver<'_, '_>,
        function: NodeId,
        name: Name,
        space: Space,
    ) -> Option<Use> {
        let owner = r.heritage.owner_of(function)?;
        let program = r.program;
        let around = program.scopes(owner);
        let mut types = around.take_while(|&node| program.kind(node).is_some_and(is_type_scope));
        types.find_map(|node| r.lookup_in_type(node, Some(name), false, space))
    }

    fn lookup_in_namespaces(
        &self,
        r: &mut Resolver<'_, '_>,
        module: NodeId,
        _name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Use> {
        r.cpp_namespace(module, interned?, space)
    }

    fn lookup_beyond_file(
        &self,
        r: &mut Resolver<'_, '_>,
        file: FileId,
        _at: u32,
        _name: &str,
        interned: Name,
        space: Space,
    ) -> Option<Use> {
        r.included(file, interned, space)
            .or_else(|| r.used_namespace(file.into(), Some(interned), space))
    }

    fn whole_namespace(&self, r: &Resolver<'_, '_>, node: NodeId) -> Def {
        let package = r.modules.packages.of_scope(node);
        package.map_or(Def::Node(node), Def::Package)
    }

    /// The block in the same file, else the first.
    fn part_in(&self, r: &Resolver<'_, '_>, file: FileId, package: PackageId) -> Option<NodeId> {
        let blocks = r.modules.packages.scopes(package);
        let own = blocks
            .iter()
            .find(|&&block| r.program.file_of(block) == file);
        own.or_else(|| blocks.first())
            .copied()
            .filter(|&block| !r.program.is_file(block))
    }

    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        let (tree, module) = (&r.modules.tree, import.module.as_str());
        if !import.is(ImportFlags::GLOB) || is_using(import) {
            return r.cpp_qualifier(r.scope_of_import(file, import), module);
        }
        let is_system = import.is(ImportFlags::SYSTEM);
        let path = r.program.path(file);
        let file = r
            .modules
            .includes
            .find(tree, r.program, path, module, is_system);
        file.map(Def::from)
            .or_else(|| is_system.then(|| r.externals.def(module)))
    }

    /// Includes are followed as a tree, nearest first.
    fn comes_by_glob(&self, _name: &str) -> bool {
        false
    }

    fn package_member(
        &self,
        r: &mut Resolver<'_, '_>,
        package: PackageId,
        _name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        r.cpp_package_member(package, interned?, space)
    }

    /// The only type of the name: headers reach a file by includes that are not in the source, such as generated ones.
    fn type_beyond_scopes(&self, r: &mut Resolver<'_, '_>, segments: &[&str]) -> Option<Use> {
        let last = segments.last().copied().unwrap_or_default();
        let outermost = (segments.len() < 2)
            .then(|| r.unique_outer_type(last))
            .flatten();
        outermost.or_else(|| r.unique_type_where(last, |_| true))
    }

    fn guesses_unique(&self, _space: Space) -> bool {
        true
    }

    fn definition_of(&self, r: &mut Resolver<'_, '_>, node: NodeId, file: FileId) -> NodeId {
        r.definition_of(node, file)
    }
}

impl Resolver<'_, '_> {
    /// A name of an included file that is outside all namespaces.
    pub(crate) fn included(
        &mut self,
        file: FileId,
        name: Name,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let package = self.modules.packages.of_scope(file.into())?;
        self.visible_member(file, package, name, space)
    }

    /// A name of the namespace that a block is a part of, from any file that the block's file includes.
    pub(crate) fn cpp_namespace(
        &mut self,
        block: NodeId,
        name: Name,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let package = self.modules.packages.of_scope(block)?;
        let file = self.program.file_of(block);
        // The block of `namespace a::b {` is within `a`, too.
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
    pub(crate) fn used_namespace(
        &mut self,
        scope: NodeId,
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

    /// The namespace or type that a written qualifier means: `a::b` of `using a::b::f;`.
    pub(crate) fn cpp_qualifier(&mut self, scope: NodeId, text: &str) -> Option<Def> {
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

    /// The namespace of a written name, within one of the namespaces around a scope.
    fn cpp_package(&self, scope: NodeId, text: &str) -> Option<PackageId> {
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

    /// Finds the member of a namespace under a name, from any file.
    pub(crate) fn cpp_package_member(
        &mut self,
        package: PackageId,
        name: Name,
        space: Space,
    ) -> Option<Found> {
        let members = self.namespace_members(package, name, space);
        let best = members.iter().max_by_key(|one| {
            (
                !one.is_test,
                one.fit,
                one.is_definition,
                std::cmp::Reverse(one.node),
            )
        })?;
        Some(Found::new(self.whole_namespace(Def::Node(best.node))))
    }

    /// Finds the member of a namespace under a name, as seen from a file.
    fn visible_member(
        &mut self,
        file: FileId,
        package: PackageId,
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
        file: FileId,
        package: PackageId,
        name: Name,
        space: Space,
    ) -> Option<(NodeId, Reason)> {
        let members = self.namespace_members(package, name, space);
        if members.is_empty() {
            return None;
        }
        let includes = self.includes(file);
        let place = |node: NodeId| {
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
            // The last definition of a macro counts.
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
        // Parts of a namespace that reach the file by an include that is not in the source, such as a generated header.
        let is_named = self.modules.packages.outer(package).is_some();
        let is_test = self.program.is_test(file);
        let mut others = members
            .iter()
            .filter(|one| one.is_shared && (is_test || !one.is_test));
        match (others.next(), others.next()) {
            (Some(only), None) if is_named => Some((only.node, Reason::UniqueName)),
            _ => None,
        }
    }

    /// The direct members of a namespace that have the name and fit the space, in order.
    fn namespace_members(&mut self, package: PackageId, name: Name, space: Space) -> Rc<[Member]> {
        let key = (package, name, space);
        if let Some(known) = self.included.members.get(&key) {
            return Rc::clone(known);
        }
        let program = self.program;
        let member = |node: NodeId| {
            let symbol = program.symbol(node)?;
            let fit = fit(symbol.kind, space, &FLAGS)?;
            let mut around = program.parent(node)?;
            if symbol.kind == SymbolKind::Variant {
                around = program.parent(around)?;
            }
            let is_member = self.modules.packages.of_scope(around) == Some(package)
                && symbol.rare.owner.is_empty()
                && !symbol.is(Modifiers::ANONYMOUS);
            is_member.then(|| Member {
                node,
                fit,
                is_definition: !is_declaration(symbol),
                is_macro: matches!(symbol.kind, SymbolKind::Macro),
                is_shared: symbol.is(Modifiers::EXPORTED),
                is_test: program.is_test(node),
            })
        };
        let named = program.named(name).take(MAX_NAMESAKES);
        let members = named.filter(|&node| program.family_of(node) == Family::C);
        let members: Rc<[Member]> = members.filter_map(member).collect();
        self.included.members.insert(key, Rc::clone(&members));
        members
    }

    /// The files that a file includes, nearest first.
    fn includes(&mut self, file: FileId) -> Rc<Includes> {
        if let Some(tree) = self.included.trees.get(&file) {
            return Rc::clone(tree);
        }
        let mut order = vec![file];
        let mut places = Includes::default();
        places.insert(file, 0);
        let mut next = 0;
        while let Some(&current) = order.get(next).filter(|_| order.len() <= MAX_INCLUDES) {
            next += 1;
            for &included in self.directly_included(current).iter() {
                let place = order.len() as u32;
                if let std::collections::hash_map::Entry::Vacant(entry) = places.entry(included) {
                    entry.insert(place);
                    order.push(included);
                }
            }
        }
        places.remove(&file);
        let tree = Rc::new(places);
        self.included.trees.insert(file, Rc::clone(&tree));
        tree
    }

    /// The files that a file names in its includes, in order. A header is in the trees of thousands of files.
    fn directly_included(&mut self, file: FileId) -> Rc<[FileId]> {
        if let Some(known) = self.included.direct.get(&file) {
            return Rc::clone(known);
        }
        let imports = self.program.facts(file).imports.iter();
        let includes = imports.filter(|import| import.is(ImportFlags::GLOB) && !is_using(import));
        let files = includes.filter_map(|import| match self.module_of(file, import)? {
            Def::Node(included) => self.program.as_file(included),
            _ => None,
        });
        let files: Rc<[FileId]> = files.collect();
        self.included.direct.insert(file, Rc::clone(&files));
        files
    }
}
