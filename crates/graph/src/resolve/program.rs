//! All files as one program: who declares which name in which scope.

use rustc_hash::FxHashMap;
use syntax::facts::{Binding, FileFacts, Import, Modifiers, Parameter, Symbol, SymbolKind};

use super::family::{Family, is_test_path};
use super::names::{Name, Names};
use crate::layout::Layout;

/// What a name can stand for. Numbers of bindings and imports count within their file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Def {
    /// A file (as a module) or a symbol.
    Node(u32),
    /// A folder as a package: its node, or none for the root.
    Folder(u32),
    /// A package by its declared name.
    Package(u32),
    /// A package outside the repository.
    External(u32),
    /// A parameter of a function.
    Param(u32, u32),
    /// A variable or field of which a file says something.
    Binding(u32, u32),
    /// A type parameter.
    TypeParam(u32, u32),
}

/// One name in one scope, before imports are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Decl {
    Symbol(u32),
    Import(u32),
    Param(u32),
    TypeParam(u32),
    Binding(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DeclEntry {
    pub scope: u32,
    pub name: Name,
    pub decl: Decl,
}

/// Tables over all files. Scopes are nodes: a file or a symbol.
pub(crate) struct Program<'a> {
    pub layout: &'a Layout<'a>,
    pub names: Names<'a>,
    pub family: Vec<Family>,
    pub is_test: Vec<bool>,
    pub file_by_path: FxHashMap<&'a str, u32>,
    symbols: Vec<(u32, &'a Symbol)>,
    symbol_names: Vec<Name>,
    /// Sorted by scope, name, then kind and number.
    decls: Vec<DeclEntry>,
    /// First declaration of each node as a scope, and one past the last: most scopes declare little.
    scope_offsets: Vec<u32>,
    /// Sorted by name, then node.
    by_name: Vec<(Name, u32)>,
    /// Parameters with a written type, by name: function and index.
    typed_parameters: FxHashMap<Name, Vec<(u32, u32)>>,
    /// Imports that bring in all names of a module, by the scope they stand in; sorted.
    globs: Vec<(u32, u32)>,
}

impl<'a> Program<'a> {
    pub fn new(layout: &'a Layout<'a>) -> Self {
        let mut names = Names::default();
        let symbols: Vec<(u32, &Symbol)> = layout.symbols().collect();
        let symbol_names: Vec<Name> = symbols
            .iter()
            .map(|(_, symbol)| names.intern(&symbol.name))
            .collect();
        let mut by_name: Vec<(Name, u32)> = symbol_names
            .iter()
            .copied()
            .zip(layout.first_symbol()..)
            .collect();
        by_name.sort_unstable();
        let mut program = Program {
            layout,
            names,
            family: layout
                .files
                .iter()
                .map(|file| Family::of(file.facts.language))
                .collect(),
            is_test: layout
                .files
                .iter()
                .map(|file| is_test_path(file.path))
                .collect(),
            file_by_path: layout
                .files
                .iter()
                .enumerate()
                .map(|(n, file)| (file.path, n as u32))
                .collect(),
            symbols,
            symbol_names,
            decls: Vec::new(),
            scope_offsets: Vec::new(),
            by_name,
            globs: Vec::new(),
            typed_parameters: FxHashMap::default(),
        };
        for file in 0..layout.files.len() as u32 {
            program.declare_file(file);
        }
        program.decls.sort_unstable();
        program.scope_offsets = scope_offsets(&program.decls, layout.end() as usize);
        program.globs.sort_unstable();
        program
    }

    fn declare_file(&mut self, file: u32) {
        let facts = self.facts(file);
        for (local, symbol) in facts.symbols.iter().enumerate() {
            let node = self.layout.node(file, local as u32);
            let scope = self.declaring_scope(file, symbol.parent);
            let name = self.symbol_names[(node - self.layout.first_symbol()) as usize];
            self.decls.push(DeclEntry {
                scope,
                name,
                decl: Decl::Symbol(node),
            });
            if let Some(scope) = self.scope_around_enum(file, symbol) {
                let decl = Decl::Symbol(node);
                self.decls.push(DeclEntry { scope, name, decl });
            }
            self.declare_parameters(node, &symbol.parameters, Decl::Param);
            for (index, parameter) in symbol
                .parameters
                .iter()
                .enumerate()
                .filter(|(_, p)| !p.type_text.is_empty())
            {
                let name = self.names.intern(&parameter.name);
                self.typed_parameters
                    .entry(name)
                    .or_default()
                    .push((node, index as u32));
            }
            self.declare_parameters(node, &symbol.type_parameters, Decl::TypeParam);
        }
        for (index, import) in facts.imports.iter().enumerate() {
            let scope = import
                .enclosing
                .map_or(file, |local| self.layout.node(file, local));
            if is_glob(import) {
                self.globs.push((scope, index as u32));
            } else if !import.local.is_empty() {
                let name = self.names.intern(&import.local);
                self.decls.push(DeclEntry {
                    scope,
                    name,
                    decl: Decl::Import(index as u32),
                });
            }
        }
        for (index, binding) in facts.bindings.iter().enumerate() {
            let scope = binding
                .enclosing
                .map_or(file, |local| self.layout.node(file, local));
            self.declare_binding(scope, index as u32, &binding.name);
        }
    }

    /// The values of an `enum` of C are names of the scope around it, those of an `enum class` are not.
    fn scope_around_enum(&self, file: u32, symbol: &Symbol) -> Option<u32> {
        if symbol.kind != SymbolKind::Variant || self.family.get(file as usize) != Some(&Family::C)
        {
            return None;
        }
        let around = self.facts(file).symbols.get(symbol.parent? as usize)?;
        let is_closed = around.signature.starts_with("enum class")
            || around.signature.starts_with("enum struct");
        (around.kind == SymbolKind::Enum && !is_closed)
            .then(|| self.declaring_scope(file, around.parent))
    }

    /// Uses inside callbacks are said to stand in the named function around: so are their definitions.
    fn declaring_scope(&self, file: u32, parent: Option<u32>) -> u32 {
        let symbols = &self.facts(file).symbols;
        let mut current = parent;
        while let Some(local) = current {
            match symbols.get(local as usize) {
                Some(symbol) if symbol.is(Modifiers::ANONYMOUS) && is_function(symbol.kind) => {
                    current = symbol.parent.filter(|&outer| outer < local);
                }
                _ => break,
            }
        }
        current.map_or(file, |local| self.layout.node(file, local))
    }

    fn declare_parameters(
        &mut self,
        scope: u32,
        parameters: &'a [Parameter],
        decl: fn(u32) -> Decl,
    ) {
        for (index, parameter) in parameters.iter().enumerate() {
            let name = self
                .names
                .intern(parameter.name.trim_start_matches(['*', '.', '&']));
            self.decls.push(DeclEntry {
                scope,
                name,
                decl: decl(index as u32),
            });
        }
    }

    /// A variable belongs to its scope; a field that a method sets belongs to the type around the method.
    fn declare_binding(&mut self, scope: u32, index: u32, name: &'a str) {
        let field = name
            .strip_prefix("self.")
            .or_else(|| name.strip_prefix("this."))
            .or_else(|| name.strip_prefix("$this->"))
            .or_else(|| name.strip_prefix("cls."))
            .or_else(|| name.strip_prefix('@'));
        let (scope, name) = match field {
            Some(field) => match self
                .enclosing_type(scope)
                .or_else(|| self.table_around(scope))
            {
                Some(owner) => (owner, field),
                None => return,
            },
            None => (scope, name),
        };
        let name = self.names.intern(name);
        self.decls.push(DeclEntry {
            scope,
            name,
            decl: Decl::Binding(index),
        });
    }

    /// The table that a method of Lua is written into (`Router` of `function Router:add()`).
    fn table_around(&self, scope: u32) -> Option<u32> {
        let file = self.file_of(scope);
        if self.family.get(file as usize) != Some(&Family::Lua) {
            return None;
        }
        let mut owners = self.scopes(scope).filter_map(|node| self.symbol(node));
        let owner = owners
            .find(|symbol| !symbol.owner.is_empty())?
            .owner
            .as_str();
        let symbols = self.facts(file).symbols.iter();
        let local = symbols
            .enumerate()
            .find(|(_, symbol)| symbol.name == owner && symbol.owner.is_empty())?
            .0;
        Some(self.layout.node(file, local as u32))
    }

    pub fn facts(&self, file: u32) -> &'a FileFacts {
        self.layout.files[file as usize].facts
    }

    pub fn path(&self, file: u32) -> &'a str {
        self.layout.files[file as usize].path
    }

    pub fn is_file(&self, node: u32) -> bool {
        (node as usize) < self.layout.files.len()
    }

    /// The definition behind a node; none for files.
    pub fn symbol(&self, node: u32) -> Option<&'a Symbol> {
        let index = node.checked_sub(self.layout.first_symbol())?;
        self.symbols.get(index as usize).map(|(_, symbol)| *symbol)
    }

    /// What a symbol is. A module of Ruby counts as a trait: it has methods, and is mixed in.
    pub fn kind(&self, node: u32) -> Option<SymbolKind> {
        let kind = self.symbol(node)?.kind;
        if kind == SymbolKind::Module && self.family_of(node) == Family::Ruby {
            Some(SymbolKind::Trait)
        } else {
            Some(kind)
        }
    }

    /// The name of a symbol.
    pub fn name(&self, node: u32) -> Option<Name> {
        self.symbol_names
            .get(node.checked_sub(self.layout.first_symbol())? as usize)
            .copied()
    }

    /// The file of a symbol; a file itself.
    pub fn file_of(&self, node: u32) -> u32 {
        match node.checked_sub(self.layout.first_symbol()) {
            Some(index) => self
                .symbols
                .get(index as usize)
                .map_or(0, |(file, _)| *file),
            None => node,
        }
    }

    pub fn family_of(&self, node: u32) -> Family {
        self.family
            .get(self.file_of(node) as usize)
            .copied()
            .unwrap_or(Family::None)
    }

    /// The scope around a symbol: a symbol of the same file, or the file; none for files.
    pub fn parent(&self, node: u32) -> Option<u32> {
        let index = node.checked_sub(self.layout.first_symbol())?;
        let (file, symbol) = self.symbols.get(index as usize)?;
        let parent = symbol
            .parent
            .map_or(*file, |parent| self.layout.node(*file, parent));
        (parent < node).then_some(parent)
    }

    /// A scope and those around it, up to the file.
    pub fn scopes(&self, scope: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(scope), |&scope| self.parent(scope))
    }

    /// The innermost type (or impl block) that is or contains a scope.
    pub fn enclosing_type(&self, scope: u32) -> Option<u32> {
        self.scopes(scope)
            .find(|&node| self.kind(node).is_some_and(is_type_scope))
    }

    /// The innermost module that is or contains a scope: one declared in the file, or the file.
    pub fn enclosing_module(&self, scope: u32) -> u32 {
        self.scopes(scope)
            .find(|&node| {
                self.kind(node)
                    .is_none_or(|kind| kind == SymbolKind::Module)
            })
            .unwrap_or_else(|| self.file_of(scope))
    }

    /// What a scope itself declares under a name.
    pub fn decls(&self, scope: u32, name: Name) -> &[DeclEntry] {
        let own = self.declared_in(scope);
        let rest = &own[own.partition_point(|entry| entry.name < name)..];
        let n_found = rest.iter().take_while(|entry| entry.name == name).count();
        &rest[..n_found]
    }

    /// What a scope declares, by name.
    fn declared_in(&self, scope: u32) -> &[DeclEntry] {
        let scope = scope as usize;
        match (
            self.scope_offsets.get(scope),
            self.scope_offsets.get(scope + 1),
        ) {
            (Some(start), Some(end)) => &self.decls[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// The symbols that a scope declares under a name.
    pub fn symbols_in(&self, scope: u32, name: Name) -> impl Iterator<Item = u32> + '_ {
        self.decls(scope, name)
            .iter()
            .filter_map(|entry| match entry.decl {
                Decl::Symbol(node) => Some(node),
                _ => None,
            })
    }

    /// The functions that stand directly in a scope, with their names, in order of the names.
    pub fn methods_in(&self, scope: u32) -> impl Iterator<Item = (Name, u32)> + '_ {
        self.declared_in(scope)
            .iter()
            .filter_map(|entry| match entry.decl {
                Decl::Symbol(node) if self.kind(node).is_some_and(is_function) => {
                    Some((entry.name, node))
                }
                _ => None,
            })
    }

    /// The types that stand directly in a scope.
    pub fn types_in(&self, scope: u32) -> impl Iterator<Item = u32> + '_ {
        self.declared_in(scope)
            .iter()
            .filter_map(|entry| match entry.decl {
                Decl::Symbol(node) if self.kind(node).is_some_and(is_type_scope) => Some(node),
                _ => None,
            })
    }

    /// Parameters of a name with a written type: function and index, in order.
    pub fn typed_parameters(&self, name: Name) -> &[(u32, u32)] {
        self.typed_parameters.get(&name).map_or(&[], Vec::as_slice)
    }

    /// All symbols of a name.
    pub fn named(&self, name: Name) -> impl Iterator<Item = u32> + '_ {
        let start = self.by_name.partition_point(|entry| entry.0 < name);
        self.by_name[start..]
            .iter()
            .take_while(move |entry| entry.0 == name)
            .map(|entry| entry.1)
    }

    /// Imports of all names that stand in a scope.
    pub fn globs(&self, scope: u32) -> impl Iterator<Item = u32> + '_ {
        let start = self.globs.partition_point(|entry| entry.0 < scope);
        self.globs[start..]
            .iter()
            .take_while(move |entry| entry.0 == scope)
            .map(|entry| entry.1)
    }

    pub fn import(&self, file: u32, index: u32) -> Option<&'a Import> {
        self.facts(file).imports.get(index as usize)
    }

    pub fn binding(&self, file: u32, index: u32) -> Option<&'a Binding> {
        self.facts(file).bindings.get(index as usize)
    }

    /// Symbol nodes with their definitions.
    pub fn all_symbols(&self) -> impl Iterator<Item = (u32, &'a Symbol)> + '_ {
        (self.layout.first_symbol()..).zip(self.symbols.iter().map(|(_, symbol)| *symbol))
    }
}

