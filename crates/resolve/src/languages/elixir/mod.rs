//! Elixir: modules by full names, aliases and nesting; functions by module, name and number of arguments; names that
//! `use` imports through the `__using__` of another module.

use syntax::facts::{
    BindingKind, Bound, Import, ImportFlags, Reference, ReferenceForm, SymbolKind, TypeRef,
};

use crate::program::{Def, FileId, ImportId, Name, NodeId, is_function};
use crate::resolver::{LanguageRules, Own, Resolver, Space, Use};
use graph::Reason;

/// The rules of Elixir.
pub(crate) struct Elixir;

impl LanguageRules for Elixir {
    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        _file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        Some(r.elixir_module(&import.module))
    }

    fn impl_target(&self, r: &mut Resolver<'_, '_>, block: NodeId) -> Own<Option<NodeId>> {
        Ok(r.elixir_impl(block))
    }

    fn named_type(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        segments: &[&str],
    ) -> Own<Option<Use>> {
        let node = r.elixir_alias(scope, &segments.join("."));
        Ok(node.map(|node| (Def::Node(node), Reason::Path)))
    }

    fn resolve_use(
        &self,
        r: &mut Resolver<'_, '_>,
        file: FileId,
        scope: NodeId,
        reference: &Reference,
        _space: Space,
    ) -> Own<Option<Use>> {
        Ok(r.elixir_use(file, scope, reference))
    }

    /// A type is named like a function without arguments: `t()`.
    fn form_of(
        &self,
        r: &Resolver<'_, '_>,
        reference: &Reference,
        target: NodeId,
    ) -> ReferenceForm {
        match r.program.kind(target) {
            Some(SymbolKind::TypeAlias) => ReferenceForm::Type,
            _ => reference.form,
        }
    }
}

impl Resolver<'_, '_> {
    /// The module of a full name, in the repository or outside.
    pub(crate) fn elixir_module(&mut self, name: &str) -> Def {
        match self.modules.elixir.find(name) {
            Some(node) => Def::Node(node),
            None => {
                let head = name.split('.').next().unwrap_or(name).to_owned();
                self.externals.def(&head)
            }
        }
    }

    /// Resolves a use in an Elixir file.
    pub(crate) fn elixir_use(
        &mut self,
        file: FileId,
        scope: NodeId,
        reference: &Reference,
    ) -> Option<(Def, Reason)> {
        let name = reference.name.as_str();
        let Some(receiver) = self.program.receiver(file, reference) else {
            return if name.starts_with(char::is_uppercase) {
                let node = self.elixir_alias(scope, name)?;
                Some((Def::Node(node), Reason::Path))
            } else {
                self.elixir_bare(file, scope, reference)
            };
        };
        let interned = self.program.names.get(name)?;
        let receiver = receiver.names()?.join(".");
        let receiver = receiver.as_str();
        let is_module = receiver == "__MODULE__" || receiver.starts_with(char::is_uppercase);
        if is_module {
            let module = self.elixir_alias(scope, receiver)?;
            let found = self.elixir_function(module, interned, reference.n_arguments)?;
            let reason = if receiver == "__MODULE__" {
                Reason::SelfType
            } else {
                Reason::ModuleMember
            };
            return Some((Def::Node(found), reason));
        }
        let module = self.elixir_struct(file, scope, reference.span.start, receiver)?;
        let field = self
            .program
            .symbols_in(module, interned)
            .find(|&node| self.program.kind(node) == Some(SymbolKind::Field))?;
        Some((Def::Node(field), Reason::ReceiverType))
    }

    /// The module that a name with a capital means at a place.
    pub(crate) fn elixir_alias(&mut self, scope: NodeId, written: &str) -> Option<NodeId> {
        if written == "__MODULE__" {
            return self.elixir_around(scope);
        }
        let elixir = &self.modules.elixir;
        let (first, rest) = match written.split_once('.') {
            Some((first, rest)) => (first, Some(rest)),
            None => (written, None),
        };
        let whole = |start: &str| rest.map_or(start.to_owned(), |rest| format!("{start}.{rest}"));
        let file = self.program.file_of(scope);
        if let Some(interned) = self.program.names.get(first) {
            for around in self.program.scopes(scope) {
                let mut imports = self.program.imports_in(around, interned);
                let alias = imports.find_map(|index| self.program.import(file, index));
                if let Some(alias) = alias.filter(|alias| alias.is(ImportFlags::MODULE)) {
                    return elixir.find(&whole(&alias.module));
                }
            }
        }
        // A module nested in one around the use.
        for around in self.program.scopes(scope) {
            let nested = elixir.name(around).map(|name| format!("{name}.{written}"));
            if let Some(node) = nested.and_then(|name| elixir.find(&name)) {
                return Some(node);
            }
        }
        elixir.find(written)
    }

    /// The module that a `defimpl` is for: the one it names, else the one around it.
    pub(crate) fn elixir_impl(&mut self, block: NodeId) -> Option<NodeId> {
        let signature = &self.program.symbol(block)?.signature;
        match signature.split_once("for: ") {
            Some((_, name)) => self.elixir_alias(block, name.split([',', ' ']).next()?),
            None => self.elixir_around(block),
        }
    }

    fn elixir_around(&self, scope: NodeId) -> Option<NodeId> {
        self.program
            .scopes(scope)
            .find(|&node| self.modules.elixir.name(node).is_some())
    }

