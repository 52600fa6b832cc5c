//! Facts about a language that need no code: its words, and yes or no.

use graph::Reason;

/// The words and properties of a language. [`Flags::COMMON`] are those of a language of which nothing else is known.
#[derive(Debug)]
pub(crate) struct Flags {
    /// Names of the object that a method works on.
    pub selves: &'static [&'static str],
    /// The word for the supertypes of the type around a method; empty if there is none.
    pub above: &'static str,
    /// Words for the type around a method.
    pub own_types: &'static [&'static str],
    /// Of `selves` and `own_types` those that are the type itself, not a value of it.
    pub types_themselves: &'static [&'static str],
    /// Written results that mean the receiver of the call, beyond `Self` and `this`.
    pub receiver_results: &'static [&'static str],

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
    /// A name that nothing declares may be declared where no reader sees it, by a macro.
    pub has_unseen_names: bool,
    /// A call by path starts at the top of the file.
    pub paths_start_at_top: bool,

    /// The imports of a file are its own affair, unless it passes them on.
    pub imports_are_private: bool,
    /// The stars of a file are its own affair, unless it passes them on.
    pub globs_are_private: bool,
    /// A name under which something is passed on is no name of the file itself.
    pub reexports_declare_nothing: bool,
    /// An import may bring in a macro.
    pub imports_macros: bool,

    /// Functions are told apart by their parameters.
    pub has_overloads: bool,
    /// A method can be added to a type that is defined elsewhere.
    pub has_extensions: bool,
    /// Methods have names of their own, beside those of fields and variables.
    pub has_method_names: bool,
    /// Naming a method without parameters calls it.
    pub names_call: bool,
    /// Supertypes are looked for inside the type that mixes them in, not around it.
    pub mixes_in: bool,
    /// A type that is made of another is a type of its own, with methods of its own.
    pub has_defined_types: bool,
    /// The type behind a function's name is always that of its result.
    pub has_results_behind_names: bool,
    /// Parameters of one name nearly always have one type.
    pub has_usual_types: bool,
    /// A file is a type.
    pub files_are_types: bool,
    /// A function that makes types gives the type itself.
    pub calls_give_types: bool,

    /// The rule of a value that is a module or type, found by a name.
    pub module_reason: Reason,
    /// Share of calls, in percent, that mean the only method of a name, where nothing says what the receiver is. The
    /// fewer methods of a standard library a language has beside those of the repository, the higher.
    pub unique_member_percent: u8,
}

impl Flags {
    /// Those of a language of which nothing else is known.
    pub const COMMON: Flags = Flags {
        selves: &[],
        above: "super",
        own_types: &["Self"],
        types_themselves: &["cls", "Self", "static"],
        receiver_results: &[],
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
        has_overloads: false,
        has_extensions: false,
        has_method_names: false,
        names_call: false,
        mixes_in: false,
        has_defined_types: false,
        has_results_behind_names: false,
        has_usual_types: false,
        files_are_types: false,
        calls_give_types: false,
        module_reason: Reason::ModuleMember,
        unique_member_percent: Reason::UniqueMember.confidence(),
    };

    /// Returns whether a name is that of the object a method works on.
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