fn is_glob(import: &Import) -> bool {
    use syntax::facts::ImportFlags;
    import.is(ImportFlags::GLOB) && (import.local.is_empty() || import.local == "*")
}

/// Types and impl blocks: scopes with members rather than variables.
pub(crate) fn is_type_scope(kind: SymbolKind) -> bool {
    use SymbolKind::{Class, Enum, Impl, Interface, Struct, Trait};
    matches!(kind, Class | Struct | Enum | Trait | Interface | Impl)
}

/// Where the declarations of each scope start, of nodes below `n_nodes`; sorted by scope.
fn scope_offsets(decls: &[DeclEntry], n_nodes: usize) -> Vec<u32> {
    let mut offsets = vec![0u32; n_nodes + 1];
    for entry in decls {
        if let Some(count) = offsets.get_mut(entry.scope as usize + 1) {
            *count += 1;
        }
    }
    for node in 0..n_nodes {
        offsets[node + 1] += offsets[node];
    }
    offsets
}

/// What has a body to call.
pub(crate) fn is_function(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor
    )
}

/// Whether a symbol can be named in type position.
pub(crate) fn is_type_name(kind: SymbolKind) -> bool {
    use SymbolKind::{Class, Enum, Interface, Module, Struct, Trait, TypeAlias};
    matches!(
        kind,
        Class | Struct | Enum | Trait | Interface | TypeAlias | Module
    )
}

/// Whether a definition has no body.
pub(crate) fn is_declaration(symbol: &Symbol) -> bool {
    symbol.is(Modifiers::DECLARATION)
}
