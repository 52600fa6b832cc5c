//! Dart: packages by URI, libraries in several parts.

use syntax::facts::{Import, ImportFlags};

use crate::program::{Def, FileId};
use crate::resolver::{Flags, Found, LanguageRules, Resolver, Space};

/// The rules of Dart.
pub(crate) struct Dart;

impl LanguageRules for Dart {
    fn flags(&self) -> &'static Flags {
        &Flags::CLASSES
    }

    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        let path = r.program.path(file);
        match r.modules.dart.find(&r.modules.tree, path, &import.module) {
            Ok(found) => found,
            Err(outside) => Some(r.externals.def(&outside)),
        }
    }

    /// A part of a library sees the names and imports of the library.
    fn glob_member(
        &self,
        r: &mut Resolver<'_, '_>,
        import: &Import,
        module: Def,
        name: &str,
        space: Space,
    ) -> Option<Found> {
        let is_part = import.is(ImportFlags::CHILD_MODULE) && !import.is(ImportFlags::REEXPORT);
        match module {
            Def::Node(library) if is_part => {
                let interned = r.program.names.get(name);
                let (def, _) = r.lookup_in_module(library, u32::MAX, name, interned, space)?;
                Some(Found::new(def))
            }
            module => r.module_member(module, name, space),
        }
    }
}
