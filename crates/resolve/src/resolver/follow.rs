//! Follows imports to the definitions that they import.

use syntax::facts::{Import, ImportFlags};

use crate::program::{Def, FileId, ImportId, NodeId};
use crate::resolver::questions::ImportOf;
use crate::resolver::{Found, Resolver, Space};

impl<'a> Resolver<'_, 'a> {
    /// Finds the target of an import.
    pub(crate) fn import(&mut self, file: FileId, index: ImportId, space: Space) -> Option<Found> {
        let import = self.program.import(file, index)?;
        self.answer(ImportOf(file, index, space), None, |this| {
            this.nested(|this| this.rules(file).import(this, file, import, space))
        })
    }

    /// Follows an import by the common rules: the module that it names, then the name in it.
    pub(crate) fn common_import(
        &mut self,
        file: FileId,
        import: &'a Import,
        space: Space,
    ) -> Option<Found> {
        let is_own = import.module.is_empty() && import.is(ImportFlags::REEXPORT);
        if is_own {
            return self.own_name(file, &import.name, space);
        }
        let module = self.module_of(file, import)?;
        if import.name.is_empty() || import.is(ImportFlags::MODULE) {
            return Some(Found::new(module));
        }
        self.rules(file)
            .imported_member(self, module, &import.name, space)
    }

    /// The scope in which an import is written.
    pub(crate) fn scope_of_import(&self, file: FileId, import: &Import) -> NodeId {
        self.program.scope(file, import.enclosing)
    }

    /// A name of a file that the file itself re-exports under another name.
    pub(crate) fn own_name(&mut self, file: FileId, name: &str, space: Space) -> Option<Found> {
        let interned = self.program.names.get(name)?;
        if let Some(node) = self.best_symbol(file.into(), interned, space) {
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
