//! JavaScript and TypeScript: default exports, and CommonJS modules that are functions or have names set on them.

use syntax::facts::Import;

use crate::modules::EcmaTarget;
use crate::program::{Def, FileId, Name, NodeId};
use crate::resolver::{Common, Flags, Found, LanguageRules, Own, Resolver, Space};
use crate::types::Ty;

/// Maximum length of a chain of modules that re-export another by `module.exports = require(…)`.
const MAX_HOPS: u32 = 8;

/// The rules of JavaScript and TypeScript.
pub(crate) struct Ecma;

const FLAGS: Flags = Flags {
    selves: &["this"],
    members_need_receiver: true,
    types_are_erased: true,
    imports_are_private: true,
    reexports_declare_nothing: true,
    has_usual_types: true,
    locals_are_modules: true,
    ..Flags::COMMON
};

impl LanguageRules for Ecma {
    fn flags(&self) -> &'static Flags {
        &FLAGS
    }

    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        let module = import.module.as_str();
        r.module_in_folder(file, module, |r| {
            let tree = &r.modules.tree;
            let folder = tree.folder_path(tree.folder_of(file));
            match r.modules.ecma.find(tree, folder, module)? {
                EcmaTarget::Inside(def) => Some(def),
                EcmaTarget::Outside(name) => Some(r.externals.def(&name)),
            }
        })
    }

    /// `(await import("./a.js")).f()`, `require("./a")()`.
    fn named_module(&self, r: &mut Resolver<'_, '_>, scope: NodeId, path: &str) -> Ty {
        let tree = &r.modules.tree;
        let folder = tree.folder_path(tree.folder_of(r.program.file_of(scope)));
        match r.modules.ecma.find(tree, folder, path) {
            Some(EcmaTarget::Inside(def)) => Ty::Def(def),
            Some(EcmaTarget::Outside(_)) | None => Ty::Outside,
        }
    }

    /// A star does not re-export a default export.
    fn comes_by_glob(&self, name: &str) -> bool {
        name != "default"
    }

    fn default_export(
        &self,
        r: &Resolver<'_, '_>,
        module: NodeId,
        name: &str,
    ) -> Own<Option<Found>> {
        if name != "default" {
            return Err(Common);
        }
        let file = r.program.as_file(module);
        let default = file.and_then(|file| r.default_exports.get(&file));
        Ok(default.map(|&node| Found::new(Def::Node(node))))
    }

    /// `exports.f = function () {}`, `app.f = …`.
    fn assigned_member(&self, r: &Resolver<'_, '_>, module: NodeId, name: Name) -> Option<NodeId> {
        let mut assigned = r.program.symbols_in(module, name).filter(|&node| {
            r.program.symbol(node).is_some_and(|symbol| {
                !symbol.rare.owner.is_empty() && !symbol.rare.owner.ends_with(".prototype")
            })
        });
        assigned.next()
    }

    /// The function or class that a CommonJS module is, itself or by `module.exports = require(…)`.
    fn module_as_function(&self, r: &mut Resolver<'_, '_>, file: FileId) -> Option<NodeId> {
        let mut current = file;
        for _ in 0..MAX_HOPS {
            if let Some(Found {
                def: Def::Node(node),
                ..
            }) = r.module_member(current.into(), "default", Space::Value)
            {
                return r.program.symbol(node).map(|_| node);
            }
            let glob = r
                .program
                .globs(current.into())
                .next()
                .and_then(|index| r.program.import(current, index))?;
            match r.module_of(current, glob)? {
                Def::Node(next) => current = r.program.as_file(next)?,
                _ => return None,
            }
        }
        None
    }
}
