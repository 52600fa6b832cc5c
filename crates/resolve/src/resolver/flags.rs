//! Properties of a language that need no code: its keywords and flags.

use super::Place;
use graph::Reason;

/// The keywords and properties of a language. [`Flags::COMMON`] are the defaults.
#[derive(Debug)]
pub(crate) struct Flags {
    /// Names of the receiver within a method.
    pub selves: &'static [&'static str],
    /// The word for the supertypes of the type around a method; empty if there is none.
    pub above: &'static str,
    /// Words for the type around a method.
    pub own_types: &'static [&'static str],
    /// Those of `selves` and `own_types` that mean the type itself, not a value of it.
    pub types_themselves: &'static [&'static str],
    /// Written result types that mean the receiver of the call, besides `Self` and `this`.
    pub receiver_results: &'static [&'static str],
    /// Functions have several results, of which the first is the value of a call.
    pub has_several_results: bool,

    /// A bare name may mean a member of the type around it.
    pub has_implicit_this: bool,
    /// Names of an outer scope stay visible inside a module declared in the file.
    pub modules_inherit_scope: bool,
    /// The body of a class sees the names of the class, though its methods do not.
    pub class_body_is_scope: bool,
    /// A macro can be called like a function.
    pub macros_are_values: bool,
    /// Interfaces and aliases are no values.
    pub types_are_erased: bool,
    /// A local variable that holds a module is the module.
    pub locals_are_modules: bool,
    /// A name without a visible declaration may be declared by a macro.
    pub has_unseen_names: bool,
    /// A call by path starts at the top of the file.
    pub paths_start_at_top: bool,

    /// Other files cannot use the imports of a file, unless it re-exports them.
    pub imports_are_private: bool,
    /// Other files cannot use the stars of a file, unless it re-exports them.
    pub globs_are_private: bool,
    /// The name of a re-export is no name within the file itself.
    pub reexports_declare_nothing: bool,
    /// An import can name a macro.
    pub imports_macros: bool,
    /// Methods and fields are found only behind a receiver, also those of objects in the scope.
    pub members_need_receiver: bool,
    /// The names of the receiver are ordinary names, which any variable can have.
    pub selves_are_names: bool,
    /// Tests of a type narrow a name within a part of the text.
    pub has_narrowing: bool,
    /// Traits add methods to types of other packages where they are imported.
    pub has_extension_traits: bool,

    /// Functions of one name may differ by their parameters.
    pub has_overloads: bool,
    /// A method can be added to a type that is defined elsewhere.
    pub has_extensions: bool,
    /// A method can be added to every type that a type parameter can be.
    pub extends_type_parameters: bool,
    /// Methods have names of their own, beside those of fields and variables.
    pub has_method_names: bool,
    /// Naming a method without parameters calls it.
    pub names_call: bool,
    /// Names of supertypes are looked up inside the type that mixes them in, not around it.
    pub mixes_in: bool,
    /// A type defined by another (`type Errors []Error`) is a type of its own, with its own methods.
    pub has_defined_types: bool,
    /// The type written after a function's name is always that of its result.
    pub has_results_behind_names: bool,
    /// Parameters of one name nearly always have one type.
    pub has_usual_types: bool,
    /// A file is a type.
    pub files_are_types: bool,
    /// A variable that holds a table is a type, to which members are assigned.
    pub tables_are_types: bool,
    /// Functions that every value has, whose result is the value.
    pub return_receiver: &'static [&'static str],
    /// Functions that every value has, which pass the value to their lambda.
    pub pass_receiver: &'static [&'static str],
    /// The result of a function that makes types is the type itself.
    pub calls_give_types: bool,

    /// Namespaces are declared in blocks, which any number of files may add to.
    pub has_namespaces: bool,
    /// Where a name is looked for that a file neither declares nor imports, in this order.
    pub beyond_file: &'static [Place],

    /// The rule of a value that is a module or type, found by a name.
    pub module_reason: Reason,
}

impl Flags {
    /// The defaults, for a language without rules of its own.
    pub const COMMON: Flags = Flags {
        selves: &[],
        above: "super",
        own_types: &["Self"],
        types_themselves: &["cls", "Self", "static"],
        receiver_results: &[],
        has_several_results: false,
        has_implicit_this: false,
        modules_inherit_scope: true,
        class_body_is_scope: false,
        macros_are_values: false,
        types_are_erased: false,
        locals_are_modules: false,
        has_unseen_names: false,
        paths_start_at_top: false,
        imports_are_private: false,
        globs_are_private: false,
        reexports_declare_nothing: false,
        imports_macros: false,
        members_need_receiver: false,
        selves_are_names: false,
        has_narrowing: false,
        has_extension_traits: false,
        has_overloads: false,
        has_extensions: false,
        extends_type_parameters: false,
        has_method_names: false,
        names_call: false,
        mixes_in: false,
        has_defined_types: false,
        has_results_behind_names: false,
        has_usual_types: false,
        files_are_types: false,
        tables_are_types: false,
        return_receiver: &[],
        pass_receiver: &[],
        calls_give_types: false,
        has_namespaces: false,
        beyond_file: &[Place::Variables("")],
        module_reason: Reason::ModuleMember,
    };

    /// The defaults of languages whose code is written in classes, and whose methods use members without a receiver.
    pub const CLASSES: Flags = Flags {
        selves: &["this"],
        has_implicit_this: true,
        imports_are_private: true,
        globs_are_private: true,
        has_extensions: true,
        ..Flags::COMMON
    };

    /// Returns whether a name is that of the receiver within a method.
    pub fn is_self(&self, name: &str) -> bool {
        self.selves.contains(&name)
    }

    /// Returns whether a name means the supertypes of the type around a method.
    pub fn is_super(&self, name: &str) -> bool {
        !name.is_empty() && self.above == name
    }

    /// Returns whether a name means the type around a method.
    pub fn is_own_type(&self, name: &str) -> bool {
        self.own_types.contains(&name)
    }
}
