//! Finds the module that an import names, by the rules of its language.

use syntax::facts::Import;

use crate::program::{Def, FileId, ImportId};
use crate::resolver::Resolver;
use crate::resolver::questions::StarOf;

impl<'a> Resolver<'_, 'a> {
    /// The module that an import names.
    pub(crate) fn module_of(&mut self, file: FileId, import: &'a Import) -> Option<Def> {
        self.rules(file).module_of(self, file, import)
    }

    /// Finds a module that depends only on its written name and the folder of the file. Computed once.
    pub(crate) fn module_in_folder(
        &mut self,
        file: FileId,
        module: &'a str,
        find: impl FnOnce(&mut Self) -> Option<Def>,
    ) -> Option<Def> {
        let family = self.program.family_of(file);
        let key = (family, self.modules.tree.folder_of(file), module);
        if let Some(known) = self.found_modules.get(&key) {
            return *known;
        }
        let found = find(self);
        self.found_modules.insert(key, found);
        found
    }

    /// The module whose names an import imports as a whole.
    pub(crate) fn glob_module(
        &mut self,
        file: FileId,
        index: ImportId,
        import: &'a Import,
    ) -> Option<Def> {
        self.answer(StarOf(file, index), None, |this| {
            this.module_of(file, import)
        })
    }
}
