//! The classes that a piece of text can be coloured by. Plain data: the page needs the names without any grammar.

/// A coloured piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Highlight {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Its class.
    pub class: HighlightClass,
}

/// Class of a highlighted piece of text. The numbers cross the boundary to JavaScript: append, never reorder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum HighlightClass {
    /// A word of the language.
    Keyword,
    /// A type, class or constructor.
    Type,
    /// A function or method, called or defined.
    Function,
    /// A macro.
    Macro,
    /// A parameter.
    Parameter,
    /// A field, property or key.
    Property,
    /// A constant or literal that is a name (`true`, `null`).
    Constant,
    /// `this`, `self` and functions of the language.
    Builtin,
    /// A module, package or namespace.
    Namespace,
    /// A number.
    Number,
    /// A string.
    String,
    /// An escape sequence within a string.
    Escape,
    /// A regular expression.
    Regexp,
    /// A comment.
    Comment,
    /// An operator.
    Operator,
    /// A decorator, attribute or annotation.
    Attribute,
    /// An element of JSX or HTML.
    Tag,
    /// A label or lifetime.
    Label,
    /// A heading of a document.
    Heading,
    /// Code within a document.
    Code,
    /// A link of a document.
    Link,
}

impl HighlightClass {
    /// All classes in the order of their numbers.
    pub const ALL: [HighlightClass; 21] = [
        HighlightClass::Keyword,
        HighlightClass::Type,
        HighlightClass::Function,
        HighlightClass::Macro,
        HighlightClass::Parameter,
        HighlightClass::Property,
        HighlightClass::Constant,
        HighlightClass::Builtin,
        HighlightClass::Namespace,
        HighlightClass::Number,
        HighlightClass::String,
        HighlightClass::Escape,
        HighlightClass::Regexp,
        HighlightClass::Comment,
        HighlightClass::Operator,
        HighlightClass::Attribute,
        HighlightClass::Tag,
        HighlightClass::Label,
        HighlightClass::Heading,
        HighlightClass::Code,
        HighlightClass::Link,
    ];

    /// The name of the class, as captures of `highlights.scm` and style sheets have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            HighlightClass::Keyword => "keyword",
            HighlightClass::Type => "type",
            HighlightClass::Function => "function",
            HighlightClass::Macro => "macro",
            HighlightClass::Parameter => "parameter",
            HighlightClass::Property => "property",
            HighlightClass::Constant => "constant",
            HighlightClass::Builtin => "builtin",
            HighlightClass::Namespace => "namespace",
            HighlightClass::Number => "number",
            HighlightClass::String => "string",
            HighlightClass::Escape => "escape",
            HighlightClass::Regexp => "regexp",
            HighlightClass::Comment => "comment",
            HighlightClass::Operator => "operator",
            HighlightClass::Attribute => "attribute",
            HighlightClass::Tag => "tag",
            HighlightClass::Label => "label",
            HighlightClass::Heading => "heading",
            HighlightClass::Code => "code",
            HighlightClass::Link => "link",
        }
    }

    /// The class of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<HighlightClass> {
        HighlightClass::ALL
            .into_iter()
            .find(|class| class.name() == name)
    }
}
