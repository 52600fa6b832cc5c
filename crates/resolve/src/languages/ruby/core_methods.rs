//! Methods of the core classes.

/// Whether Ruby's objects, strings, arrays or hashes have a method of this name: a call of it on an unknown receiver
/// most likely means theirs.
pub(crate) fn is_core_method(name: &str) -> bool {
    name.starts_with("each")
        || name.starts_with("to_")
        || name.ends_with('=')
        || !name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        || CORE_METHODS.contains(&name.trim_end_matches(['?', '!']))
}

/// Their names, without `?` and `!` at the ends.
#[rustfmt::skip]
const CORE_METHODS: &[&str] = &[
    "all", "bytesize", "match", "host", "port", "path", "options", "write", "any", "alive", "allocate",
    "ancestors", "between", "call", "chomp", "chop", "class", "collect", "compact", "cover", "define_method",
    "detect", "dig", "downcase", "dup", "empty", "end_with", "eql", "equal", "even", "exclude", "extend",
    "fetch", "frozen", "gsub", "has_key", "include", "inject", "instance_of", "is_a", "instance_variable_get",
    "instance_variable_set", "join", "key", "kind_of", "length", "member", "merge", "method", "method_missing",
    "name", "negative", "new", "nil", "none", "nonzero", "odd", "one", "ord", "positive", "present",
    "public_send", "raise", "reject", "respond_to", "reverse", "rewind", "scan", "send", "size", "sort",
    "squeeze", "start_with", "strip", "sub", "sum", "tap", "then", "times", "uniq", "unpack", "unpack1",
    "upcase", "upto", "valid", "value", "values_at", "yield_self", "zero", "zip",
];
