//! Haskell: names of the functions around, of the module, and of the modules it imports — by list, without what it
//! hides, or under a qualifier.

use syntax::facts::{Import, ImportFlags, Reference, SymbolKind};

use crate::program::{Def, FileId, Name, NodeId, Program, is_function};
use crate::resolver::{LanguageRules, Own, Resolver, Space, Use};
use graph::Reason;

/// Maximum length of a chain of modules that re-export their imports.
const MAX_HOPS: u32 = 4;

/// The rules of Haskell.
pub(crate) struct Haskell;

impl LanguageRules for Haskell {
    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        _file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        Some(r.haskell_module(&import.module))
    }

    fn named_type(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        segments: &[&str],
    ) -> Own<Option<Use>> {
        let node = r.haskell_type(scope, &segments.join("."));
        Ok(node.map(|node| (Def::Node(node), Reason::Path)))
    }

    fn resolve_use(
        &self,
        r: &mut Resolver<'_, '_>,
        file: FileId,
        scope: NodeId,
        reference: &Reference,
        space: Space,
    ) -> Own<Option<Use>> {
        Ok(r.haskell_use(file, scope, reference, space))
    }
}

impl Resolver<'_, '_> {
    /// The module of a name, in the repository or outside.
    pub(crate) fn haskell_module(&mut self, name: &str) -> Def {
        match self.modules.haskell.find(name) {
            Some(file) => file.into(),
            None => self.externals.def(name),
        }
    }

    /// Resolves a use in a Haskell file.
    pub(crate) fn haskell_use(
        &mut self,
        file: FileId,
        scope: NodeId,
        reference: &Reference,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let name = self.program.names.get(&reference.name)?;
        if let Some(receiver) = self.program.receiver(file, reference) {
            let module = receiver.names()?.join(".");
            let node = self.haskell_qualified(file, &module, name, space)?;
            return Some((Def::Node(node), Reason::ModuleMember));
        }
        let program = self.program;
        for around in program
            .scopes(scope)
            .filter(|&node| program.kind(node).is_some_and(is_function))
        {
            if space != Space::Value {
                break;
            }
            if let Some((def, reason)) =
                self.lookup_in_function(around, reference.span.start, name, space)
            {
                let is_variable = matches!(def, Def::Param(..) | Def::Binding(..));
                return (!is_variable).then_some((def, reason));
            }
        }
        if let Some(own) = self.haskell_own(file, name, space) {
            return Some((Def::Node(own), Reason::SameFile));
        }
        self.haskell_imported(file, name, space, 0)
            .map(|(node, reason)| (Def::Node(node), reason))
    }

    /// A type that a name in type position means.
    pub(crate) fn haskell_type(&mut self, scope: NodeId, name: &str) -> Option<NodeId> {
        let file = self.program.file_of(scope);
        let (module, name) = match name.rsplit_once('.') {
            Some((module, name)) => (Some(module), name),
            None => (None, name),
        };
        let name = self.program.names.get(name)?;
        match module {
            Some(module) => self.haskell_qualified(file, module, name, Space::Type),
            None => self.haskell_own(file, name, Space::Type).or_else(|| {
                self.haskell_imported(file, name, Space::Type, 0)
                    .map(|(node, _)| node)
            }),
        }
    }

    fn haskell_own(&self, file: FileId, name: Name, space: Space) -> Option<NodeId> {
        let members = self.modules.haskell.members(file, name);
        let fits = |node: &&NodeId| {
            use SymbolKind::{Enum, Struct, Trait, TypeAlias};
            let is_type = matches!(
                self.program.kind(**node),
                Some(Enum | Struct | Trait | TypeAlias)
            );
            is_type == (space == Space::Type)
        };
        members.iter().find(fits).copied()
    }

    fn haskell_imported(
        &mut self,
        file: FileId,
        name: Name,
        space: Space,
        hops: u32,
    ) -> Option<(NodeId, Reason)> {
        let program = self.program;
        let mut by_glob = None;
        for import in &program.facts(file).imports {
            if import.is(ImportFlags::MODULE) {
                continue;
            }
            let Some(exporter) = self.modules.haskell.find(&import.module) else {
                continue;
            };
            let is_glob = import.is(ImportFlags::GLOB);
            if is_glob && (by_glob.is_some() || hides(import, name, program)) {
                continue;
            }
            if !is_glob && !self.lists(import, exporter, name) {
                continue;
            }
            let found = self.haskell_exported(exporter, name, space, hops);
            match found {
                Some((node, _)) if is_glob => by_glob = Some((node, Reason::GlobImport)),
                Some((node, is_own)) => {
                    return Some((
                        node,
                        if is_own {
                            Reason::Import
                        } else {
                            Reason::ReExport
                        },
                    ));
                }
                None => {}
            }
        }
        by_glob
    }

    /// Whether an import of one name imports this name: `Shape(..)` imports constructors, fields and methods.
    fn lists(&self, import: &Import, exporter: FileId, name: Name) -> bool {
        let names = &self.program.names;
        if names.get(&import.name) == Some(name) && !import.local.ends_with("(..)") {
            return true;
        }
        if !import.local.ends_with("(..)") {
            return false;
        }
        let Some(of) = names.get(&import.name) else {
            return false;
        };
        self.modules
            .haskell
            .members(exporter, name)
            .iter()
            .any(|&node| {
                self.program
                    .scopes(node)
                    .skip(1)
                    .any(|outer| self.program.name(outer) == Some(of))
            })
    }

    /// Finds a name that a module exports: its own (true), else one that it imports.
    fn haskell_exported(
        &mut self,
        file: FileId,
        name: Name,
        space: Space,
        hops: u32,
    ) -> Option<(NodeId, bool)> {
        if let Some(node) = self.haskell_own(file, name, space) {
            return Some((node, true));
        }
        if hops >= MAX_HOPS {
            return None;
        }
        self.haskell_imported(file, name, space, hops + 1)
            .map(|(node, _)| (node, false))
    }

    /// `M.f`: looks in every module that this file imports as M.
    fn haskell_qualified(
        &mut self,
        file: FileId,
        qualifier: &str,
        name: Name,
        space: Space,
    ) -> Option<NodeId> {
        let program = self.program;
        let imports = program.facts(file).imports.iter();
        let mut named: Vec<&str> = imports
            .filter(|import| {
                let is_alias = import.is(ImportFlags::MODULE) && import.local == qualifier;
                is_alias || import.module == qualifier
            })
            .map(|import| import.module.as_str())
            .collect();
        named.dedup();
        named.into_iter().find_map(|module| {
            let exporter = self.modules.haskell.find(module)?;
            self.haskell_exported(exporter, name, space, 0)
                .map(|(node, _)| node)
        })
    }
}

/// Whether an import of everything leaves a name out.
fn hides(import: &Import, name: Name, program: &Program<'_>) -> bool {
    import
        .name
        .split(',')
        .any(|hidden| !hidden.is_empty() && program.names.get(hidden) == Some(name))
}
