//! Go: multiple results of functions, embedded fields, files for one platform.

mod structural;

use syntax::facts::{Import, SymbolKind};

use crate::program::{Def, Family, FileId, Name, NodeId, is_function};
use crate::resolver::{Flags, Found, LanguageRules, Resolver, Space, Use};
use crate::text::{Chain, Head, Step, parse_chain};
use crate::types::Ty;
use graph::Reason;

/// The rules of Go.
pub(crate) struct Go;

const FLAGS: Flags = Flags {
    has_defined_types: true,
    ..Flags::COMMON
};

impl LanguageRules for Go {
    fn flags(&self) -> &'static Flags {
        &FLAGS
    }

    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        let (tree, module) = (&r.modules.tree, import.module.as_str());
        let found = r.modules.go.find(tree, r.program.path(file), module);
        Some(found.unwrap_or_else(|| r.externals.def(module)))
    }

    fn folder_member(
        &self,
        r: &mut Resolver<'_, '_>,
        folder: NodeId,
        _name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        let files = r.modules.tree.files_in(folder).iter().copied();
        let files = files.filter(|&file| r.program.family_of(file) == Family::Go);
        r.go_member(files, interned?, space)
            .map(|node| Found::new(Def::Node(node)))
    }

    fn lookup_beyond_file(
        &self,
        r: &mut Resolver<'_, '_>,
        file: FileId,
        _at: u32,
        _name: &str,
        interned: Name,
        space: Space,
    ) -> Option<Use> {
        let def = r.go_package_member(file, interned, space)?;
        Some((def, Reason::SamePackage))
    }

    fn relate_types(&self, r: &mut Resolver<'_, '_>) {
        r.read_structural_types();
    }

    fn bound(&self, r: &mut Resolver<'_, '_>, scope: NodeId, at: u32, value: &str) -> Ty {
        if value.ends_with(')') {
            r.go_second_result(scope, at, value)
        } else {
            r.evaluate(scope, at, value).ty
        }
    }

    /// `s.Storage` of a struct that embeds `storage.Storage`.
    fn embedded(&self, r: &mut Resolver<'_, '_>, node: NodeId, name: &str) -> Option<Ty> {
        if r.program.kind(node) != Some(SymbolKind::Struct) {
            return None;
        }
        let bases = &r.program.symbol(node)?.bases;
        let embedded = bases.iter().find(|base| {
            let path = base.name.split('[').next().unwrap_or_default();
            path.rsplit(['.', '*']).next() == Some(name)
        })?;
        Some(r.type_of_text(node, &embedded.name))
    }

    fn first_result<'t>(&self, text: &'t str) -> &'t str {
        result_at(text, 0).unwrap_or(text)
    }
}

impl Resolver<'_, '_> {
    /// The second result of a written call, `h, b := r.bucket(hash)`: of named functions and methods only.
    pub(crate) fn go_second_result(&mut self, scope: NodeId, at: u32, call: &str) -> Ty {
        let mut chain = parse_chain(call);
        if chain.steps.pop() != Some(Step::Call) {
            return Ty::Unknown;
        }
        let called = self.called_function(scope, at, &mut chain);
        let symbol = called.and_then(|node| self.program.symbol(node));
        match (
            called,
            symbol.and_then(|symbol| result_at(&symbol.type_text, 1)),
        ) {
            (Some(function), Some(text)) => self.type_of_text(function, text),
            _ => Ty::Unknown,
        }
    }

    /// The function that a chain calls; removes the last step of the chain.
    fn called_function(&mut self, scope: NodeId, at: u32, chain: &mut Chain<'_>) -> Option<NodeId> {
        let callee = match chain.steps.pop() {
            Some(Step::Member(name)) => {
                let receiver = self.evaluate_chain(scope, at, chain).ty;
                self.member_for(&receiver, name, true)?.0
            }
            None => match chain.head {
                Head::Name(name) => self.lookup(scope, at, name, Space::Value)?.0,
                _ => return None,
            },
            Some(_) => return None,
        };
        match callee {
            Def::Node(node) if self.program.kind(node).is_some_and(is_function) => Some(node),
            _ => None,
        }
    }

    /// Names of the other files of a Go package; those of its tests only for tests.
    pub(crate) fn go_package_member(
        &mut self,
        file: FileId,
        name: Name,
        space: Space,
    ) -> Option<Def> {
        let folder = self.modules.tree.folder_of(file);
        let package = self.program.facts(file).package.as_str();
        let files = self.modules.tree.files_in(folder);
        let files = files
            .iter()
            .filter(|&&other| {
                self.program.family_of(other) == Family::Go
                    && self.program.facts(other).package == package
                    && (self.program.is_test(file) || !self.program.is_test(other))
            })
            .copied();
        self.go_member(files, name, space).map(Def::Node)
    }

    /// Finds a name in one of the files of a package. A definition that the default build leaves out is found where no
    /// other defines the name.
    pub(crate) fn go_member(
        &self,
        files: impl Iterator<Item = FileId>,
        name: Name,
        space: Space,
    ) -> Option<NodeId> {
        let mut first = None;
        for file in files {
            let Some(node) = self.best_symbol(file.into(), name, space) else {
                continue;
            };
            if !self.program.is_left_out(node) {
                return Some(node);
            }
            first = first.or(Some(node));
        }
        first
    }
}

/// The written type of a result: of `(t *Tx, err error)` the first is `*Tx`.
pub(crate) fn result_at(text: &str, position: usize) -> Option<&str> {
    let Some(inside) = text.trim().strip_prefix('(') else {
        return (position == 0).then_some(text);
    };
    let inside = inside.strip_suffix(')').unwrap_or(inside);
    let results = pieces(inside);
    let is_named = results.iter().any(|piece| behind_name(piece).is_some());
    let here = results.get(position..)?;
    if is_named {
        here.iter().find_map(|piece| behind_name(piece))
    } else {
        here.first().copied()
    }
}

/// Splits a text at commas outside of all brackets.
fn pieces(text: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0usize, 0);
    let mut found = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                found.extend(text.get(start..at).map(str::trim));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(text.get(start..).map(str::trim));
    found
}

/// The type behind a result's name, where it has both.
fn behind_name(piece: &str) -> Option<&str> {
    let (name, written) = piece.split_once(' ')?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && name != "chan";
    is_name.then_some(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_by_position() {
        for (text, first, second) in [
            ("error", Some("error"), None),
            ("(*Tx, error)", Some("*Tx"), Some("error")),
            ("(t *Tx, err error)", Some("*Tx"), Some("error")),
            ("(a, b []byte)", Some("[]byte"), Some("[]byte")),
            (
                "(func(a int) error, chan int)",
                Some("func(a int) error"),
                Some("chan int"),
            ),
            (
                "(map[string]int, bool)",
                Some("map[string]int"),
                Some("bool"),
            ),
            ("(x map[K]V)", Some("map[K]V"), None),
            ("()", Some(""), None),
        ] {
            assert_eq!(
                (result_at(text, 0), result_at(text, 1)),
                (first, second),
                "{text}"
            );
        }
    }
}
