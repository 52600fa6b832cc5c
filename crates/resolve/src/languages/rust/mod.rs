//! Rust's paths: `crate::a::b`, `super::c`, `Self::D`, `other_crate::e`.

mod blanket;
mod extension;
mod macros;
mod members;

use syntax::facts::{Import, ImportFlags, Reference, ReferenceForm, Symbol, SymbolKind};

use crate::program::{Def, FileId, Name, NodeId, is_function};
use crate::resolver::{Common, Flags, Found, LanguageRules, Own, Resolver, Space, Use};
use crate::types::{Ty, Value};
use graph::Reason;

/// The rules of Rust.
pub(crate) struct Rust;

const FLAGS: Flags = Flags {
    selves: &["self"],
    above: "",
    modules_inherit_scope: false,
    imports_macros: true,
    has_extension_traits: true,
    module_reason: Reason::Path,
    ..Flags::COMMON
};

impl LanguageRules for Rust {
    fn flags(&self) -> &'static Flags {
        &FLAGS
    }

    /// A glob in the body of a function.
    fn lookup_in_local_imports(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        name: &str,
        _interned: Option<Name>,
        space: Space,
    ) -> Option<Use> {
        if !r.program.kind(scope).is_some_and(is_function) {
            return None;
        }
        let found = r.by_glob(scope, name, space)?;
        Some((found.def, Reason::GlobImport))
    }

    fn import<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
        space: Space,
    ) -> Option<Found> {
        r.rust_import(r.scope_of_import(file, import), import, space)
    }

    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        let scope = r.scope_of_import(file, import);
        if import.is(ImportFlags::CHILD_MODULE) {
            return Some(r.rust_import(scope, import, Space::Type)?.def);
        }
        let found = r.rust_path(scope, &import.module, true, Space::Type)?;
        Some(found.def)
    }

    fn declared_child(&self, r: &Resolver<'_, '_>, module: NodeId, name: Name) -> Option<NodeId> {
        r.modules.rust.child(module, name).map(NodeId::from)
    }

    fn read_decorators<'a>(&self, r: &mut Resolver<'_, 'a>, node: NodeId, symbol: &'a Symbol) {
        r.read_derives(node, &symbol.rare.decorators, symbol.span.start_line);
    }

    fn named_type(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        segments: &[&str],
    ) -> Own<Option<Use>> {
        if segments.len() < 2 {
            return Err(Common);
        }
        let found = r.rust_path(scope, &segments.join("::"), false, Space::Type);
        Ok(found.map(|found| (found.def, Reason::Path)))
    }

    fn universal_member(&self, r: &Resolver<'_, '_>, of: &Ty, name: Name) -> Option<Def> {
        r.blanket_member(of, name)
    }

    fn head(&self, r: &mut Resolver<'_, '_>, scope: NodeId, name: &str) -> Own<Value> {
        if !matches!(name, "crate" | "self" | "super" | "$crate") {
            return Err(Common);
        }
        let found = r.rust_path(scope, name, false, Space::Type);
        Ok(Value {
            ty: found.map_or(Ty::Unknown, |found| Ty::Def(found.def)),
            reason: Reason::Path,
        })
    }

    fn package_named(&self, r: &mut Resolver<'_, '_>, scope: NodeId, name: &str) -> Option<Def> {
        let found = r.rust_path(scope, name, false, Space::Type)?;
        Some(found.def)
    }

    fn dereferenced_member(
        &self,
        r: &mut Resolver<'_, '_>,
        node: NodeId,
        name: &str,
    ) -> Option<Use> {
        r.through_associated(node, name)
    }

    fn path_use(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        reference: &Reference,
        space: Space,
    ) -> Option<Use> {
        let is_of_value = matches!(
            reference.form,
            ReferenceForm::MethodCall | ReferenceForm::Member
        );
        if is_of_value || reference.receiver.is_none() {
            return None;
        }
        r.rust_path_use(scope, reference, space)
    }

    /// Macros are in scope by their place in the text.
    fn guesses_unique(&self, space: Space) -> bool {
        space == Space::Macro
    }

    /// Whether a file can hold values of another crate's types. Computed once for each pair of crates.
    fn sees(&self, r: &mut Resolver<'_, '_>, from: FileId, node: NodeId) -> bool {
        if !r.reaches_macro(from, node) {
            return false;
        }
        let to = r.program.file_of(node);
        let (rust, program) = (&r.modules.rust, r.program);
        let key = (
            rust.root(program, from.into()),
            rust.root(program, to.into()),
        );
        *r.crates_seen
            .entry(key)
            .or_insert_with(|| rust.sees(program, from, to))
    }
}

