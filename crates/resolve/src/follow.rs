//! Following names: from a scope outwards, through imports and re-exports, into modules and packages.

use rustc_hash::FxHashMap;
use syntax::facts::{Import, ImportFlags, Modifiers};

use super::family::Family;
use super::heritage::Heritage;
use super::modules::Modules;
use super::names::Name;
use super::program::{Def, Program};
use graph::Reason;

/// What is wanted: TypeScript and Rust keep types, values and macros apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    Value,
    Type,
    Macro,
}

/// A definition and how it was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    pub def: Def,
    /// Files that passed the name on.
    pub hops: u8,
    /// Whether a star or glob was on the way.
    pub by_glob: bool,
}

impl Found {
    pub(super) fn new(def: Def) -> Found {
        Found {
            def,
            hops: 0,
            by_glob: false,
        }
    }

    pub(super) fn passed_on(self) -> Found {
        Found {
            hops: self.hops.saturating_add(1),
            ..self
        }
    }

    /// The rule by which a name that an import brings in was resolved.
    pub(super) fn import_reason(self) -> Reason {
        match self {
            Found { by_glob: true, .. } => Reason::GlobImport,
            Found { hops: 0, .. } => Reason::Import,
            _ => Reason::ReExport,
        }
    }
}

/// A question that is being answered, or its answer: questions that lead back to themselves have none.
#[derive(Clone, Copy)]
pub(super) enum Memo {
    Open,
    Done(Option<Found>),
}

/// Answers questions about names; keeps what it has found.
pub(crate) struct Resolver<'p, 'a> {
    pub program: &'p Program<'a>,
    pub modules: &'p Modules<'a>,
    pub heritage: Heritage<'a>,
    pub externals: Externals,
    pub inference: super::infer::Inference<'a>,
    imports: FxHashMap<(u32, u32, Space), Memo>,
    /// By family, folder and what is written.
    pub(super) found_modules: FxHashMap<(Family, u32, &'a str), Option<Def>>,
    /// By file and number of the import: every name that a scope does not declare is looked for in all of its stars.
    pub(super) found_globs: FxHashMap<(u32, u32), Option<Def>>,
    /// Questions about imports and members that are being answered.
    pub(super) n_open: u32,
    /// Stars whose modules are being looked for.
    pub(super) n_open_globs: u32,
    pub(super) members: FxHashMap<(Def, Name, Space), Memo>,
    /// The same of names that nothing in the repository declares, while a question is open.
    pub(super) unknown_members: FxHashMap<(Def, String, Space), Memo>,
    pub(super) default_exports: FxHashMap<u32, u32>,
    pub included: super::cpp::Included,
    /// Shells and style sheets: the files that a file takes in, directly or not.
    pub taken_in: FxHashMap<u32, std::rc::Rc<[u32]>>,
    /// Rust: whether code of one crate root can hold values of another.
    pub crates_seen: FxHashMap<(u32, u32), bool>,
    depth: u32,
}

/// Questions lead to questions at most so deep; what lies deeper stays unresolved.
const MAX_DEPTH: u32 = 48;

/// Packages outside, by name.
#[derive(Default)]
pub(crate) struct Externals {
    ids: FxHashMap<String, u32>,
    pub names: Vec<String>,
}

impl Externals {
    pub(super) fn def(&mut self, name: &str) -> Def {
        if let Some(&id) = self.ids.get(name) {
            return Def::External(id);
        }
        let id = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        Def::External(id)
    }
}

impl<'p, 'a> Resolver<'p, 'a> {
    pub(super) fn new(program: &'p Program<'a>, modules: &'p Modules<'a>) -> Self {
        let mut default_exports = FxHashMap::default();
        for (node, symbol) in program.all_symbols() {
            if symbol.is(Modifiers::DEFAULT_EXPORT) {
                default_exports.entry(program.file_of(node)).or_insert(node);
            }
        }
        Resolver {
            program,
            modules,
            heritage: Heritage::default(),
            externals: Externals::default(),
            inference: super::infer::Inference::default(),
            imports: FxHashMap::default(),
            found_modules: FxHashMap::default(),
            found_globs: FxHashMap::default(),
            n_open: 0,
            n_open_globs: 0,
            members: FxHashMap::default(),
            unknown_members: FxHashMap::default(),
            default_exports,
            included: super::cpp::Included::default(),
            taken_in: FxHashMap::default(),
            crates_seen: FxHashMap::default(),
            depth: 0,
        }
    }

    /// Asks a question within another, unless that lies too deep.
    pub(super) fn nested<T>(&mut self, ask: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let answer = ask(self);
        self.depth -= 1;
        answer
    }

    /// What an import brings in.
    pub(super) fn import(&mut self, file: u32, index: u32, space: Space) -> Option<Found> {
        let import = self.program.import(file, index)?;
        let key = (file, index, space);
        match self.imports.get(&key) {
            Some(Memo::Open) => return None,
            Some(Memo::Done(found)) => return *found,
            None => {}
        }
        self.imports.insert(key, Memo::Open);
        self.n_open += 1;
        let found = self.nested(|this| this.import_uncached(file, import, space));
        self.n_open -= 1;
        self.imports.insert(key, Memo::Done(found));
        found
    }

    pub(super) fn import_uncached(
        &mut self,
        file: u32,
        import: &'a Import,
        space: Space,
    ) -> Option<Found> {
        if self.program.family[file as usize] == Family::Rust {
            let scope = import
                .enclosing
                .map_or(file, |local| self.program.layout.node(file, local));
            return self.rust_import(scope, import, space);
        }
        let is_own = import.module.is_empty() && import.is(ImportFlags::REEXPORT);
        if is_own {
            return self.own_name(file, &import.name, space);
        }
        let module = self.module_of(file, import)?;
        if import.name.is_empty() || import.is(ImportFlags::MODULE) {
            return Some(Found::new(module));
        }
        if self.program.family[file as usize] == Family::Zig {
            // `@import("a.zig").b.C`
            let mut parts = import.name.split('.');
            let first = self.module_member(module, parts.next()?, space)?;
            return parts.try_fold(first, |found, part| {
                self.module_member(found.def, part, space)
            });
        }
        self.module_member(module, &import.name, space)
    }

    /// A name of a file that the file itself passes on under another.
    pub(super) fn own_name(&mut self, file: u32, name: &str, space: Space) -> Option<Found> {
        let interned = self.program.names.get(name)?;
        if let Some(node) = self.best_symbol(file, interned, space) {
            return Some(Found::new(Def::Node(node)));
        }
        let program = self.program;
        let import = program.imports_in(file, interned).find(|index| {
            program
                .import(file, *index)
                .is_some_and(|import| !import.is(ImportFlags::REEXPORT))
        })?;
        self.import(file, import, space).map(Found::passed_on)
    }
}
