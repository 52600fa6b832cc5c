//! All files as one program: the declarations of names by scope.

mod declare;
mod declared;
mod expressions;
mod family;
mod ids;
mod names;
mod platform;

use rustc_hash::FxHashMap;
use syntax::facts::{Binding, FileFacts, Import, Modifiers, Symbol, SymbolKind};

pub use declared::Declared;
pub(crate) use family::{Family, is_common_method};
use graph::{InputFile, Layout};
pub(crate) use ids::{
    BindingId, ExternalId, FileId, ImportId, NodeId, PackageId, ParameterId, ROOT_FOLDER,
};
pub(crate) use names::{Name, Names};

/// The target of a name. Bindings and imports are numbered within their file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Def {
    /// A file (as a module) or a symbol.
    Node(NodeId),
    /// A folder as a package: its node, or none for the root.
    Folder(NodeId),
    /// A package by its declared name.
    Package(PackageId),
    /// A package outside the repository.
    External(ExternalId),
    /// A parameter of a function.
    Param(NodeId, ParameterId),
    /// A binding of a variable or field: its file and number.
    Binding(FileId, BindingId),
    /// A type parameter.
    TypeParam(NodeId, ParameterId),
}

impl From<FileId> for Def {
    fn from(file: FileId) -> Def {
        Def::Node(file.into())
    }
}

