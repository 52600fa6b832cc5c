//! Java, Kotlin and Scala: one class path. Rules of only one of them are in a file of their own.

mod companions;
mod java;
mod kotlin;
mod modules;
mod scala;
mod source_sets;

use graph::Reason;
use syntax::Language;
use syntax::facts::{Chain, Import, Reference, ReferenceForm, Symbol, SymbolKind, TypeRef};

use crate::program::{Def, FileId, Name, NodeId, PackageId, is_function};
use crate::resolver::{Common, Flags, Found, LanguageRules, Own, Place, Resolver, Space, Use};
use crate::types::{Ty, Value};

/// The rules of one language of the class path.
pub(crate) struct Jvm(pub Language);

const FLAGS: Flags = Flags {
    has_overloads: true,
    has_results_behind_names: true,
    beyond_file: &[Place::OwnPackage],
    ..Flags::CLASSES
};

const JAVA: Flags = Flags {
    has_method_names: true,
    ..FLAGS
};

const KOTLIN: Flags = Flags {
    extends_type_parameters: true,
    return_receiver: &["apply", "also", "takeIf", "takeUnless"],
    pass_receiver: &["let", "also", "takeIf", "takeUnless", "use"],
    ..FLAGS
};

const SCALA: Flags = Flags {
    names_call: true,
    pass_receiver: &[
        "map",
        "foreach",
        "flatMap",
        "filter",
        "filterNot",
        "exists",
        "forall",
        "contains",
    ],
    beyond_file: &[Place::OwnPackage, Place::OuterPackages],
    ..FLAGS
};

impl Jvm {
    fn is(&self, language: Language) -> bool {
        self.0 == language
    }

    fn seen_from(&self, r: &Resolver<'_, '_>, file: FileId, def: Def, space: Space) -> Def {
        if self.is(Language::Kotlin) {
            r.kotlin_in_source_set(file, def, space)
        } else {
            def
        }
    }
}

