//! Uses of names, and what names are bound to.

use rkyv::{Archive, Deserialize, Serialize};

use super::{ChainId, LocalSymbol, Span, TypeId};

/// Form of a use of a name.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Archive, Serialize, Deserialize,
)]
#[rkyv(derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash))]
#[repr(u8)]
pub enum ReferenceForm {
    /// Call `f()`.
    Call,
    /// Call `x.f()`; `self.f()`, `this.f()` and `super().f()` too (the receiver tells).
    MethodCall,
    /// Call `a::f()`.
    PathCall,
    /// `new Foo()`, or a struct literal `Foo { .. }`.
    New,
    /// `f!()`.
    MacroCall,
    /// `<Foo />`.
    Jsx,
    /// `@foo` before a definition.
    Decorator,
    /// A name in type position.
    Type,
    /// A name used as a value: passed, assigned, returned, read.
    Value,
    /// A member read without a call, `x.f`.
    Member,
}

impl ReferenceForm {
    /// Returns true if the name is called.
    #[must_use]
    pub fn is_call(self) -> bool {
        use ReferenceForm::{Call, Decorator, Jsx, MacroCall, MethodCall, New, PathCall};
        matches!(
            self,
            Call | MethodCall | PathCall | New | MacroCall | Jsx | Decorator
        )
    }
}

/// A use of a name.
#[derive(Debug, Clone, PartialEq, Archive, Serialize, Deserialize)]
pub struct Reference {
    /// The simple name used (`f` of `a.b.f()`).
    pub name: String,
    /// Its form.
    pub form: ReferenceForm,
    /// The expression before the name: `x` of `x.f()`, `a::b` of `a::b::f()`, `a.b()` of `a.b().f()`.
    pub receiver: Option<Receiver>,
    /// The name only.
    pub span: Span,
    /// The innermost definition around it that is no variable or field (methods inside impl blocks: the method).
    pub enclosing: Option<LocalSymbol>,
    /// Number of arguments of a call.
    pub n_arguments: Option<u8>,
    /// Inside the arguments of a macro.
    pub in_macro: bool,
}

/// The expression before a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Receiver {
    /// Its first byte. All receivers of a chain of calls share it.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// Its structure.
    pub chain: ChainId,
}

impl Receiver {
    /// The receiver between two bytes of a text, without white space at its ends and without the dot that Haskell's
    /// grammar counts to the module before it; none if nothing is there. Its structure is set later.
    #[cfg(feature = "ingest")]
    pub(crate) fn between(start: usize, end: usize, source: &str) -> Option<Receiver> {
        let text = source.get(start..end)?;
        let start = start + (text.len() - text.trim_start().len());
        let text = text.trim();
        let text = match text.strip_suffix('.') {
            Some(module) if module.starts_with(char::is_uppercase) => module,
            _ => text,
        };
        (!text.is_empty()).then(|| Receiver {
            start: start as u32,
            end: (start + text.len()) as u32,
            chain: ChainId::default(),
        })
    }
}

/// Source of a binding's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Archive, Serialize, Deserialize)]
#[rkyv(derive(Debug, Clone, Copy, PartialEq, Eq, Hash))]
#[repr(u8)]
pub enum BindingKind {
    /// `x: Foo`: bound to a type.
    Annotated,
    /// `x = new Foo(…)`, `x = Foo { .. }`: bound to a type. Python's `x = Foo()` is a [`BindingKind::Call`].
    Constructed,
    /// `x = a.b(…)`: bound to the callee (`a.b`, `Foo::new`), arguments left out.
    Call,
    /// `x = y`, `x = a.b`: bound to the expression.
    Alias,
    /// `for x in y`, `x of y`: bound to the iterated expression.
    Element,
    /// `f((x) => …)`: bound to a parameter of an argument.
    Argument,
}

/// A fact about the type of a name.
#[derive(Debug, Clone, PartialEq, Archive, Serialize, Deserialize)]
pub struct Binding {
    /// The name: `x`, or `self.x` / `this.x` for a field set within a method.
    pub name: String,
    /// Source of the type.
    pub kind: BindingKind,
    /// The type or expression as written, white space removed; the insides of brackets are left out of texts over 200
    /// bytes. Of an argument the number of the argument and that of the parameter, from 0, the members taken of it, and
    /// the callee: `0.1 f`, for `f(({ x }) => …)` `0.0.x f`. Of a closure its result behind [`Binding::CLOSURE`]. Empty if nothing is known; [`Binding::END`] at the end of a block.
    pub value: String,
    /// The same as structure.
    pub bound: Bound,
    /// The definition whose scope the name lives in; none at file level.
    pub enclosing: Option<LocalSymbol>,
    /// Place of the binding, which holds from its end on: the name, with the rest of the statement where that still means
    /// another definition by the name (`let size = size();`). Where a test narrows a name (`isinstance`), the part of the text
    /// in which it holds.
    pub span: Span,
}

impl Binding {
    /// The value of a binding that ends the last one of its name: behind it the name means what it meant before.
    pub const END: &'static str = "}";
    /// Before the value of a binding that is a closure: what follows is the result of a call.
    pub const CLOSURE: &'static str = "||";

    /// Whether this is a closure whose result is the value.
    #[must_use]
    pub fn is_closure(&self) -> bool {
        self.value.starts_with(Binding::CLOSURE)
    }

    /// Whether this is the end of a binding, at the end of its block.
    #[must_use]
    pub fn is_end(&self) -> bool {
        self.value == Binding::END
    }
}

/// The value or type that a name is bound to.
#[derive(Debug, Clone, PartialEq, Default, Archive, Serialize, Deserialize)]
pub enum Bound {
    /// Nothing is known.
    #[default]
    Nothing,
    /// A type.
    Type(TypeId),
    /// An expression; of a call, the callee.
    Value(ChainId),
    /// A parameter of a function that is an argument of a call.
    Parameter(Box<CallbackParameter>),
}

/// A parameter of a function that is an argument of a call.
#[derive(Debug, Clone, PartialEq, Archive, Serialize, Deserialize)]
pub struct CallbackParameter {
    /// Number of the argument, from 0; [`Self::LAST`] for the last.
    pub argument: u32,
    /// Number of the parameter, from 0.
    pub parameter: u32,
    /// Members that are taken of it, in order: a chain of members whose head is unknown.
    pub path: ChainId,
    /// The function that is called.
    pub callee: ChainId,
}

impl CallbackParameter {
    /// The number of an argument that is written behind the parentheses, `f(x) { … }`: the last, however many there are.
    pub const LAST: usize = 999;
}
