//! The resolver: finds the definition that a name means at its place.
//!
//! It is one folder, because the rules call each other in a cycle, which comes from the languages: a name is followed
//! through an import (`follow`, `exported`, `written_module`) to a member (`members`, `inherited`), which needs the
//! supertypes of its owner (`heritage`), whose names are looked up in scopes (`scope`, `packages`); a member of a value
//! needs the type of the value (`evaluate`, `values`, `infer`, `callbacks`), which is a name again. `uses` and `edges`
//! ask the questions.

mod callbacks;
mod circles;
mod edges;
mod evaluate;
mod exported;
mod flags;
mod follow;
mod heritage;
mod infer;
mod inherited;
mod members;
mod packages;
mod places;
mod questions;
mod receivers;
mod rules;
mod scope;
mod steps;
mod uses;
mod usual;
mod values;
mod written_module;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use syntax::Language;
use syntax::facts::{ChainId, Modifiers};

use crate::modules::Modules;
use crate::program::{Def, ExternalId, Family, FileId, Name, NodeId, PackageId, Program};
use crate::types::Value;
use graph::Reason;
use heritage::Heritage;
use infer::Inference;
use questions::Answers;
use steps::Steps;

pub(crate) use flags::Flags;
pub(crate) use heritage::Relation;
pub(crate) use places::Place;
pub(crate) use rules::LanguageRules;
pub(crate) use scope::fit;

/// The namespace of a name: TypeScript and Rust keep types, values and macros apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    Value,
    Type,
    Macro,
}

/// The rules of one language.
pub(crate) type Rules = &'static dyn LanguageRules;

/// A definition and the rule that found it.
pub(crate) type Use = (Def, Reason);

/// The answer of a language without a rule of its own for a question: the common rules apply.
#[derive(Debug)]
pub(crate) struct Common;

/// The answer of a language, unless the common rules apply.
pub(crate) type Own<T> = Result<T, Common>;

/// A definition and how it was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    pub def: Def,
    /// Number of files that re-exported the name.
    pub hops: u8,
    /// Whether a star or glob was followed.
    pub by_glob: bool,
}

impl Found {
    pub(crate) fn new(def: Def) -> Found {
        Found {
            def,
            hops: 0,
            by_glob: false,
        }
    }

    pub(crate) fn passed_on(self) -> Found {
        Found {
            hops: self.hops.saturating_add(1),
            ..self
        }
    }

    /// The rule that resolved an imported name.
    pub(crate) fn import_reason(self) -> Reason {
        match self {
            Found { by_glob: true, .. } => Reason::GlobImport,
            Found { hops: 0, .. } => Reason::Import,
            _ => Reason::ReExport,
        }
    }
}

