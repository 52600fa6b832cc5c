//! Languages in which a definition is visible wherever its file is included: shells, style sheets, SQL.

use syntax::facts::{Import, Reference, SymbolKind};

use crate::modules::{Tree, sourced, style_sheet};
use crate::program::{Def, FileId, Name, NodeId, is_function};
use crate::resolver::Space;
use crate::resolver::{LanguageRules, Own, Resolver, Use};
use graph::Reason;

/// Maximum number of files that one file includes, directly or not.
const MAX_FILES: usize = 200;

/// Finds the file that an import of another file names.
type Included = fn(&Tree<'_>, &str, &str) -> Option<FileId>;

/// The rules of languages whose definitions are visible wherever their file is included.
pub(crate) struct Global(Included);

/// The rules of shells.
pub(crate) const SHELL: Global = Global(sourced);

/// The rules of CSS and its dialects.
pub(crate) const STYLE: Global = Global(style_sheet);

/// The rules of SQL and of users' languages: definitions are visible everywhere, and no file includes another.
pub(crate) const EVERYWHERE: Global = Global(|_, _, _| None);

impl LanguageRules for Global {
    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        let Global(included) = self;
        included(&r.modules.tree, r.program.path(file), &import.module).map(Def::from)
    }

    fn resolve_use(
        &self,
        r: &mut Resolver<'_, '_>,
        file: FileId,
        _scope: NodeId,
        reference: &Reference,
        _space: Space,
    ) -> Own<Option<Use>> {
        Ok(r.global_use(file, reference))
    }
}

impl Resolver<'_, '_> {
    /// Resolves a name in its own file, in files that it includes, in files that include it, else the only definition
    /// of the name.
    pub(crate) fn global_use(
        &mut self,
        file: FileId,
        reference: &Reference,
    ) -> Option<(Def, Reason)> {
        let name = self.program.names.get(&reference.name)?;
        let is_call = reference.form.is_call();
        if let Some(node) = self.defined_in(file, name, is_call) {
            return Some((Def::Node(node), Reason::SameFile));
        }
        let taken_in = self.taken_in(file);
        let found = taken_in
            .iter()
            .find_map(|&other| self.defined_in(other, name, is_call));
        if let Some(node) = found {
            return Some((Def::Node(node), Reason::GlobImport));
        }
        let family = self.program.family_of(file);
        let is_test = self.program.is_test(file);
        let mut all = self.program.named(name).filter(|&node| {
            self.program.family_of(node) == family
                && self.fits(node, is_call)
                && (is_test || !self.program.is_test(node))
        });
        match (all.next(), all.next()) {
            (Some(only), None) => Some((Def::Node(only), Reason::UniqueName)),
            _ => None,
        }
    }

    fn defined_in(&self, file: FileId, name: Name, is_call: bool) -> Option<NodeId> {
        self.program
            .named(name)
            .find(|&node| self.program.file_of(node) == file && self.fits(node, is_call))
    }

    fn fits(&self, node: NodeId, is_call: bool) -> bool {
        let Some(symbol) = self.program.symbol(node) else {
            return false;
        };
        match symbol.kind {
            SymbolKind::Section | SymbolKind::Field => false,
            kind if is_call => is_function(kind),
            _ => true,
        }
    }

    /// The files that a file includes, nearest first.
    fn taken_in(&mut self, file: FileId) -> std::rc::Rc<[FileId]> {
        if let Some(known) = self.taken_in.get(&file) {
            return std::rc::Rc::clone(known);
        }
        let mut seen = vec![file];
        let mut next = 0;
        while let Some(&current) = seen.get(next).filter(|_| seen.len() <= MAX_FILES) {
            next += 1;
            for import in &self.program.facts(current).imports {
                if let Some(Def::Node(other)) = self.module_of(current, import)
                    && let Some(other) = self.program.as_file(other)
                    && !seen.contains(&other)
                {
                    seen.push(other);
                }
            }
        }
        let tree: std::rc::Rc<[FileId]> = seen.get(1..).unwrap_or_default().into();
        self.taken_in.insert(file, std::rc::Rc::clone(&tree));
        tree
    }
}
