//! Python: packages are folders; `import a.b` binds `a`.

use syntax::facts::{Import, ImportFlags};

use crate::modules::folder_of;
use crate::program::{Def, FileId, Name, NodeId};
use crate::resolver::{Flags, Found, LanguageRules, Resolver, Space, Use};

/// The rules of Python.
pub(crate) struct Python;

const FLAGS: Flags = Flags {
    selves: &["self", "cls"],
    selves_are_names: true,
    has_narrowing: true,
    class_body_is_scope: true,
    has_usual_types: true,
    ..Flags::COMMON
};

impl LanguageRules for Python {
    fn flags(&self) -> &'static Flags {
        &FLAGS
    }

    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        let module = bound_module(import);
        r.module_in_folder(file, module, |r| {
            let tree = &r.modules.tree;
            let folder = tree.folder_path(tree.folder_of(file));
            let found = r.modules.python.find(tree, folder, module);
            let head = module.split('.').next().unwrap_or(module);
            found.or_else(|| (!module.starts_with('.')).then(|| r.externals.def(head)))
        })
    }

    fn folder_member(
        &self,
        r: &mut Resolver<'_, '_>,
        folder: NodeId,
        name: &str,
        _interned: Option<Name>,
        _space: Space,
    ) -> Option<Found> {
        let tree = &r.modules.tree;
        let child = r
            .modules
            .python
            .child(tree, tree.folder_path(folder), name)?;
        Some(Found::new(child))
    }

    fn submodule(
        &self,
        r: &Resolver<'_, '_>,
        module: NodeId,
        name: &str,
        _interned: Option<Name>,
    ) -> Option<Def> {
        let path = r.program.path(r.program.as_file(module)?);
        let is_package = path.ends_with("__init__.py") || path.ends_with("__init__.pyi");
        let child = || {
            r.modules
                .python
                .child(&r.modules.tree, folder_of(path), name)
        };
        is_package.then(child).flatten()
    }

    /// `super()` makes an object that looks up members in supertypes; it calls nothing of the repository.
    fn super_call(&self, _r: &mut Resolver<'_, '_>, _scope: NodeId) -> Option<Use> {
        None
    }
}

/// `import a.b` of Python binds a.
fn bound_module(import: &Import) -> &str {
    let module = import.module.as_str();
    let head = module.split('.').next().unwrap_or(module);
    if import.is(ImportFlags::MODULE) && import.local == head {
        head
    } else {
        module
    }
}
