//! The closed lists of the graph: kinds of nodes and edges, and the rules that made an edge.
//!
//! Their numbers are stored in snapshots: append, never reorder.

use std::fmt;

use source::FileId;
use syntax::facts::{ReferenceForm, SymbolKind};

/// A node of one graph: files first, then folders, symbols, externals, communities, processes. `NodeId(n)` of a file is
/// `FileId(n)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The number as an index into columns of nodes.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<FileId> for NodeId {
    fn from(file: FileId) -> NodeId {
        NodeId(file.0)
    }
}

/// Declares a byte-sized enum with a table of all its values and a name for each.
macro_rules! byte_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$value_meta:meta])* $value:ident => $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$value_meta])* $value,)+ }

        impl $name {
            /// Every value, in the order of their numbers.
            pub const ALL: &'static [$name] = &[$($name::$value,)+];

            /// The value with this number, if there is one.
            #[must_use]
            pub fn from_byte(byte: u8) -> Option<$name> {
                Self::ALL.get(usize::from(byte)).copied()
            }

            /// The name that is shown and written to exports.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $($name::$value => $text,)+ }
            }

            /// The value of this name, if there is one.
            #[must_use]
            pub fn from_name(name: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

byte_enum! {
    /// The kind of thing that a node represents.
    NodeKind {
        /// A file of the index.
        File => "File",
        /// A folder that holds files of the index, directly or not.
        Folder => "Folder",
        /// A definition.
        Symbol => "Symbol",
        /// A package that the repository imports and does not contain.
        External => "External",
        /// Symbols that call and use one another more than others.
        Community => "Community",
        /// A flow of calls from an entry point to where it ends.
        Process => "Process",
    }
}

byte_enum! {
    /// How two nodes are related.
    EdgeKind {
        /// Folder → folder or file in it.
        Contains => "CONTAINS",
        /// File or definition → definition in it.
        Defines => "DEFINES",
        /// Type → its method, wherever it is written.
        HasMethod => "HAS_METHOD",
        /// Innermost named function (or file) → the definition that it calls or constructs.
        Calls => "CALLS",
        /// Innermost named function (or file) → the definition that it names without calling it.
        References => "REFERENCES",
        /// File → file, symbol or package that it imports.
        Imports => "IMPORTS",
        /// Type → its supertype.
        Extends => "EXTENDS",
        /// Type → interface or trait that it implements.
        Implements => "IMPLEMENTS",
        /// Alias → the definition that it names.
        Aliases => "ALIASES",
        /// Declaration in an interface, trait or base class → an implementation or override of it.
        Dispatch => "DISPATCH",
        /// Symbol → community.
        MemberOf => "MEMBER_OF",
        /// Symbol → process; the edge's line is its place in the flow, from 1 ([`crate::Edge::step`]).
        StepInProcess => "STEP_IN_PROCESS",
    }
}

byte_enum! {
    /// Whether a process stays within one community.
    ProcessKind {
        /// All its steps are members of one community, or of none.
        IntraCommunity => "intra_community",
        /// Its steps are members of at least two.
        CrossCommunity => "cross_community",
    }
}

byte_enum! {
    /// Why a process begins where it does; the first that fits.
    EntryKind {
        /// Where the program starts: `main`, code at the top level of a script.
        Main => "main",
        /// Registered as the answer to a route, command, event or task, by a decorator or annotation.
        Route => "route",
        /// Named like functions that frameworks call (`handle…`, `on…`, `…Controller.index`).
        Handler => "handler",
        /// Visible from outside and called by no code of the repository.
        Exported => "exported",
        /// Called by no known code, or only by functions that it calls itself.
        Uncalled => "uncalled",
        /// A test. Tests are traced apart from the product.
        Test => "test",
    }
}

byte_enum! {
    /// The rule that resolved a name. Rules are tried in about this order; the confidence of each is the share of its
    /// call edges that compiler-grade indexes confirm (see [`Reason::confidence`]).
    Reason {
        /// The tree itself: folders, definitions, methods.
        Structure => "structure",
        /// Declared in an enclosing function, or in the body of the function itself.
        LexicalScope => "lexical-scope",
        /// Declared at the top of the same file or of the same inline module.
        SameFile => "same-file",
        /// Imported by name from the file that defines it.
        Import => "import",
        /// Imported by name from a file that re-exports it.
        ReExport => "re-export",
        /// Imported by a star, glob or include.
        GlobImport => "glob-import",
        /// A member of an imported module or package (`module.f()`, `pkg.F()`).
        ModuleMember => "module-member",
        /// A written path from a crate, package or namespace (`a::b::f`).
        Path => "path",
        /// A member of the type around the use (`self.f()`, `this.f()`, `Self::f()`).
        SelfType => "self-type",
        /// A member of a type named before it (`Type::f()`, `Type.f()`).
        TypeMember => "type-member",
        /// A member of the receiver's type, which is declared or constructed in this scope.
        ReceiverType => "receiver-type",
        /// A member of the receiver's type, which follows from the return types of other calls.
        InferredType => "inferred-type",
        /// As the three before, found in a supertype.
        Inherited => "inherited",
        /// A member of the trait or interface that bounds the receiver's type.
        TraitBound => "trait-bound",
        /// Declared in another file of the same package.
        SamePackage => "same-package",
        /// A member of the type that parameters of the receiver's name nearly always have in the repository.
        UsualType => "usual-type",
        /// The only member of this name in the repository; the receiver's type is unknown.
        UniqueMember => "unique-member",
        /// The only definition of this name in the repository.
        UniqueName => "unique-name",
        /// The import statement itself.
        ImportStatement => "import-statement",
        /// Written in the head of a type: its supertypes.
        Heritage => "heritage",
        /// Has the methods of an interface, which is how Go types implement one.
        StructuralType => "structural-type",
        /// Same name and owner related by inheritance or interface.
        Override => "override",
        /// Found by the density of calls and uses (Leiden).
        Clustering => "clustering",
        /// Found by following calls from an entry point.
        Tracing => "tracing",
        /// Said by a compiler's own index (SCIP) that was imported.
        CompilerIndex => "compiler-index",
    }
}

impl Reason {
    /// Share of the call edges of this rule that are right, in percent.
    #[must_use]
    pub const fn confidence(self) -> u8 {
        match self {
            // Communities and processes are defined by their algorithms: there is nothing to confirm them by.
            Reason::Structure
            | Reason::ImportStatement
            | Reason::Clustering
            | Reason::Tracing
            | Reason::CompilerIndex => 100,
            Reason::SameFile | Reason::Import | Reason::ReExport | Reason::SelfType => 99,
            Reason::InferredType
            | Reason::ReceiverType
            | Reason::ModuleMember
            | Reason::TypeMember => 98,
            Reason::SamePackage | Reason::UsualType => 98,
            Reason::LexicalScope | Reason::GlobImport => 96,
            Reason::Heritage | Reason::Inherited => 95,
            Reason::TraitBound => 93,
            Reason::Path => 89,
            Reason::Override | Reason::StructuralType => 85,
            Reason::UniqueName => 80,
            Reason::UniqueMember => 58,
        }
    }
}

/// The kinds of definitions by number, as stored.
pub const SYMBOL_KINDS: [SymbolKind; 17] = [
    SymbolKind::Module,
    SymbolKind::Function,
    SymbolKind::Method,
    SymbolKind::Constructor,
    SymbolKind::Class,
    SymbolKind::Struct,
    SymbolKind::Enum,
    SymbolKind::Variant,
    SymbolKind::Trait,
    SymbolKind::Interface,
    SymbolKind::Impl,
    SymbolKind::TypeAlias,
    SymbolKind::Constant,
    SymbolKind::Variable,
    SymbolKind::Field,
    SymbolKind::Macro,
    SymbolKind::Section,
];

/// The forms of use by number, as stored.
pub const FORMS: [ReferenceForm; 10] = [
    ReferenceForm::Call,
    ReferenceForm::MethodCall,
    ReferenceForm::PathCall,
    ReferenceForm::New,
    ReferenceForm::MacroCall,
    ReferenceForm::Jsx,
    ReferenceForm::Decorator,
    ReferenceForm::Type,
    ReferenceForm::Value,
    ReferenceForm::Member,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_lead_back() {
        for (number, reason) in Reason::ALL.iter().enumerate() {
            assert_eq!(*reason as usize, number);
            assert_eq!(Reason::from_name(reason.name()), Some(*reason));
        }
        for (number, kind) in SYMBOL_KINDS.iter().enumerate() {
            assert_eq!(*kind as usize, number);
        }
        for (number, form) in FORMS.iter().enumerate() {
            assert_eq!(*form as usize, number);
        }
    }
}
