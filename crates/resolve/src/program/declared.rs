//! The declarations of all files as tables of numbers. They follow from interfaces, so one set serves every part of an
//! index that is resolved by itself.

use graph::{FileId, Layout, Rows};
use syntax::facts::{Modifiers, Symbol, SymbolKind};

use super::declare::Declarations;
use super::family::Family;
use super::names::{Name, Names};
use super::{
    DeclEntry, ImportId, NodeId, ParameterId, Program, is_function, is_left_out, is_type_scope,
};

/// Names that have room from the start. Of millions many are the same, and room for all of them would be memory that nobody else has.
const MOST_RESERVED: usize = 1 << 20;

/// The names in each scope of a layout, and who has which name. It fits every layout of files with the same paths and
/// interfaces ([`syntax::facts::FileFacts::only_interface`]).
#[derive(Default)]
pub struct Declared {
    pub(super) names: Names,
    pub(super) family: Vec<Family>,
    /// Files whose names say that the default build leaves them out.
    pub(super) left_out: Vec<bool>,
    pub(super) symbol_names: Vec<Name>,
    /// Symbols that the resolver asks for relations, in order; the others, such as fields and functions on their own, have none.
    pub(super) related: Vec<NodeId>,
    /// By scope; then sorted by name, kind and number.
    pub(super) decls: Rows<(NodeId, DeclEntry)>,
    /// By name, sorted by node.
    pub(super) by_name: Rows<(Name, NodeId)>,
    /// Parameters with a written type, by name: function and index.
    pub(super) typed_parameters: Rows<(Name, (NodeId, ParameterId))>,
    /// Imports of all names of a module, by the scope that contains them; sorted.
    pub(super) globs: Rows<(NodeId, ImportId)>,
    /// As `decls`, of the scopes that have bindings which no other file can ask for, in the files that are resolved.
    with_locals: Option<Rows<(NodeId, DeclEntry)>>,
}

impl Declared {
    /// Reads the declarations of all files. Linear in them, but for sorting those of each scope.
    #[must_use]
    pub fn new(layout: &Layout<'_>) -> Self {
        Self::with(layout, true)
    }

    /// As [`Self::new`], but for the bindings that no other file can ask for: [`Self::set_locals`] adds those of some files.
    #[must_use]
    pub fn of_interfaces(layout: &Layout<'_>) -> Self {
        Self::with(layout, false)
    }

    /// Takes the bindings that only these files can ask for, in place of those of other files. Their facts are whole, with
    /// the locals last ([`syntax::facts::FileFacts::put_locals_last`]).
    pub fn set_locals(&mut self, layout: &Layout<'_>, files: impl IntoIterator<Item = FileId>) {
        self.with_locals = None;
        let names = std::mem::take(&mut self.names);
        let program = Program::new(layout, self);
        let mut found = Declarations::empty(&program, names);
        files.into_iter().for_each(|file| found.read_locals(file));
        let Declarations {
            names, mut decls, ..
        } = found;
        let mut is_whole = vec![false; layout.end() as usize];
        for at in 0..decls.len() {
            let scope = decls[at].0;
            if !std::mem::replace(&mut is_whole[scope.index()], true) {
                decls.extend_from_slice(self.decls.of(scope.0));
            }
        }
        self.names = names;
        self.with_locals = Some(by_scope(layout, &decls));
    }

    /// The declarations of a scope, sorted by name, kind and number.
    pub(super) fn of_scope(&self, scope: NodeId) -> &[(NodeId, DeclEntry)] {
        let own = self.with_locals.as_ref().map(|rows| rows.of(scope.0));
        match own {
            Some(all) if !all.is_empty() => all,
            _ => self.decls.of(scope.0),
        }
    }

    fn with(layout: &Layout<'_>, locals: bool) -> Self {
        let mut names = Names::with_capacity((layout.end() as usize).min(MOST_RESERVED));
        let n_symbols = (layout.end() - layout.first_symbol()) as usize;
        let mut symbol_names: Vec<Name> = Vec::with_capacity(n_symbols);
        symbol_names.extend(
            layout
                .symbols()
                .map(|(_, symbol)| names.intern(&symbol.name)),
        );
        let named: Vec<(Name, NodeId)> = symbol_names
            .iter()
            .copied()
            .zip((layout.first_symbol()..).map(NodeId))
            .collect();
        let by_name = Rows::new(names.len(), &named, |(name, _)| name.0);
        drop(named);
        let files = layout.files.iter();
        let mut declared = Declared {
            family: (files.clone())
                .map(|file| Family::of(file.facts.language))
                .collect(),
            left_out: files.map(is_left_out).collect(),
            related: related(layout),
            symbol_names,
            by_name,
            ..Declared::default()
        };
        declared.declare(layout, names, locals);
        declared
    }

    fn declare(&mut self, layout: &Layout<'_>, names: Names, locals: bool) {
        let program = Program::new(layout, self);
        let mut found = Declarations::new(&program, names);
        for file in program.files() {
            found.read_file(file, locals);
        }
        let Declarations {
            names,
            decls,
            typed_parameters,
            globs,
            ..
        } = found;
        drop(program);
        let n_scopes = layout.end() as usize;
        self.typed_parameters = Rows::new(names.len(), &typed_parameters, |(name, _)| name.0);
        drop(typed_parameters);
        // A scope belongs to one file, whose imports were read in their order.
        self.globs = Rows::new(n_scopes, &globs, |(scope, _)| scope.0);
        drop(globs);
        self.names = names;
        self.decls = by_scope(layout, &decls);
    }
}

/// The symbols of [`Declared::related`].
fn related(layout: &Layout<'_>) -> Vec<NodeId> {
    let mut found = Vec::new();
    for (file, input) in (0..).zip(layout.files) {
        let symbols = &input.facts.symbols;
        let nodes = (layout.node(file, 0)..).map(NodeId).zip(symbols);
        let nodes = nodes.filter(|(_, symbol)| has_relations(symbol, symbols));
        found.extend(nodes.map(|(node, _)| node));
    }
    found
}

/// Whether a symbol of a file is a namespace, a type, an alias or the default export, is in a type, or says what it belongs to.
fn has_relations(symbol: &Symbol, symbols: &[Symbol]) -> bool {
    let is_around = |kind: SymbolKind| is_type_scope(kind) || matches!(kind, SymbolKind::Module);
    let is_within = || {
        let parent = symbol.parent.and_then(|at| symbols.get(at as usize));
        parent.is_some_and(|parent| is_around(parent.kind))
    };
    is_around(symbol.kind)
        || symbol.kind == SymbolKind::TypeAlias
        || symbol.is(Modifiers::DEFAULT_EXPORT)
        || !symbol.rare.owner.is_empty()
        || !symbol.rare.bases.is_empty()
        || !symbol.rare.decorators.is_empty()
        || (is_function(symbol.kind) && is_within())
}

/// Groups declarations by scope; within it they are sorted by name, kind and number.
fn by_scope(layout: &Layout<'_>, decls: &[(NodeId, DeclEntry)]) -> Rows<(NodeId, DeclEntry)> {
    let mut rows = Rows::new(layout.end() as usize, decls, |(scope, _)| scope.0);
    rows.sort_each_by_key(|(_, entry)| *entry);
    rows
}
