//! Ruby: constants by nesting, methods of the receiver or `self`, classes that are opened in many places.
//!
//! A name with a capital is a constant: it is looked for in the classes and modules around, innermost first, in their
//! supertypes, then at the top. Another name is a variable, else a method of `self`. A member is a call, with or
//! without brackets; `Foo.new` makes a Foo.

mod core_methods;
mod named;
mod values;

use syntax::facts::{Chain, Head, Import, Reference, ReferenceForm, Step, SymbolKind};
use syntax::order::InOrder;

use crate::program::{Def, FileId, NodeId, is_common_method, is_function};
use crate::resolver::{Flags, LanguageRules, Own, Resolver, Space, Use};
use crate::types::{Ty, Value};
use core_methods::is_core_method;
use graph::Reason;

/// The rules of Ruby.
pub(crate) struct Ruby;

const FLAGS: Flags = Flags {
    selves: &["self"],
    mixes_in: true,
    ..Flags::COMMON
};

impl LanguageRules for Ruby {
    fn flags(&self) -> &'static Flags {
        &FLAGS
    }

    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        let path = r.program.path(file);
        let found = r.modules.ruby.find(&r.modules.tree, path, &import.module);
        found.map(Def::from)
    }

    fn join_types(&self, r: &mut Resolver<'_, '_>) {
        r.join_openings();
    }

    fn relate_types(&self, r: &mut Resolver<'_, '_>) {
        r.extend_includers();
    }

    fn result(&self, r: &mut Resolver<'_, '_>, method: NodeId, this: Option<&Ty>) -> Ty {
        r.ruby_last_value(method, this)
    }

    fn named_type(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        segments: &[&str],
    ) -> Own<Option<Use>> {
        let node = r.ruby_constant(scope, &segments.join("::"));
        Ok(node.map(|node| (Def::Node(node), Reason::Path)))
    }

    fn chain(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        at: u32,
        chain: &Chain<'_>,
    ) -> Own<Value> {
        Ok(r.ruby_chain(scope, at, chain))
    }

    fn resolve_use(
        &self,
        r: &mut Resolver<'_, '_>,
        file: FileId,
        scope: NodeId,
        reference: &Reference,
        _space: Space,
    ) -> Own<Option<Use>> {
        Ok(r.ruby_use(file, scope, reference))
    }
}

impl Resolver<'_, '_> {
    /// Joins the openings of each class: the first is the class, the others are its blocks.
    pub(crate) fn join_openings(&mut self) {
        let modules = self.modules;
        let mut all: Vec<&[NodeId]> = modules.ruby.reopened().collect();
        all.order_by(Ord::cmp);
        for nodes in all {
            let Some((&first, others)) = nodes.split_first() else {
                continue;
            };
            for &other in others {
                self.heritage.join(first, other);
            }
        }
    }

    /// Resolves a use in a Ruby file.
    pub(crate) fn ruby_use(
        &mut self,
        file: FileId,
        scope: NodeId,
        reference: &Reference,
    ) -> Option<(Def, Reason)> {
        let name = reference.name.as_str();
        let Some(receiver) = self.program.receiver(file, reference) else {
            return if is_constant(name) {
                self.ruby_constant_use(file, scope, name)
            } else {
                self.ruby_bare(file, scope, reference)
            };
        };
        let names_constant = matches!(
            reference.form,
            ReferenceForm::New | ReferenceForm::Member | ReferenceForm::Value
        );
        if is_constant(name) && names_constant {
            let path = constant_path(&receiver)?;
            return self.ruby_constant_use(file, scope, &format!("{path}::{name}"));
        }
        let value = self.value_of_receiver(file, scope, reference.span.start, reference);
        // `a.name = 1` calls `name=`.
        let assigned = (reference.form == ReferenceForm::Member).then(|| format!("{name}="));
        let setter = assigned.and_then(|setter| self.ruby_member(&value.ty, &setter));
        match setter.or_else(|| self.ruby_member(&value.ty, name)) {
            Some((def, extra)) => Some((def, extra.unwrap_or(value.reason))),
            None if value.ty == Ty::Unknown => self
                .ruby_named_like(file, scope, &receiver, name)
                .or_else(|| self.ruby_unique(file, scope, name)),
            None => None,
        }
    }

    fn ruby_constant_use(
        &mut self,
        file: FileId,
        scope: NodeId,
        path: &str,
    ) -> Option<(Def, Reason)> {
        let node = self.ruby_constant(scope, path)?;
        let reason = if self.program.file_of(node) == file {
            Reason::SameFile
        } else {
            Reason::Path
        };
        Some((Def::Node(node), reason))
    }

    /// A constant by its path as written, from where it is written.
    pub(crate) fn ruby_constant(&mut self, scope: NodeId, path: &str) -> Option<NodeId> {
        let ruby = &self.modules.ruby;
        if let Some(absolute) = path.strip_prefix("::") {
            return ruby.constant(absolute);
        }
        let (first, rest) = path.split_once("::").unwrap_or((path, ""));
        let found = self.ruby_first(scope, first)?;
        let mut current = found;
        for part in rest.split("::").filter(|part| !part.is_empty()) {
            let inside = ruby.path(current).map(|around| format!("{around}::{part}"));
            current = inside
                .and_then(|path| ruby.constant(&path))
                .or_else(|| self.ruby_inherited_constant(current, part))?;
        }
        Some(current)
    }

