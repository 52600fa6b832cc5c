//! Macros in the heads of classes and functions: `class LEVELDB_EXPORT Status {`, `LUA_API lua_Number pop(State *s) {`,
//! `int size(void) NOEXCEPT {`, `static __always_inline __alloc_size(1) void *kmalloc(size_t size) {`. A parser that does not expand macros takes such a class for a function and loses its
//! members, or takes a type for the name of a function. It is given a text in which the macro is blank, byte for byte.

use std::borrow::Cow;

/// Shorter words in capitals are rather names.
const MIN_MACRO: usize = 3;

/// Bytes from which on the head of a function is none: what is looked at stays linear in the text.
const MAX_HEAD: usize = 256;

/// Words with two underscores that the parser reads itself.
const KNOWN: &[&str] = &[
    "__asm",
    "__asm__",
    "__attribute",
    "__attribute__",
    "__cdecl",
    "__const",
    "__const__",
    "__declspec",
    "__extension__",
    "__fastcall",
    "__forceinline",
    "__inline",
    "__inline__",
    "__stdcall",
    "__thread",
    "__thiscall",
    "__typeof",
    "__typeof__",
    "__vectorcall",
    "__volatile__",
];

/// The text with macros between `class`, `struct` or `union` and the name of the type blanked out, and those before and
/// behind functions. Linear in the text.
pub(crate) fn without_class_macros(text: &str) -> Cow<'_, str> {
    let mut blanks = Vec::new();
    for keyword in ["class", "struct", "union"] {
        let heads = text.match_indices(keyword).map(|(at, _)| at);
        blanks.extend(heads.filter_map(|at| macro_after(text, at, keyword)));
    }
    before_functions(text, &mut blanks);
    attributes(text, &mut blanks);
    behind_parameters(text, &mut blanks);
    if blanks.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for byte in blanks.into_iter().flat_map(|(start, end)| start..end) {
        if let Some(byte) = bytes.get_mut(byte).filter(|byte| **byte != b'\n') {
            *byte = b' ';
        }
    }
    // Only whole words and brackets with what is in them become blanks.
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Bytes of the macro in the head that begins with the keyword at `at`, if it has one.
fn macro_after(text: &str, at: usize, keyword: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    if at > 0 && bytes.get(at - 1).is_some_and(|byte| is_word(*byte)) {
        return None;
    }
    let start = skip_space(bytes, at + keyword.len());
    let end = skip_word(bytes, start);
    let name = text.get(start..end)?;
    if start == at + keyword.len() || !is_macro(name) {
        return None;
    }
    let end = skip_brackets(bytes, end);
    let type_start = skip_space(bytes, end);
    let type_end = skip_word(bytes, type_start);
    if type_end == type_start || bytes.get(type_start).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let mut after = skip_space(bytes, type_end);
    if text.get(after..)?.starts_with("final") {
        after = skip_space(bytes, after + "final".len());
    }
    let fits = match bytes.get(after)? {
        b'{' | b':' => true,
        // `struct FOO bar;` declares a variable; only what says that it exports is a macro for sure.
        b';' => ["EXPORT", "API", "ABI", "PUBLIC", "VISIBLE"]
            .iter()
            .any(|word| name.contains(word)),
        _ => false,
    };
    fits.then_some((start, end))
}

fn is_macro(word: &str) -> bool {
    let is_capital = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    word.len() >= MIN_MACRO
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.bytes().all(is_capital)
}

/// Macros with which lines begin that go on with a type, a name and a bracket.
fn before_functions(text: &str, blanks: &mut Vec<(usize, usize)>) {
    let bytes = text.as_bytes();
    let mut line = 0;
    while line < bytes.len() {
        let start = skip_blank(bytes, line);
        if bytes.get(start).is_some_and(u8::is_ascii_uppercase) {
            let end = skip_word(bytes, start);
            if text.get(start..end).is_some_and(is_macro) && heads_function(bytes, end) {
                blanks.push((start, end));
            }
        }
        let rest = bytes.get(line..).unwrap_or_default();
        line += rest
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(rest.len(), |at| at + 1);
    }
}

/// Macros for attributes, with or without arguments, between the beginning of a line and the type, the name and the bracket of a
/// function.
fn attributes(text: &str, blanks: &mut Vec<(usize, usize)>) {
    let bytes = text.as_bytes();
    let mut past = 0;
    for start in memchr::memmem::find_iter(bytes, b"__") {
        let Some(end) = attribute(text, start).filter(|_| start >= past) else {
            continue;
        };
        past = end;
        let before = bytes.get(start.saturating_sub(MAX_HEAD)..start);
        let before = before.unwrap_or_default();
        let line = memchr::memrchr(b'\n', before).map(|at| at + 1);
        let is_near = line.is_some() || start < MAX_HEAD;
        let before = before.get(line.unwrap_or(0)..).unwrap_or_default();
        let is_head = is_near
            && before
                .iter()
                .all(|byte| is_word(*byte) || matches!(byte, b' ' | b'(' | b')'));
        if is_head && !before.starts_with(b" ") && type_follows(text, end) {
            blanks.push((start, end));
        }
    }
}

/// The end of an attribute's macro that begins there, its arguments included.
fn attribute(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    if start > 0 && bytes.get(start - 1).is_some_and(|byte| is_word(*byte)) {
        return None;
    }
    let end = skip_word(bytes, start);
    let name = text.get(start..end)?;
    let is_attribute = name
        .strip_prefix("__")?
        .starts_with(|c: char| c.is_ascii_lowercase())
        && !name.bytes().any(|byte| byte.is_ascii_uppercase())
        && !KNOWN.contains(&name);
    let near = bytes.get(..bytes.len().min(end + MAX_HEAD))?;
    is_attribute.then(|| skip_brackets(near, end))
}