/// One name in one scope, before imports are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Decl {
    Symbol(NodeId),
    Import(ImportId),
    Param(ParameterId),
    TypeParam(ParameterId),
    Binding(BindingId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DeclEntry {
    pub name: Name,
    pub decl: Decl,
}

/// All files with their declarations. Scopes are nodes: a file or a symbol.
pub(crate) struct Program<'a> {
    pub layout: &'a Layout<'a>,
    pub names: &'a Names,
    declared: &'a Declared,
    pub file_by_path: FxHashMap<&'a str, FileId>,
    symbols: Vec<(FileId, &'a Symbol)>,
}

impl<'a> Program<'a> {
    /// `declared` are the declarations of these files.
    pub fn new(layout: &'a Layout<'a>, declared: &'a Declared) -> Self {
        let files = layout.files.iter();
        // Millions in a large repository: a list that grows is there twice, and once more as room.
        let n_symbols = layout.end() - layout.first_symbol();
        let mut symbols = Vec::with_capacity(n_symbols as usize);
        symbols.extend(
            layout
                .symbols()
                .map(|(file, symbol)| (FileId(file), symbol)),
        );
        Program {
            layout,
            names: &declared.names,
            declared,
            file_by_path: files.map(|file| file.path).zip((0..).map(FileId)).collect(),
            symbols,
        }
    }

    /// The numbers of all files.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.layout.files.len() as u32).map(FileId)
    }

    /// The node of a file's symbol.
    pub fn node(&self, file: FileId, symbol: u32) -> NodeId {
        NodeId(self.layout.node(file.0, symbol))
    }

    /// The scope of what is written inside a symbol of a file, or at its top.
    pub fn scope(&self, file: FileId, enclosing: Option<u32>) -> NodeId {
        enclosing.map_or(file.into(), |symbol| self.node(file, symbol))
    }

    pub fn facts(&self, file: FileId) -> &'a FileFacts {
        self.layout.files[file.index()].facts
    }

    pub fn path(&self, file: FileId) -> &'a str {
        self.layout.files[file.index()].path
    }

    pub fn is_file(&self, node: NodeId) -> bool {
        self.as_file(node).is_some()
    }

    /// The file that a node is; none for folders and symbols.
    pub fn as_file(&self, node: NodeId) -> Option<FileId> {
        (node.index() < self.layout.files.len()).then_some(FileId(node.0))
    }

    /// The definition behind a node; none for files.
    pub fn symbol(&self, node: NodeId) -> Option<&'a Symbol> {
        let index = node.0.checked_sub(self.layout.first_symbol())?;
        self.symbols.get(index as usize).map(|(_, symbol)| *symbol)
    }

    /// Returns the kind of a symbol. A module of Ruby counts as a trait: it has methods, and is mixed in.
    pub fn kind(&self, node: NodeId) -> Option<SymbolKind> {
        let kind = self.symbol(node)?.kind;
        if kind == SymbolKind::Module && self.family_of(node) == Family::Ruby {
            Some(SymbolKind::Trait)
        } else {
            Some(kind)
        }
    }

    /// The name of a symbol.
    pub fn name(&self, node: NodeId) -> Option<Name> {
        self.declared
            .symbol_names
            .get(node.0.checked_sub(self.layout.first_symbol())? as usize)
            .copied()
    }

    /// The file of a symbol; a file itself.
    pub fn file_of(&self, node: NodeId) -> FileId {
        match node.0.checked_sub(self.layout.first_symbol()) {
            Some(index) => self
                .symbols
                .get(index as usize)
                .map_or(FileId(0), |(file, _)| *file),
            None => FileId(node.0),
        }
    }

    pub fn family_of(&self, node: impl Into<NodeId>) -> Family {
        self.declared
            .family
            .get(self.file_of(node.into()).index())
            .copied()
            .unwrap_or(Family::None)
    }

    /// Whether any file is of a language of this family.
    pub fn has_family(&self, family: Family) -> bool {
        self.declared.family.contains(&family)
    }

    /// Whether a file or the file of a symbol holds tests, by its path.
    pub fn is_test(&self, node: impl Into<NodeId>) -> bool {
        let file = self.file_of(node.into());
        self.layout.is_test.get(file.index()) == Some(&true)
    }

    /// Whether the default build leaves a symbol out, by a condition around it or the name of its file.
    pub fn is_left_out(&self, node: NodeId) -> bool {
        self.symbol(node)
            .is_some_and(|symbol| symbol.is(Modifiers::LEFT_OUT))
            || self.declared.left_out.get(self.file_of(node).index()) == Some(&true)
    }

    /// The scope around a symbol: a symbol of the same file, or the file; none for files.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        let index = node.0.checked_sub(self.layout.first_symbol())?;
        let (file, symbol) = self.symbols.get(index as usize)?;
        let parent = self.scope(*file, symbol.parent);
        (parent < node).then_some(parent)
    }

    /// A scope and those around it, up to the file.
    pub fn scopes(&self, scope: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(scope), |&scope| self.parent(scope))
    }

    /// The innermost type (or impl block) that is or contains a scope.
    pub fn enclosing_type(&self, scope: NodeId) -> Option<NodeId> {
        self.scopes(scope)
            .find(|&node| self.kind(node).is_some_and(is_type_scope))
    }

    /// The innermost module that is or contains a scope: one declared in the file, or the file.
    pub fn enclosing_module(&self, scope: NodeId) -> NodeId {
        self.scopes(scope)
            .find(|&node| {
                self.kind(node)
                    .is_none_or(|kind| kind == SymbolKind::Module)
            })
            .unwrap_or_else(|| self.file_of(scope).into())
    }

    /// Lists the declarations of a scope under a name.
    pub fn decls(&self, scope: NodeId, name: Name) -> impl Iterator<Item = Decl> + Clone + '_ {
        let own = self.declared.of_scope(scope);
        let first = own.partition_point(|(_, entry)| entry.name < name);
        own[first..]
            .iter()
            .take_while(move |(_, entry)| entry.name == name)
            .map(|(_, entry)| entry.decl)
    }

    /// The symbols that a scope declares under a name.
    pub fn symbols_in(
        &self,
        scope: impl Into<NodeId>,
        name: Name,
    ) -> impl Iterator<Item = NodeId> + '_ {
        // They come first.
        self.decls(scope.into(), name).map_while(|decl| match decl {
            Decl::Symbol(node) => Some(node),
            _ => None,
        })
    }

    /// The bindings that a scope declares under a name, by number.
    pub fn bindings_in(
        &self,
        scope: impl Into<NodeId>,
        name: Name,
    ) -> impl Iterator<Item = BindingId> + Clone + '_ {
        self.decls(scope.into(), name)
            .filter_map(|decl| match decl {
                Decl::Binding(index) => Some(index),
                _ => None,
            })
    }

    /// The imports that a scope declares under a name, by number.
    pub fn imports_in(
        &self,
        scope: impl Into<NodeId>,
        name: Name,
    ) -> impl Iterator<Item = ImportId> + '_ {
        self.decls(scope.into(), name)
            .filter_map(|decl| match decl {
                Decl::Import(index) => Some(index),
                _ => None,
            })
    }

    /// The symbols directly in a scope, with their names, in the order of the names.
    fn declared_in(&self, scope: NodeId) -> impl Iterator<Item = (Name, NodeId)> + '_ {
        let entries = self.declared.decls.of(scope.0).iter();
        entries.filter_map(|(_, entry)| match entry.decl {
            Decl::Symbol(node) => Some((entry.name, node)),
            _ => None,
        })
    }

    /// The functions directly in a scope, with their names, in the order of the names.
    pub fn methods_in(&self, scope: NodeId) -> impl Iterator<Item = (Name, NodeId)> + '_ {
        self.declared_in(scope)
            .filter(|(_, node)| self.kind(*node).is_some_and(is_function))
    }

    /// The types directly in a scope.
    pub fn types_in(&self, scope: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.declared_in(scope)
            .map(|(_, node)| node)
            .filter(|node| self.kind(*node).is_some_and(is_type_scope))
    }

    /// Parameters of a name with a written type: function and index, in order.
    pub fn typed_parameters(
        &self,
        name: Name,
    ) -> impl ExactSizeIterator<Item = (NodeId, ParameterId)> + '_ {
        let parameters = self.declared.typed_parameters.of(name.0).iter();
        parameters.map(|(_, parameter)| *parameter)
    }

    /// All symbols of a name.
    pub fn named(&self, name: Name) -> impl Iterator<Item = NodeId> + '_ {
        self.declared
            .by_name
            .of(name.0)
            .iter()
            .map(|(_, node)| *node)
    }

    /// The symbols of a name in a file.
    fn named_in(&self, file: FileId, name: Name) -> impl Iterator<Item = NodeId> + '_ {
        let all = self.declared.by_name.of(name.0);
        let first = self.node(file, 0);
        let start = all.partition_point(|(_, node)| *node < first);
        let nodes = all[start..].iter().map(|(_, node)| *node);
        nodes.take_while(move |node| self.file_of(*node) == file)
    }

    /// Imports of all names of a module, in a scope.
    pub fn globs(&self, scope: NodeId) -> impl Iterator<Item = ImportId> + '_ {
        self.declared
            .globs
            .of(scope.0)
            .iter()
            .map(|(_, import)| *import)
    }

    pub fn import(&self, file: FileId, index: ImportId) -> Option<&'a Import> {
        self.facts(file).imports.get(index.index())
    }

    pub fn binding(&self, file: FileId, index: BindingId) -> Option<&'a Binding> {
        self.facts(file).bindings.get(index.index())
    }

    /// Modules, types and what is in them, aliases, default exports, and what says what it belongs to, with their definitions, in order.
    pub fn related_symbols(&self) -> impl Iterator<Item = (NodeId, &'a Symbol)> + '_ {
        let nodes = self.declared.related.iter();
        nodes.filter_map(|node| Some((*node, self.symbol(*node)?)))
    }

    /// Symbol nodes with their definitions.
    pub fn all_symbols(&self) -> impl Iterator<Item = (NodeId, &'a Symbol)> + '_ {
        let nodes = (self.layout.first_symbol()..).map(NodeId);
        nodes.zip(self.symbols.iter().map(|(_, symbol)| *symbol))
    }
}

fn is_left_out(file: &InputFile<'_>) -> bool {
    file.facts.language == syntax::Language::Go && !platform::is_for_default_build(file.path)
}

/// Types and impl blocks: scopes with members rather than variables.
pub(crate) fn is_type_scope(kind: SymbolKind) -> bool {
    use SymbolKind::{Class, Enum, Impl, Interface, Struct, Trait};
    matches!(kind, Class | Struct | Enum | Trait | Interface | Impl)
}

/// Returns whether a symbol can be called: function, method or constructor.
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