    fn ruby_first(&self, scope: NodeId, name: &str) -> Option<NodeId> {
        let ruby = &self.modules.ruby;
        for around in self.program.scopes(scope) {
            // `class A::B` opens B only, but most code means the constants of A as well.
            let mut path = ruby.path(around);
            while let Some(outer) = path {
                if let Some(node) = ruby.constant(&format!("{outer}::{name}")) {
                    return Some(node);
                }
                path = outer.rsplit_once("::").map(|(outer, _)| outer);
            }
        }
        let class = self.ruby_class(scope);
        class
            .and_then(|class| self.ruby_inherited_constant(class, name))
            .or_else(|| ruby.constant(name))
    }

    fn ruby_inherited_constant(&self, class: NodeId, name: &str) -> Option<NodeId> {
        let ruby = &self.modules.ruby;
        let mut seen = vec![class];
        let mut next = 0;
        while let Some(&current) = seen.get(next).filter(|_| seen.len() < 100) {
            next += 1;
            for &above in self.heritage.supers(current) {
                let path = ruby.path(above).map(|path| format!("{path}::{name}"));
                if let Some(node) = path.and_then(|path| ruby.constant(&path)) {
                    return Some(node);
                }
                if !seen.contains(&above) {
                    seen.push(above);
                }
            }
        }
        None
    }

    /// The class or module around a place, by its first opening.
    pub(crate) fn ruby_class(&self, scope: NodeId) -> Option<NodeId> {
        match self.self_type(scope) {
            Some(Def::Node(node)) => Some(node),
            _ => None,
        }
    }

    fn ruby_bare(
        &mut self,
        file: FileId,
        scope: NodeId,
        reference: &Reference,
    ) -> Option<(Def, Reason)> {
        let name = reference.name.as_str();
        let program = self.program;
        if name == "super" {
            return self.ruby_super(scope);
        }
        let class = self.ruby_class(scope);
        if let (Some(class), "new") = (class, name) {
            return Some((Def::Node(class), Reason::SelfType));
        }
        let interned = program.names.get(name)?;
        for around in program
            .scopes(scope)
            .filter(|&node| program.kind(node).is_some_and(is_function))
        {
            if let Some((def, reason)) =
                self.lookup_in_function(around, reference.span.start, interned, Space::Value)
            {
                let is_variable = matches!(def, Def::Param(..) | Def::Binding(..));
                return (!is_variable).then_some((def, reason));
            }
        }
        let member = class.and_then(|class| self.type_member_for(class, interned, true));
        if let Some((def @ Def::Node(_), is_inherited)) = member {
            let reason = if is_inherited {
                Reason::Inherited
            } else {
                Reason::SelfType
            };
            return Some((def, reason));
        }
        let at_top = |node: &NodeId| {
            program.kind(*node).is_some_and(is_function)
                && program
                    .parent(*node)
                    .is_some_and(|outer| program.is_file(outer))
        };
        if let Some(own) = program.symbols_in(file, interned).find(at_top) {
            return Some((Def::Node(own), Reason::SameFile));
        }
        let is_module = self
            .ruby_class(scope)
            .and_then(|class| program.symbol(class))
            .is_some_and(|symbol| symbol.kind == SymbolKind::Module);
        if is_module {
            return self.ruby_unique(file, scope, name);
        }
        let mut tops = program.named(interned).filter(|node| {
            at_top(node)
                && program.family_of(*node) == program.family_of(file)
                && self.is_visible(file, *node)
        });
        match (tops.next(), tops.next()) {
            (Some(only), None) => Some((Def::Node(only), Reason::UniqueName)),
            _ => None,
        }
    }

    /// Whether a file can mean a definition: other code than tests cannot mean definitions of tests.
    pub(crate) fn is_visible(&self, file: FileId, node: NodeId) -> bool {
        self.program.is_test(file) || !self.program.is_test(node)
    }

    /// `super`: the method of the same name above.
    fn ruby_super(&mut self, scope: NodeId) -> Option<(Def, Reason)> {
        let method = self
            .program
            .scopes(scope)
            .find(|&node| self.program.kind(node).is_some_and(is_function))?;
        let name = self.program.name(method)?;
        let class = self.ruby_class(scope)?;
        let found = self.super_member(class, name)?;
        Some((found, Reason::Inherited))
    }

    fn ruby_unique(&mut self, file: FileId, scope: NodeId, name: &str) -> Option<(Def, Reason)> {
        if is_common_method(name) || is_core_method(name) {
            return None;
        }
        let program = self.program;
        let interned = program.names.get(name)?;
        let mut found = program.named(interned).filter(|&node| {
            let in_type = program.parent(node).is_some_and(|outer| {
                program
                    .kind(outer)
                    .is_some_and(crate::program::is_type_scope)
            });
            program.kind(node).is_some_and(is_function)
                && in_type
                && program.family_of(node) == program.family_of(file)
                && self.is_visible(file, node)
        });
        match (found.next(), found.next()) {
            (Some(only), None) if program.scopes(scope).all(|around| around != only) => {
                Some((Def::Node(only), Reason::UniqueMember))
            }
            _ => None,
        }
    }
}

pub(crate) fn is_constant(name: &str) -> bool {
    name.trim_start_matches(':').starts_with(char::is_uppercase)
}

/// The path of a constant as written: `::A::B`.
fn constant_path(chain: &Chain<'_>) -> Option<String> {
    let is_path = chain.steps.iter().all(|step| matches!(step, Step::Path(_)));
    let path = chain.names().filter(|_| is_path)?.join("::");
    Some(match chain.head {
        Head::Absolute(_) => format!("::{path}"),
        _ => path,
    })
}