impl<'a> Resolver<'_, 'a> {
    /// Finds the target of a `use` or `mod` declaration.
    pub fn rust_import(
        &mut self,
        scope: NodeId,
        import: &'a Import,
        space: Space,
    ) -> Option<Found> {
        let module = self.program.enclosing_module(scope);
        if import.is(ImportFlags::CHILD_MODULE) {
            let name = self.program.names.get(&import.local)?;
            return self
                .modules
                .rust
                .child(module, name)
                .map(|file| Found::new(file.into()));
        }
        if import.name.is_empty() {
            return self.rust_path(scope, &import.module, true, space);
        }
        if import.module.is_empty() {
            return self.rust_path(scope, &import.name, true, space);
        }
        let around = self.rust_path(scope, &import.module, true, Space::Type)?;
        let found = self.module_member(around.def, &import.name, space)?;
        Some(Found {
            hops: found.hops.max(around.hops),
            by_glob: found.by_glob || around.by_glob,
            ..found
        })
    }

    /// Resolves a path from a scope. `is_import` is true for a path after `use`, which may begin with a crate.
    pub fn rust_path(
        &mut self,
        scope: NodeId,
        path: &str,
        is_import: bool,
        space: Space,
    ) -> Option<Found> {
        let mut segments = segments(path)
            .map(|segment| segment.split('<').next().unwrap_or(segment))
            .peekable();
        let first = segments.next()?;
        let mut found = if first.is_empty() {
            self.rust_crate(scope, segments.next()?)?
        } else {
            self.rust_head(
                scope,
                first,
                is_import,
                if segments.peek().is_some() {
                    Space::Type
                } else {
                    space
                },
            )?
        };
        while let Some(segment) = segments.next() {
            if segment.is_empty() {
                continue;
            }
            let space = if segments.peek().is_some() {
                Space::Type
            } else {
                space
            };
            let next = match (segment, found.def) {
                ("super", Def::Node(module)) => {
                    Found::new(Def::Node(self.modules.rust.parent(self.program, module)?))
                }
                ("self", _) => found,
                _ => self.module_member(found.def, segment, space)?,
            };
            found = Found {
                hops: next.hops.max(found.hops),
                by_glob: next.by_glob || found.by_glob,
                ..next
            };
        }
        Some(found)
    }

    fn rust_head(
        &mut self,
        scope: NodeId,
        first: &str,
        is_import: bool,
        space: Space,
    ) -> Option<Found> {
        let module = self.program.enclosing_module(scope);
        match first {
            "crate" | "$crate" => {
                return Some(Found::new(Def::Node(
                    self.modules.rust.root(self.program, module),
                )));
            }
            "self" => return Some(Found::new(Def::Node(module))),
            "super" => {
                return self
                    .modules
                    .rust
                    .parent(self.program, module)
                    .map(|module| Found::new(Def::Node(module)));
            }
            "Self" => return self.self_type(scope).map(Found::new),
            _ => {}
        }
        if is_import {
            // A child module before a crate of the same name; other names of the module may come by this very import.
            let child = self.program.names.get(first).and_then(|name| {
                let inline = self.best_symbol(module, name, Space::Type).filter(|&node| {
                    self.program
                        .kind(node)
                        .is_some_and(|kind| matches!(kind, SymbolKind::Module | SymbolKind::Enum))
                });
                inline.or_else(|| Some(self.modules.rust.child(module, name)?.into()))
            });
            if let Some(child) = child {
                return Some(Found::new(Def::Node(child)));
            }
            if let Some(root) = self
                .modules
                .rust
                .crate_root(self.program.path(self.program.file_of(scope)), first)
            {
                return Some(Found::new(root.into()));
            }
        }
        if let Some((def, reason)) = self.lookup(scope, u32::MAX, first, space) {
            let hops = u8::from(reason == Reason::ReExport);
            return Some(Found {
                def,
                hops,
                by_glob: reason == Reason::GlobImport,
            });
        }
        if is_import {
            self.rust_crate(scope, first)
        } else {
            self.inside_crate(scope, first)
        }
    }

    fn inside_crate(&mut self, scope: NodeId, name: &str) -> Option<Found> {
        match self.rust_crate(scope, name)?.def {
            Def::External(_) if !is_std(name) => None,
            def => Some(Found::new(def)),
        }
    }

    /// A crate of the repository, else an external one.
    fn rust_crate(&mut self, scope: NodeId, name: &str) -> Option<Found> {
        let path = self.program.path(self.program.file_of(scope));
        let root = self.modules.rust.crate_root(path, name);
        Some(Found::new(
            root.map_or_else(|| self.externals.def(name), Def::from),
        ))
    }
}

/// The parts between `::`. Paths are short: setting up a search for two bytes would take longer than a scan.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(path);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.as_bytes().windows(2).position(|pair| pair == b"::");
        rest = end.map(|end| &text[end + 2..]);
        Some(end.map_or(text, |end| &text[..end]))
    })
}

fn is_std(name: &str) -> bool {
    matches!(name, "std" | "core" | "alloc" | "proc_macro" | "test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_segments() {
        for path in ["a::b", "::a", "a", "", "a:::b", "ä::", "a:b::c"] {
            let expected: Vec<&str> = path.split("::").collect();
            assert_eq!(segments(path).collect::<Vec<_>>(), expected, "{path}");
        }
    }
}
