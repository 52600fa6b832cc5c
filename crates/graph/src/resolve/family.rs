//! What the languages have in common when names are resolved.

use syntax::Language;

/// Languages that see each other's definitions and share rules of scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Family {
    Rust,
    Python,
    Ecma,
    Go,
    Java,
    C,
    /// Documents and text: nothing to resolve.
    None,
}

impl Family {
    pub fn of(language: Language) -> Family {
        match language {
            Language::Rust => Family::Rust,
            Language::Python => Family::Python,
            Language::JavaScript | Language::TypeScript | Language::Tsx => Family::Ecma,
            Language::Go => Family::Go,
            Language::Java => Family::Java,
            Language::C | Language::Cpp => Family::C,
            _ => Family::None,
        }
    }

    /// Whether a bare name may mean a member of the type around it.
    pub fn has_implicit_this(self) -> bool {
        matches!(self, Family::Java | Family::C)
    }

    /// Whether names of an outer scope stay visible inside a module declared in the file.
    pub fn modules_inherit_scope(self) -> bool {
        !matches!(self, Family::Rust)
    }

    /// Names of the object a method works on.
    pub fn is_self(self, name: &str) -> bool {
        match self {
            Family::Python => matches!(name, "self" | "cls"),
            Family::Rust => name == "self",
            Family::Ecma | Family::Java | Family::C => name == "this",
            Family::Go | Family::None => false,
        }
    }
}

/// Whether a path holds tests, examples or benchmarks: nothing that product code would call.
pub(crate) fn is_test_path(path: &str) -> bool {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let in_test_folder = folders.split('/').any(|part| {
        matches!(
            part,
            "test"
                | "tests"
                | "__tests__"
                | "__mocks__"
                | "spec"
                | "specs"
                | "testing"
                | "testdata"
                | "fixtures"
                | "examples"
                | "example"
                | "benches"
                | "benchmark"
                | "benchmarks"
                | "e2e"
                | "docs_src"
        ) || part.ends_with("-tests")
            || part.ends_with("_tests")
    });
    let stem = file.split('.').next().unwrap_or(file);
    in_test_folder
        || file.contains(".test.")
        || file.contains(".spec.")
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem == "conftest"
        || (stem.ends_with("Test") && file.ends_with(".java"))
        || (stem.ends_with("Tests") && file.ends_with(".java"))
}

/// Methods that the standard types of many languages have: a call of one on a receiver of unknown type is most likely
/// theirs, and is never resolved by its name alone.
pub(crate) fn is_common_method(name: &str) -> bool {
    COMMON_METHODS.binary_search(&name).is_ok()
}

/// Sorted.
#[rustfmt::skip]
const COMMON_METHODS: &[&str] = &[
    "add", "addAll", "addEventListener", "all", "and", "and_then", "any", "append", "apply", "as_bytes", "as_mut",
    "as_ref", "as_slice", "as_str", "assign", "at", "begin", "bind", "borrow", "borrow_mut", "build", "by_ref",
    "bytes", "c_str", "call", "capacity", "catch", "chain", "charAt", "charCodeAt", "chars", "clear", "clone",
    "cloned", "close", "cmp", "collect", "concat", "contains", "containsKey", "contains_key", "copied", "copy",
    "count", "create", "data", "debug", "decode", "default", "delete", "deref", "description", "dict", "drain",
    "drop", "emit", "emplace_back", "empty", "encode", "end", "endsWith", "ends_with", "entries", "entry",
    "enumerate", "eq", "equals", "err", "error", "every", "exec", "execute", "exists", "exit", "expect", "extend",
    "fetch", "fill", "filter", "filter_map", "finally", "find", "findIndex", "first", "flat_map", "flatten", "flush",
    "fmt", "fold", "forEach", "for_each", "format", "from", "front", "get", "getClass", "getMessage", "getName",
    "getOrDefault", "getValue", "get_mut", "group", "handle", "has", "hasNext", "hash", "hashCode", "head", "id",
    "includes", "index", "indexOf", "info", "insert", "into", "into_inner", "into_iter", "invoke", "isEmpty",
    "is_empty", "is_err", "is_none", "is_ok", "is_some", "items", "iter", "iter_mut", "iterator", "join", "json",
    "key", "keys", "last", "lastIndexOf", "len", "length", "lines", "list", "load", "lock", "log", "lower", "main",
    "map", "map_err", "match", "matches", "max", "message", "method", "min", "name", "new", "next", "now", "nth",
    "of", "off", "ok", "ok_or", "ok_or_else", "on", "once", "open", "or", "or_else", "or_insert", "or_insert_with",
    "padStart", "parse", "partition", "path", "peek", "poll", "pop", "pop_back", "pop_front", "position", "post",
    "print", "println", "process", "push", "push_back", "push_str", "put", "query", "read", "readline", "recv",
    "reduce", "release", "remove", "removeAll", "repeat", "replace", "reserve", "reset", "resolve", "retain", "rev",
    "reverse", "route", "run", "save", "search", "seek", "send", "set", "setdefault", "shift", "size", "skip",
    "sleep", "slice", "some", "sort", "sorted", "splice", "split", "start", "startsWith", "starts_with", "stat",
    "state", "status", "stop", "stream", "strip", "sub", "subscribe", "substr", "substring", "sum", "swap", "take",
    "tell", "test", "text", "then", "title", "toArray", "toJSON", "toList", "toLowerCase", "toString", "toUpperCase",
    "to_owned", "to_string", "to_vec", "trim", "trim_end", "trim_start", "try_into", "type", "unshift", "unwrap",
    "unwrap_err", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "update", "upper", "url", "use", "value",
    "valueOf", "values", "wait", "warn", "with", "write", "zip",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_methods_are_sorted_for_the_search() {
        for pair in COMMON_METHODS.windows(2) {
            assert!(pair[0] < pair[1], "{pair:?}");
        }
    }

    #[test]
    fn paths_of_tests() {
        for path in [
            "tests/a.py",
            "src/a.test.ts",
            "pkg/a_test.go",
            "test_a.py",
            "src/FooTest.java",
        ] {
            assert!(is_test_path(path), "{path}");
        }
        for path in [
            "src/a.ts",
            "latest/a.py",
            "src/contest.rs",
            "src/attest/a.rs",
        ] {
            assert!(!is_test_path(path), "{path}");
        }
    }
}
