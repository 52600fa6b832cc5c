//! Keywords in written types.

/// Returns whether a word begins the type of a function.
pub(super) fn is_function_word(word: &str) -> bool {
    matches!(
        word,
        "fn" | "func"
            | "Fn"
            | "FnMut"
            | "FnOnce"
            | "AsyncFn"
            | "AsyncFnMut"
            | "AsyncFnOnce"
            | "function"
    )
}

/// Returns whether a word qualifies a type instead of naming one.
pub(super) fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "mut"
            | "any"
            | "some"
            | "const"
            | "dyn"
            | "impl"
            | "readonly"
            | "ref"
            | "unsafe"
            | "struct"
            | "class"
            | "enum"
            | "union"
            | "final"
            | "volatile"
            | "static"
            | "inline"
            | "extends"
            | "super"
            | "in"
            | "out"
            | "chan"
            | "async"
            | "extern"
            | "typename"
            | "constexpr"
            | "mutable"
            | "abstract"
            | "asserts"
            | "auto"
            | "register"
            | "unsigned"
            | "signed"
            | "move"
            | "await"
            | "new"
            | "pub"
            | "suspend"
    ) || word.starts_with('\'')
}
