//! The module that an import names, by the rules of its language.

use syntax::facts::Import;

use crate::program::Def;
use crate::resolver::Resolver;

/// A star's module is looked for through so many other stars: each of them asks all of its scope.
const MAX_OPEN_GLOBS: u32 = 3;

impl<'a> Resolver<'_, 'a> {
    /// The module that an import names.
    pub(crate) fn module_of(&mut self, file: u32, import: &'a Import) -> Option<Def> {
        self.rules(file).module_of(self, file, import)
    }

    /// Looks once for a module of which its text and the folder of the file say everything.
    pub(crate) fn module_in_folder(
        &mut self,
        file: u32,
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

    /// The module that an import of all names is about. An answer that lacks something is kept only if no question was open that it may
    /// have led back to.
    pub(crate) fn glob_module(&mut self, file: u32, index: u32, import: &'a Import) -> Option<Def> {
        if let Some(known) = self.found_globs.get(&(file, index)) {
            return *known;
        }
        // In Rust the head of its path may come by the other stars of the scope, whose heads may come by this one: two dozen ways
        // of asking in circles are millions.
        if self.n_open_globs >= MAX_OPEN_GLOBS {
            return None;
        }
        self.n_open_globs += 1;
        self.found_globs.insert((file, index), None);
        let found = self.module_of(file, import);
        self.found_globs.remove(&(file, index));
        self.n_open_globs -= 1;
        let is_whole = self.n_open == 0 && self.n_open_globs == 0;
        if is_whole || found.is_some_and(|def| !matches!(def, Def::External(_))) {
            self.found_globs.insert((file, index), found);
        }
        found
    }
}
