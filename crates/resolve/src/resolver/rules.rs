//! The trait of rules in which languages differ. The default of every method is the common rule; a language overrides
//! the few that it needs (`languages/`, a folder for each). The resolver never asks which language it reads.

use syntax::facts::{Chain, Import, Reference, ReferenceForm, Symbol};

use super::flags::Flags;
use super::{Common, Found, Own, Resolver, Space, Use};
use crate::program::{Def, FileId, Name, NodeId, PackageId};
use crate::types::{Ty, Value};

/// Rules of a language. `file` and the first node among the arguments are always of that language.
pub(crate) trait LanguageRules: Sync {
    /// Returns the keywords and properties of the language.
    fn flags(&self) -> &'static Flags {
        &Flags::COMMON
    }

    /// Finds a name in the imports of a scope other than a file or module.
    fn lookup_in_local_imports(
        &self,
        _r: &mut Resolver<'_, '_>,
        _scope: NodeId,
        _name: &str,
        _interned: Option<Name>,
        _space: Space,
    ) -> Option<Use> {
        None
    }

    /// Finds a name in the type that is written before a function's name.
    fn lookup_in_owner(
        &self,
        _r: &mut Resolver<'_, '_>,
        _function: NodeId,
        _name: Name,
        _space: Space,
    ) -> Option<Use> {
        None
    }

    /// Finds a name in the receivers that blocks around a place have, in a scope.
    fn lookup_in_receivers(
        &self,
        _r: &mut Resolver<'_, '_>,
        _scope: NodeId,
        _at: u32,
        _name: &str,
        _space: Space,
    ) -> Option<Use> {
        None
    }

    /// Finds a name in the namespaces that a module of a file is a part of.
    fn lookup_in_namespaces(
        &self,
        r: &mut Resolver<'_, '_>,
        module: NodeId,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Use> {
        if !self.flags().has_namespaces {
            return None;
        }
        r.lookup_in_blocks(module, name, interned, space)
    }

    /// Finds a name that a file neither declares at its top nor imports.
    fn lookup_beyond_file(
        &self,
        r: &mut Resolver<'_, '_>,
        file: FileId,
        at: u32,
        name: &str,
        interned: Name,
        space: Space,
    ) -> Option<Use> {
        r.lookup_in_places(file, at, name, interned, space)
    }

    /// Returns the namespace that a node is a block of, else the node.
    fn whole_namespace(&self, _r: &Resolver<'_, '_>, node: NodeId) -> Def {
        Def::Node(node)
    }

    /// Returns the block of a namespace that a use in a file is shown as.
    fn part_in(&self, _r: &Resolver<'_, '_>, _file: FileId, _package: PackageId) -> Option<NodeId> {
        None
    }

    // Imports and modules.

    /// Follows an import to its target.
    fn import<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
        space: Space,
    ) -> Option<Found> {
        r.common_import(file, import, space)
    }

    /// Finds the imported name in the module that the import names.
    fn imported_member(
        &self,
        r: &mut Resolver<'_, '_>,
        module: Def,
        name: &str,
        space: Space,
    ) -> Option<Found> {
        r.module_member(module, name, space)
    }

    /// Finds the module that an import names.
    fn module_of<'a>(
        &self,
        _r: &mut Resolver<'_, 'a>,
        _file: FileId,
        _import: &'a Import,
    ) -> Option<Def> {
        None
    }

    /// Returns whether a star can import a name.
    fn comes_by_glob(&self, _name: &str) -> bool {
        true
    }

    /// Finds a name in a module that a star names.
    fn glob_member(
        &self,
        r: &mut Resolver<'_, '_>,
        _import: &Import,
        module: Def,
        name: &str,
        space: Space,
    ) -> Option<Found> {
        r.module_member(module, name, space)
    }

    /// Finds the definition that a file or module exports under a name.
    fn exported(
        &self,
        r: &mut Resolver<'_, '_>,
        module: NodeId,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        r.common_exported(module, name, interned, space)
    }

    /// Finds a module that a module declares as its child.
    fn declared_child(&self, _r: &Resolver<'_, '_>, _of: NodeId, _name: Name) -> Option<NodeId> {
        None
    }

    /// Finds a module below a module: a declared child, or a file of the package's folder.
    fn submodule(
        &self,
        r: &Resolver<'_, '_>,
        module: NodeId,
        _name: &str,
        interned: Option<Name>,
    ) -> Option<Def> {
        self.declared_child(r, module, interned?).map(Def::Node)
    }

    /// Finds the target of a name that only an export statement can declare: `default`.
    fn default_export(
        &self,
        _r: &Resolver<'_, '_>,
        _module: NodeId,
        _name: &str,
    ) -> Own<Option<Found>> {
        Err(Common)
    }

    /// Finds a function that a module assigns to a property of its exports.
    fn assigned_member(&self, _r: &Resolver<'_, '_>, _of: NodeId, _name: Name) -> Option<NodeId> {
        None
    }

    /// Returns the function or class that a module is.
    fn module_as_function(&self, _r: &mut Resolver<'_, '_>, _file: FileId) -> Option<NodeId> {
        None
    }

    /// Finds a member of a folder that is a package. Asked of every language.
    fn folder_member(
        &self,
        _r: &mut Resolver<'_, '_>,
        _folder: NodeId,
        _name: &str,
        _interned: Option<Name>,
        _space: Space,
    ) -> Option<Found> {
        None
    }

    /// Finds a member of a declared package.
    fn package_member(
        &self,
        r: &mut Resolver<'_, '_>,
        package: PackageId,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        r.common_package_member(package, name, interned, space)
    }

    // Types.

    /// Relates types before supertypes are read. Asked of every language once.
    fn join_types(&self, _r: &mut Resolver<'_, '_>) {}

    /// Relates types after supertypes are read. Asked of every language once.
    fn relate_types(&self, _r: &mut Resolver<'_, '_>) {}

    /// Returns whether a type is written in several parts that belong together.
    fn is_partial(&self, _symbol: &Symbol) -> bool {
        false
    }

    /// Reads supertypes from the decorators of a type.
    fn read_decorators<'a>(&self, _r: &mut Resolver<'_, 'a>, _node: NodeId, _symbol: &'a Symbol) {}

    /// Finds the type that a block of members is for.
    fn impl_target(&self, _r: &mut Resolver<'_, '_>, _block: NodeId) -> Own<Option<NodeId>> {
        Err(Common)
    }

    /// Finds the type of a written path.
    fn named_type(
        &self,
        _r: &mut Resolver<'_, '_>,
        _scope: NodeId,
        _segments: &[&str],
    ) -> Own<Option<Use>> {
        Err(Common)
    }

    /// Finds a type whose name no scope declares.
    fn type_beyond_scopes(&self, _r: &mut Resolver<'_, '_>, _segments: &[&str]) -> Option<Use> {
        None
    }

    /// Finds a member of the object that accompanies a type.
    fn companion_member(
        &self,
        _r: &Resolver<'_, '_>,
        _node: NodeId,
        _name: Name,
        _is_call: bool,
    ) -> Option<Def> {
        None
    }

    /// Finds a member that a block for every type, or for every type with certain bounds, gives to this one.
    fn universal_member(&self, _r: &Resolver<'_, '_>, _of: &Ty, _name: Name) -> Option<Def> {
        None
    }

    /// Returns whether a variable is a type.
    fn is_type_value(&self, _r: &Resolver<'_, '_>, _node: NodeId) -> bool {
        false
    }

    // Values.

    /// Evaluates the chain of a receiver.
    fn chain(
        &self,
        _r: &mut Resolver<'_, '_>,
        _scope: NodeId,
        _at: u32,
        _chain: &Chain<'_>,
    ) -> Own<Value> {
        Err(Common)
    }

    /// Evaluates a name that a chain begins with.
    fn head(&self, _r: &mut Resolver<'_, '_>, _scope: NodeId, _name: &str) -> Own<Value> {
        Err(Common)
    }

    /// Finds the function that a call at the head of a chain means.
    fn called_head(
        &self,
        _r: &mut Resolver<'_, '_>,
        _scope: NodeId,
        _at: u32,
        _name: &str,
    ) -> Option<Use> {
        None
    }

    /// Evaluates the longest beginning of a chain that is a full name; returns it with the number of its steps.
    fn qualified_head(
        &self,
        _r: &mut Resolver<'_, '_>,
        _chain: &Chain<'_>,
    ) -> Option<(Value, usize)> {
        None
    }

    /// Finds the package of a name that no scope declares.
    fn package_named(&self, _r: &mut Resolver<'_, '_>, _scope: NodeId, _name: &str) -> Option<Def> {
        None
    }

    /// Evaluates an expression to which a variable is bound.
    fn bound(&self, r: &mut Resolver<'_, '_>, scope: NodeId, at: u32, value: &Chain<'_>) -> Ty {
        r.evaluate_chain(scope, at, value).ty
    }

    /// Evaluates an embedded field, which is named like its type.
    fn embedded(&self, _r: &mut Resolver<'_, '_>, _node: NodeId, _name: &str) -> Option<Ty> {
        None
    }

    /// Finds a member of the value that a value of a type is dereferenced to.
    fn dereferenced_member(
        &self,
        _r: &mut Resolver<'_, '_>,
        _node: NodeId,
        _name: &str,
    ) -> Option<Use> {
        None
    }

    /// Returns the type that a function makes by convention.
    fn made_by(&self, _r: &Resolver<'_, '_>, _function: NodeId) -> Option<NodeId> {
        None
    }

    /// Returns the result of a call of a function that declares no type for it; `this` is the type of the receiver.
    fn result(&self, _r: &mut Resolver<'_, '_>, _function: NodeId, _this: Option<&Ty>) -> Ty {
        Ty::Unknown
    }

    /// Returns the receiver that the blocks around a place have, if it is not that of the function.
    fn receiver_at(&self, _r: &mut Resolver<'_, '_>, _scope: NodeId, _at: u32) -> Option<Ty> {
        None
    }

    /// Finds the module that a chain begins with by its text.
    fn named_module(&self, _r: &mut Resolver<'_, '_>, _scope: NodeId, _path: &str) -> Ty {
        Ty::Outside
    }

    // Uses.

    /// Resolves a use where all rules are the language's own.
    fn resolve_use(
        &self,
        _r: &mut Resolver<'_, '_>,
        _file: FileId,
        _scope: NodeId,
        _reference: &Reference,
        _space: Space,
    ) -> Own<Option<Use>> {
        Err(Common)
    }

    /// Resolves a call of a bare name.
    fn bare_call(
        &self,
        _r: &mut Resolver<'_, '_>,
        _scope: NodeId,
        _reference: &Reference,
    ) -> Own<Option<Use>> {
        Err(Common)
    }

    /// Resolves a call of the supertypes' constructor.
    fn super_call(&self, r: &mut Resolver<'_, '_>, scope: NodeId) -> Option<Use> {
        r.super_constructor(scope)
    }

    /// Resolves the last name of a path.
    fn path_use(
        &self,
        _r: &mut Resolver<'_, '_>,
        _scope: NodeId,
        _reference: &Reference,
        _space: Space,
    ) -> Option<Use> {
        None
    }

    /// Returns whether a name that is neither declared nor imported means the only definition of that name.
    fn guesses_unique(&self, _space: Space) -> bool {
        false
    }

    /// Returns whether a definition can be used without being imported.
    fn is_global(&self, _symbol: &Symbol) -> bool {
        true
    }

    /// Returns whether a file can mean a definition, or hold values of its type, without importing it.
    fn sees(&self, _r: &mut Resolver<'_, '_>, _from: FileId, _node: NodeId) -> bool {
        true
    }

    /// Returns the definition behind a declaration, as a use in `file` means it.
    fn definition_of(&self, _r: &mut Resolver<'_, '_>, node: NodeId, _file: FileId) -> NodeId {
        node
    }

    /// Returns the overload for a number of arguments, where none in the scope of `target` has as many parameters.
    fn distant_overload(
        &self,
        _r: &Resolver<'_, '_>,
        target: NodeId,
        _scope: NodeId,
        _n_arguments: usize,
    ) -> NodeId {
        target
    }

    /// Returns the form of a use whose target is known.
    fn form_of(&self, _r: &Resolver<'_, '_>, reference: &Reference, _to: NodeId) -> ReferenceForm {
        reference.form
    }
}
