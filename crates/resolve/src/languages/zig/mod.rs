//! Zig: a file is a container like others; written types include pointers, optionals and error unions.

use syntax::facts::Import;

use crate::program::{Def, FileId, NodeId};
use crate::resolver::{Common, Flags, Found, LanguageRules, Own, Resolver, Space, Use};
use crate::text::parse_chain;
use crate::types::{Ty, Value};
use graph::Reason;

/// The rules of Zig.
pub(crate) struct Zig;

const FLAGS: Flags = Flags {
    has_implicit_this: true,
    files_are_types: true,
    calls_give_types: true,
    ..Flags::COMMON
};

impl LanguageRules for Zig {
    fn flags(&self) -> &'static Flags {
        &FLAGS
    }

    /// `@import("a.zig").b.C`
    fn imported_member(
        &self,
        r: &mut Resolver<'_, '_>,
        module: Def,
        name: &str,
        space: Space,
    ) -> Option<Found> {
        let mut parts = name.split('.');
        let first = r.module_member(module, parts.next()?, space)?;
        parts.try_fold(first, |found, part| r.module_member(found.def, part, space))
    }

    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        Some(r.zig_module(r.program.path(file), &import.module))
    }

    fn named_type(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        segments: &[&str],
    ) -> Own<Option<Use>> {
        match segments.first() {
            Some(&"Self") => Ok(Some((r.zig_container(scope), Reason::SelfType))),
            _ => Err(Common),
        }
    }

    fn type_name<'t>(&self, text: &'t str) -> &'t str {
        zig_type(text)
    }

    fn evaluate(&self, r: &mut Resolver<'_, '_>, scope: NodeId, at: u32, text: &str) -> Value {
        let text = if text.starts_with(['*', '?', '[']) {
            zig_type(text)
        } else {
            text
        };
        if let Some((ty, rest)) = r.zig_imported(scope, text) {
            return r.evaluate_from(ty, &parse_chain(rest));
        }
        r.evaluate_chain(scope, at, &parse_chain(text))
    }
}

impl Resolver<'_, '_> {
    /// The file of an import, or the package outside.
    pub(crate) fn zig_module(&mut self, from: &str, module: &str) -> Def {
        match crate::modules::zig_file(&self.modules.tree, from, module) {
            Some(file) => file.into(),
            None => self.externals.def(module),
        }
    }

    /// `@import("a.zig")` at the head of a receiver: the file and what follows it.
    pub(crate) fn zig_imported<'t>(
        &mut self,
        scope: NodeId,
        receiver: &'t str,
    ) -> Option<(Ty, &'t str)> {
        let rest = receiver.strip_prefix("@import(\"")?;
        let (module, rest) = rest.split_once("\")")?;
        let path = self.program.path(self.program.file_of(scope));
        let def = self.zig_module(path, module);
        Some((Ty::Def(def), rest.trim_start_matches('.')))
    }

    /// The container around a place; at the top the file.
    pub(crate) fn zig_container(&self, scope: NodeId) -> Def {
        self.program
            .enclosing_type(scope)
            .map_or(self.program.file_of(scope).into(), Def::Node)
    }
}

/// The name in a written type: `Foo` of `!*const Foo`, `anyerror!?Foo`, `Foo(u8)`. Slices and arrays give the name of
/// their items.
pub(crate) fn zig_type(text: &str) -> &str {
    let mut rest = text.trim();
    loop {
        let next = rest.trim_start_matches(['*', '?', '&']);
        let next = next.strip_prefix("const ").unwrap_or(next);
        let next = match (next.strip_prefix('['), next.find(']')) {
            (Some(_), Some(end)) => next.get(end + 1..).unwrap_or_default(),
            _ => next,
        };
        let next = match next.split_once('!') {
            Some((_, result)) => result,
            None => next,
        };
        if next.len() == rest.len() {
            break;
        }
        rest = next;
    }
    if rest.starts_with("@This") {
        return "Self";
    }
    rest.split('(').next().unwrap_or(rest).trim()
}

#[cfg(test)]
mod tests {
    use super::zig_type;

    #[test]
    fn the_name_is_found_behind_pointers_and_errors() {
        for (text, expected) in [
            ("!*const Foo", "Foo"),
            ("anyerror!?Foo", "Foo"),
            ("[]const Foo", "Foo"),
            ("*Stack(u8)", "Stack"),
            ("*@This()", "Self"),
            ("std.mem.Allocator", "std.mem.Allocator"),
        ] {
            assert_eq!(zig_type(text), expected, "{text}");
        }
    }
}