/// Returns true if a type, a name and a bracket follow on the line, behind any further attributes.
fn type_follows(text: &str, from: usize) -> bool {
    let end = text.len().min(from + MAX_HEAD);
    let bytes = text.as_bytes().get(..end).unwrap_or_default();
    let mut at = skip_blank(bytes, from);
    while let Some(end) = attribute(text, at).filter(|end| *end < bytes.len()) {
        at = skip_blank(bytes, end);
    }
    let word = bytes.get(at..skip_word(bytes, at)).unwrap_or_default();
    let is_no_type = [&b"const"[..], b"else", b"return", b"volatile"].contains(&word);
    !is_no_type && at > from && heads_function(bytes, at - 1)
}

/// Returns true if at least two words, pointers among them, and a bracket follow on the line.
fn heads_function(bytes: &[u8], from: usize) -> bool {
    let mut at = skip_blank(bytes, from);
    if at == from {
        return false;
    }
    let mut n_words = 0;
    loop {
        let end = skip_word(bytes, at);
        if end > at {
            if bytes.get(at).is_some_and(u8::is_ascii_digit) {
                return false;
            }
            n_words += 1;
            at = skip_blank(bytes, end);
            continue;
        }
        match bytes.get(at) {
            Some(b'*' | b'&') if n_words > 0 => at = skip_blank(bytes, at + 1),
            Some(b'(') => return n_words >= 2,
            _ => return false,
        }
    }
}

/// Blanks macros between the parameters of a function and its body or its substitute.
fn behind_parameters(text: &str, blanks: &mut Vec<(usize, usize)>) {
    let bytes = text.as_bytes();
    for bracket in memchr::memchr_iter(b')', bytes) {
        let start = skip_space(bytes, bracket + 1);
        if start == bracket + 1 || !bytes.get(start).is_some_and(u8::is_ascii_uppercase) {
            continue;
        }
        let end = skip_word(bytes, start);
        let after = skip_space(bytes, end);
        let rest = text.get(after..).unwrap_or_default();
        let is_head = ["{", "override", "final", "= default", "= delete", "= 0"]
            .iter()
            .any(|word| rest.starts_with(word));
        if is_head && text.get(start..end).is_some_and(is_macro) {
            blanks.push((start, end));
        }
    }
}

fn skip_blank(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn skip_space(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

fn skip_word(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| is_word(**byte)).count()
}

/// Behind `(…)`, if it follows at once and closes within the line.
fn skip_brackets(bytes: &[u8], from: usize) -> usize {
    if bytes.get(from) != Some(&b'(') {
        return from;
    }
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate().skip(from) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'\n' => return from,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_classes() {
        for (text, expected) in [
            (
                "class LEVELDB_EXPORT Status {",
                "class                Status {",
            ),
            (
                "struct FMT_API error : base {",
                "struct         error : base {",
            ),
            ("class API(1) A final {};", "class        A final {};"),
            ("class Q_EXPORT Env;", "class          Env;"),
            ("struct FOO bar;", "struct FOO bar;"),
            ("struct FOO {", "struct FOO {"),
            ("class Foo Bar {", "class Foo Bar {"),
            ("subclass ABC d {", "subclass ABC d {"),
            ("class ABC", "class ABC"),
            ("class ABC(\nd {", "class ABC(\nd {"),
            ("class", "class"),
            (
                "LUA_API lua_State *open(void);",
                "        lua_State *open(void);",
            ),
            ("  FMT_FUNC auto f(int a) {", "           auto f(int a) {"),
            ("LUA_API open(void);", "LUA_API open(void);"),
            ("DWORD *open(void);", "DWORD *open(void);"),
            ("FOO a = b(c);", "FOO a = b(c);"),
            ("int f(int a) NOEXCEPT {", "int f(int a)          {"),
            ("int f(int a)\n  NOEXCEPT\n{", "int f(int a)\n          \n{"),
            ("int f() NOEXCEPT override;", "int f()          override;"),
            ("A::~A() NOEXCEPT = default;", "A::~A()          = default;"),
            ("a = (b) FOO + c;", "a = (b) FOO + c;"),
            ("enum FOO {", "enum FOO {"),
            (
                "static __always_inline __alloc_size(1) void *kmalloc(size_t size, gfp_t flags)\n{",
                "static                                 void *kmalloc(size_t size, gfp_t flags)\n{",
            ),
            (
                "static __always_inline unsigned int __index(size_t size,",
                "static                 unsigned int __index(size_t size,",
            ),
            ("__be32 swap(u32 x);", "__be32 swap(u32 x);"),
            ("__u32 __user *at(int x);", "__u32 __user *at(int x);"),
            (
                "void __free(struct page *p) __releases(p);",
                "void __free(struct page *p) __releases(p);",
            ),
            (
                "__attribute__((cold)) int f(void);",
                "__attribute__((cold)) int f(void);",
            ),
            ("  __with(x) struct a b(c);", "  __with(x) struct a b(c);"),
            ("__with(x) return f(a);", "__with(x) return f(a);"),
            (
                "static int __init start(void)",
                "static int __init start(void)",
            ),
            ("f(a)FOO {", "f(a)FOO {"),
        ] {
            assert_eq!(without_class_macros(text), expected, "{text}");
        }
    }
}