impl LanguageRules for Jvm {
    fn flags(&self) -> &'static Flags {
        match self.0 {
            Language::Java => &JAVA,
            Language::Scala => &SCALA,
            _ => &KOTLIN,
        }
    }

    fn lookup_in_receivers(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        at: u32,
        name: &str,
        space: Space,
    ) -> Option<Use> {
        if !self.is(Language::Kotlin) || space != Space::Value {
            return None;
        }
        r.kotlin_in_lambdas(scope, at, name)
    }

    fn receiver_at(&self, r: &mut Resolver<'_, '_>, scope: NodeId, at: u32) -> Option<Ty> {
        if !self.is(Language::Kotlin) {
            return None;
        }
        let program = r.program;
        program
            .scopes(scope)
            .find_map(|around| r.kotlin_this(around, at))
    }

    fn result(&self, r: &mut Resolver<'_, '_>, function: NodeId, _this: Option<&Ty>) -> Ty {
        if !self.is(Language::Kotlin) {
            return Ty::Unknown;
        }
        r.value_of_expression_body(function)
    }

    /// An extension of every type.
    fn universal_member(&self, r: &Resolver<'_, '_>, _of: &Ty, name: Name) -> Option<Def> {
        if !self.is(Language::Kotlin) {
            return None;
        }
        r.kotlin_extension_of_any(name)
    }

    /// Imports of Scala hold in the class or function in which they are written.
    fn lookup_in_local_imports(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Use> {
        if !self.is(Language::Scala) {
            return None;
        }
        let file = r.program.file_of(scope);
        let found = interned
            .and_then(|interned| r.local_import(scope, file, interned, space))
            .or_else(|| r.by_glob(scope, name, space))?;
        Some((found.def, found.import_reason()))
    }

    /// In an extension of Kotlin a bare name means a member or another extension of the type before its name.
    fn lookup_in_owner(
        &self,
        r: &mut Resolver<'_, '_>,
        function: NodeId,
        name: Name,
        space: Space,
    ) -> Option<Use> {
        if !self.is(Language::Kotlin) {
            return None;
        }
        if let Some(owner) = r.heritage.owner_of(function) {
            return r.lookup_in_type(owner, Some(name), false, space);
        }
        let owner = r.program.symbol(function)?.rare.owner_type;
        let Some(TypeRef::Named(segments, _)) = r.program.written(function, owner) else {
            return None;
        };
        let outside = r.outside_member(segments.last()?, name)?;
        Some((outside, Reason::SelfType))
    }

    /// The members of a package object are members of its package.
    fn lookup_in_namespaces(
        &self,
        r: &mut Resolver<'_, '_>,
        module: NodeId,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Use> {
        if !self.is(Language::Scala) {
            return None;
        }
        r.lookup_in_blocks(module, name, interned, space)
    }

    fn whole_namespace(&self, r: &Resolver<'_, '_>, node: NodeId) -> Def {
        let package = r.modules.packages.of_scope(node);
        package.map_or(Def::Node(node), Def::Package)
    }

    /// A package is shown as its package object.
    fn part_in(&self, r: &Resolver<'_, '_>, _file: FileId, package: PackageId) -> Option<NodeId> {
        let mut parts = r.modules.packages.scopes(package).iter().copied();
        parts.find(|&part| !r.program.is_file(part))
    }

    fn lookup_beyond_file(
        &self,
        r: &mut Resolver<'_, '_>,
        file: FileId,
        at: u32,
        name: &str,
        interned: Name,
        space: Space,
    ) -> Option<Use> {
        let (def, reason) = r.lookup_in_places(file, at, name, interned, space)?;
        Some((self.seen_from(r, file, def, space), reason))
    }

    fn import<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
        space: Space,
    ) -> Option<Found> {
        let found = r.common_import(file, import, space)?;
        let def = self.seen_from(r, file, found.def, space);
        Some(Found { def, ..found })
    }

    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        Some(r.jvm_module(file, &import.module, self.is(Language::Scala)))
    }

    /// A star imports no constructors: they are members of a class under its own name.
    fn glob_member(
        &self,
        r: &mut Resolver<'_, '_>,
        _import: &Import,
        module: Def,
        name: &str,
        space: Space,
    ) -> Option<Found> {
        let found = r.module_member(module, name, space)?;
        let kind = match found.def {
            Def::Node(node) => r.program.kind(node),
            _ => None,
        };
        (kind != Some(SymbolKind::Constructor)).then_some(found)
    }

    /// A type that is written with its package.
    fn type_beyond_scopes(&self, r: &mut Resolver<'_, '_>, segments: &[&str]) -> Option<Use> {
        if segments.len() < 2 {
            return None;
        }
        r.java_qualified_type(segments)
    }

    fn companion_member(
        &self,
        r: &Resolver<'_, '_>,
        node: NodeId,
        name: Name,
        is_call: bool,
    ) -> Option<Def> {
        match self.0 {
            _ if r.program.kind(node) == Some(SymbolKind::Impl) => None,
            Language::Kotlin => r.kotlin_companion_member(node, name, is_call),
            Language::Scala => r.scala_companion_member(node, name, is_call),
            _ => None,
        }
    }

    /// The name that a type of Scala gives to its own value: `trait Part { self =>`.
    fn head(&self, r: &mut Resolver<'_, '_>, scope: NodeId, name: &str) -> Own<Value> {
        if !self.is(Language::Scala) {
            return Err(Common);
        }
        r.scala_own_value(scope, name).ok_or(Common)
    }

    fn called_head(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        at: u32,
        name: &str,
    ) -> Option<Use> {
        if !self.is(Language::Java) {
            return None;
        }
        r.java_method(scope, at, name)
    }

    fn qualified_head(
        &self,
        r: &mut Resolver<'_, '_>,
        chain: &Chain<'_>,
    ) -> Option<(Value, usize)> {
        r.java_qualified(chain)
    }

    /// A method of Java has a name of its own: `String id = id();` calls the method, whatever variables there are.
    fn bare_call(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        reference: &Reference,
    ) -> Own<Option<Use>> {
        let is_method = self.is(Language::Java)
            && reference.form == ReferenceForm::Call
            && !matches!(reference.name.as_str(), "this" | "super");
        if !is_method {
            return Err(Common);
        }
        Ok(r.java_method(scope, reference.span.start, &reference.name))
    }

    fn distant_overload(
        &self,
        r: &Resolver<'_, '_>,
        target: NodeId,
        scope: NodeId,
        n_arguments: usize,
    ) -> NodeId {
        if self.is(Language::Java) {
            r.java_overload(target, scope, n_arguments)
        } else {
            target
        }
    }

    /// In Scala a method without parameters is called by naming it.
    fn form_of(
        &self,
        r: &Resolver<'_, '_>,
        reference: &Reference,
        target: NodeId,
    ) -> ReferenceForm {
        let is_name = matches!(reference.form, ReferenceForm::Member | ReferenceForm::Value);
        let is_call =
            |symbol: &Symbol| is_function(symbol.kind) && r.is_called_by_name(target, symbol);
        match r.program.symbol(target) {
            Some(symbol) if is_name && self.is(Language::Scala) && is_call(symbol) => {
                if reference.receiver.is_none() {
                    ReferenceForm::Call
                } else {
                    ReferenceForm::MethodCall
                }
            }
            _ => reference.form,
        }
    }
}