/// Answers questions about names, and caches the answers.
pub(crate) struct Resolver<'p, 'a> {
    pub program: &'p Program<'a>,
    pub modules: &'p Modules<'a>,
    pub heritage: Heritage<'a>,
    pub externals: Externals,
    pub inference: Inference,
    answers: Answers,
    steps: Steps,
    /// The last value of a call that was asked for in each long chain, by its file, first byte and scope.
    long_chains: FxHashMap<(FileId, u32, NodeId), (ChainId, Value)>,
    /// Modules by family, folder and written name.
    pub(crate) found_modules: FxHashMap<(Family, NodeId, &'a str), Option<Def>>,
    pub(crate) default_exports: FxHashMap<FileId, NodeId>,
    pub included: Included,
    /// Shells and style sheets: the files that a file includes, directly or not.
    pub taken_in: FxHashMap<FileId, Rc<[FileId]>>,
    /// Rust: whether code of one crate root can hold values of another.
    pub crates_seen: FxHashMap<(NodeId, NodeId), bool>,
    languages: &'static Languages,
    rules_by_file: Vec<Rules>,
    depth: u32,
}

/// The languages that the resolver knows.
pub(crate) struct Languages {
    /// The rules of a language.
    pub of: fn(Language) -> Rules,
    /// The rules of the packages that a family of languages shares.
    pub of_family: fn(Family) -> Rules,
    /// The rules of every language, once.
    pub all: &'static [Rules],
}

/// Maximum depth of questions within questions; a name that needs more stays unresolved.
const MAX_DEPTH: u32 = 48;

/// Caches for C and C++.
#[derive(Default)]
pub(crate) struct Included {
    /// The files that each file includes by itself.
    pub direct: FxHashMap<FileId, Rc<[FileId]>>,
    /// The included files of each file.
    pub trees: FxHashMap<FileId, Rc<Includes>>,
    /// Names in namespaces, by file, namespace, name and space.
    pub names: FxHashMap<Question, Option<(Def, Reason)>>,
    /// Members of namespaces that have a name, which each of the files that use it asks for.
    pub members: FxHashMap<(PackageId, Name, Space), Rc<[Member]>>,
    /// Definitions of declarations, by file and declaration.
    pub definitions: FxHashMap<(FileId, NodeId), NodeId>,
}

/// A candidate for a name of a namespace, with the facts by which candidates are compared.
pub(crate) struct Member {
    pub node: NodeId,
    pub fit: u8,
    pub is_definition: bool,
    pub is_macro: bool,
    pub is_shared: bool,
    pub is_test: bool,
}

/// A file, a namespace, a name and the space that it is looked up in.
pub(crate) type Question = (FileId, PackageId, Name, Space);

/// The files that a file includes, directly or not, each with its position in the order, nearest first.
pub(crate) type Includes = FxHashMap<FileId, u32>;

/// External packages, by name.
#[derive(Default)]
pub(crate) struct Externals {
    ids: FxHashMap<String, ExternalId>,
    pub names: Vec<String>,
}

impl Externals {
    pub(crate) fn def(&mut self, name: &str) -> Def {
        if let Some(&id) = self.ids.get(name) {
            return Def::External(id);
        }
        let id = ExternalId(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        Def::External(id)
    }
}

impl From<Vec<String>> for Externals {
    fn from(names: Vec<String>) -> Externals {
        let ids = names.iter().cloned().zip((0..).map(ExternalId)).collect();
        Externals { ids, names }
    }
}

impl<'p, 'a> Resolver<'p, 'a> {
    pub(crate) fn new(
        program: &'p Program<'a>,
        modules: &'p Modules<'a>,
        languages: &'static Languages,
    ) -> Self {
        let files = program.layout.files.iter();
        let n_facts = files
            .clone()
            .map(|file| {
                file.facts.references.len() + file.facts.imports.len() + file.facts.bindings.len()
            })
            .sum();
        let mut default_exports = FxHashMap::default();
        for (node, symbol) in program.related_symbols() {
            if symbol.is(Modifiers::DEFAULT_EXPORT) {
                default_exports.entry(program.file_of(node)).or_insert(node);
            }
        }
        Resolver {
            program,
            modules,
            heritage: Heritage::default(),
            externals: Externals::default(),
            inference: Inference::default(),
            answers: Answers::default(),
            steps: Steps::new(n_facts),
            long_chains: FxHashMap::default(),
            found_modules: FxHashMap::default(),
            default_exports,
            included: Included::default(),
            languages,
            rules_by_file: files
                .map(|file| (languages.of)(file.facts.language))
                .collect(),
            taken_in: FxHashMap::default(),
            crates_seen: FxHashMap::default(),
            depth: 0,
        }
    }

    /// Returns the rules of the language of a file or symbol.
    pub(crate) fn rules(&self, node: impl Into<NodeId>) -> Rules {
        let file = self.program.file_of(node.into()).index();
        let known = self.rules_by_file.get(file);
        known
            .copied()
            .unwrap_or_else(|| (self.languages.of)(Language::Text))
    }

    /// Returns the rules of the languages that share a package.
    pub(crate) fn rules_of_package(&self, package: PackageId) -> Rules {
        let family = self.modules.packages.family(package);
        (self.languages.of_family)(family.unwrap_or(Family::None))
    }

    /// Returns the rules of every language, once.
    pub(crate) fn all_rules(&self) -> &'static [Rules] {
        self.languages.all
    }

    /// Asks a question within another, unless the depth is [`MAX_DEPTH`].
    pub(crate) fn nested<T>(&mut self, ask: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.cut_short();
            return None;
        }
        self.depth += 1;
        let answer = ask(self);
        self.depth -= 1;
        answer
    }
}