    fn elixir_bare(
        &mut self,
        file: FileId,
        scope: NodeId,
        reference: &Reference,
    ) -> Option<(Def, Reason)> {
        let name = self.program.names.get(&reference.name)?;
        let program = self.program;
        let at = reference.span.start;
        for around in program.scopes(scope) {
            match program.kind(around) {
                Some(SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro) => {
                    if let Some((def, reason)) =
                        self.lookup_in_function(around, at, name, Space::Value)
                    {
                        let is_variable = matches!(def, Def::Param(..) | Def::Binding(..));
                        // `x` may be a variable where `x()` is a call.
                        if !is_variable || reference.form == ReferenceForm::Value {
                            return (!is_variable).then_some((def, reason));
                        }
                    }
                }
                Some(_) => {
                    if let Some(own) = self.elixir_function(around, name, reference.n_arguments) {
                        return Some((Def::Node(own), Reason::SameFile));
                    }
                }
                None => {}
            }
            if let Some(found) = self.elixir_imported(file, around, name, reference.n_arguments) {
                return Some(found);
            }
        }
        None
    }

    /// Finds a name that `import` or `use` in one scope imports.
    fn elixir_imported(
        &mut self,
        file: FileId,
        scope: NodeId,
        name: Name,
        n_arguments: Option<u8>,
    ) -> Option<(Def, Reason)> {
        let program = self.program;
        for index in program.imports_in(scope, name) {
            if let Some(import) = program.import(file, index)
                && let Some(module) = self.elixir_alias(scope, &import.module)
                && let Some(node) = self.elixir_function(module, name, n_arguments)
            {
                return Some((Def::Node(node), Reason::Import));
            }
        }
        let globs: Vec<ImportId> = program.globs(scope).collect();
        for index in globs {
            let Some(import) = program.import(file, index) else {
                continue;
            };
            let Some(module) = self.elixir_alias(scope, &import.module) else {
                continue;
            };
            let found = self
                .elixir_function(module, name, n_arguments)
                .or_else(|| self.elixir_using(module, name, n_arguments));
            if let Some(node) = found {
                return Some((Def::Node(node), Reason::GlobImport));
            }
        }
        None
    }

    /// Finds a name that the `__using__` of a module imports into those that use it.
    fn elixir_using(
        &mut self,
        module: NodeId,
        name: Name,
        n_arguments: Option<u8>,
    ) -> Option<NodeId> {
        let program = self.program;
        let using = program.names.get("__using__")?;
        let file = program.file_of(module);
        let hooks: Vec<NodeId> = program.symbols_in(module, using).collect();
        hooks.into_iter().find_map(|hook| {
            let globs: Vec<ImportId> = program.globs(hook).collect();
            let by_glob = globs.into_iter().find_map(|index| {
                let import = program.import(file, index)?;
                let other = self.elixir_alias(hook, &import.module)?;
                self.elixir_function(other, name, n_arguments)
            });
            by_glob.or_else(|| {
                program.imports_in(hook, name).find_map(|index| {
                    let import = program.import(file, index)?;
                    let other = self.elixir_alias(hook, &import.module)?;
                    self.elixir_function(other, name, n_arguments)
                })
            })
        })
    }

    /// A function, macro or constant of a module. Of several, the one with `n_arguments` parameters, or with one more
    /// behind a pipe.
    fn elixir_function(
        &self,
        module: NodeId,
        name: Name,
        n_arguments: Option<u8>,
    ) -> Option<NodeId> {
        let program = self.program;
        let all: Vec<NodeId> = program
            .symbols_in(module, name)
            .filter(|&node| {
                program.kind(node).is_some_and(|kind| {
                    is_function(kind)
                        || matches!(
                            kind,
                            SymbolKind::Macro | SymbolKind::Constant | SymbolKind::TypeAlias
                        )
                })
            })
            .collect();
        let takes = |node: NodeId, wanted: usize| {
            program
                .symbol(node)
                .is_some_and(|symbol| is_function(symbol.kind) && symbol.parameters.len() == wanted)
        };
        let exact = n_arguments.map(usize::from).and_then(|n| {
            [n, n + 1]
                .into_iter()
                .find_map(|wanted| all.iter().copied().find(|&node| takes(node, wanted)))
        });
        let called = || {
            all.iter()
                .copied()
                .find(|&node| program.kind(node) != Some(SymbolKind::TypeAlias))
        };
        exact.or_else(called).or_else(|| all.first().copied())
    }

    /// The module whose struct a variable holds.
    fn elixir_struct(
        &mut self,
        file: FileId,
        scope: NodeId,
        at: u32,
        variable: &str,
    ) -> Option<NodeId> {
        let name = self.program.names.get(variable)?;
        let program = self.program;
        let found = program
            .scopes(scope)
            .find_map(|around| self.lookup_in_function(around, at, name, Space::Value));
        let (function, written) = match found?.0 {
            Def::Binding(_, index) => {
                let binding = program.binding(file, index)?;
                let is_struct = matches!(
                    binding.kind,
                    BindingKind::Constructed | BindingKind::Annotated
                );
                let Bound::Type(ty) = binding.bound else {
                    return None;
                };
                (scope, is_struct.then_some(ty)?)
            }
            Def::Param(function, index) => {
                let parameter = program.symbol(function)?.parameters.get(index.index())?;
                (function, parameter.ty?)
            }
            _ => return None,
        };
        match program.type_ref(file, written) {
            TypeRef::Named(segments, _) => self.elixir_alias(function, &segments.join(".")),
            _ => None,
        }
    }
}
