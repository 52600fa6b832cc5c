//! Families of languages, and the method names that most standard libraries share.

use syntax::Language;

/// A family of languages that see each other's definitions and share rules of scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Family {
    Rust,
    Python,
    Ecma,
    Go,
    /// Java, Kotlin and Scala: one class path.
    Java,
    C,
    CSharp,
    Php,
    Swift,
    Dart,
    Ruby,
    Lua,
    /// Bash and other shells.
    Shell,
    Elixir,
    Haskell,
    Zig,
    /// CSS and its dialects.
    Style,
    Sql,
    /// A user's language.
    User(Language),
    /// Documents and text: nothing to resolve.
    None,
}

impl Family {
    pub fn of(language: Language) -> Family {
        match language {
            Language::Rust => Family::Rust,
            Language::Python => Family::Python,
            // Only the scripts of an HTML page have names to resolve.
            Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Html => {
                Family::Ecma
            }
            Language::Go => Family::Go,
            Language::Java | Language::Kotlin | Language::Scala => Family::Java,
            Language::C | Language::Cpp => Family::C,
            Language::CSharp => Family::CSharp,
            Language::Php => Family::Php,
            Language::Swift => Family::Swift,
            Language::Dart => Family::Dart,
            Language::Ruby => Family::Ruby,
            Language::Lua => Family::Lua,
            Language::Bash => Family::Shell,
            Language::Elixir => Family::Elixir,
            Language::Haskell => Family::Haskell,
            Language::Zig => Family::Zig,
            Language::Css => Family::Style,
            Language::Sql => Family::Sql,
            user if Language::USER.contains(&user) => Family::User(user),
            _ => Family::None,
        }
    }
}

/// Whether standard types of many languages have a method of this name: a call of it on a receiver of unknown type most
/// likely means theirs, and is never resolved by its name alone.
pub(crate) fn is_common_method(name: &str) -> bool {
    COMMON_METHODS.binary_search(&name).is_ok()
}

/// Sorted.
#[rustfmt::skip]
const COMMON_METHODS: &[&str] = &[
    "Add", "AddRange", "Aggregate", "All", "Any", "Append", "AppendLine", "As", "AsSpan", "Average", "Bytes", "Cast",
    "Clear", "Clone", "Close", "Combine", "CompareTo", "Concat", "Contains", "ContainsKey", "Copy", "CopyTo", "Count",
    "Create", "Del", "Dequeue", "Dispose", "DisposeAsync", "Distinct", "Done", "EndsWith", "Enqueue", "Equals", "Err",
    "Error", "Errorf", "Except", "ExecuteNonQuery", "ExecuteReader", "Exists", "Fatal", "Fatalf", "Find", "First",
    "FirstOrDefault", "Flush", "ForEach", "Format", "Get", "GetAwaiter", "GetBytes", "GetEnumerator", "GetHashCode",
    "GetMethod", "GetMethods", "GetProperties", "GetProperty", "GetService", "GetType", "GetValue",
    "GetValueOrDefault", "GroupBy", "Header", "Helper", "IndexOf", "Insert", "Intersect", "Invoke", "Is",
    "IsNullOrEmpty", "Join", "Key", "Last", "LastOrDefault", "Len", "Less", "Load", "Lock", "Log", "Logf", "Max",
    "Min", "MoveNext", "Name", "Next", "Open", "Order", "OrderBy", "OrderByDescending", "Parse", "Peek", "Pop",
    "Print", "Printf", "Println", "Push", "RLock", "RUnlock", "Read", "ReadAsync", "ReadLine", "Remove", "RemoveAt",
    "Replace", "Reset", "Reverse", "Run", "Scan", "Select", "SelectMany", "SequenceEqual", "ServeHTTP", "Set",
    "SetValue", "Single", "SingleOrDefault", "Skip", "Sort", "Split", "Sprintf", "Start", "StartsWith", "Stop",
    "String", "Substring", "Sum", "Swap", "Take", "Text", "ThenBy", "ToArray", "ToDictionary", "ToList", "ToLookup",
    "ToLower", "ToString", "ToUpper", "Trim", "TrimEnd", "TrimStart", "TryAdd", "TryGetValue", "TryParse",
    "TryRemove", "Union", "Unlock", "Unwrap", "Value", "Wait", "WhenAll", "Where", "Write", "WriteAsync",
    "WriteHeader", "WriteLine", "Zip", "abort", "abs", "abs_diff", "absolute", "acquire", "add", "addAll",
    "addEntries", "addEventListener", "addHandler", "addListener", "addSuppressed", "add_done_callback", "all",
    "allMatch", "allSatisfy", "also", "ancestors", "and", "and_modify", "and_then", "any", "anyMatch", "append",
    "appendChild", "appendleft", "apply", "arg", "args", "arrayBuffer", "asStream", "as_any", "as_bytes", "as_micros",
    "as_millis", "as_mut", "as_mut_slice", "as_nanos", "as_os_str", "as_path", "as_posix", "as_ref", "as_secs",
    "as_secs_f64", "as_slice", "as_str", "assign", "associate", "associateBy", "async", "at", "attempt", "backtrace",
    "begin", "binary_search", "binary_search_by", "bind", "bindParam", "blob", "blur", "booleanValue", "borrow",
    "borrow_mut", "boxed", "build", "buildString", "by_ref", "bytes", "c_str", "call", "call_soon", "cancel",
    "cancelled", "canonicalize", "capacity", "capitalize", "casefold", "cast", "catch", "cause", "ceil", "center",
    "chain", "charAt", "charCodeAt", "char_indices", "chars", "checked_add", "checked_mul", "checked_sub", "chmod",
    "chunks", "chunks_exact", "clamp", "clear", "clearTimeout", "click", "clone", "cloneNode", "cloned", "close",
    "closest", "cmp", "code", "codePointAt", "collect", "collectAsState", "collectFirst", "commit", "compactMap",
    "compareTo", "compareToIgnoreCase", "components", "compute", "computeIfAbsent", "computeIfPresent", "concat",
    "contains", "containsAll", "containsKey", "containsValue", "contains_key", "copied", "copy", "copyWithin", "cork",
    "count", "count_ones", "create", "createServer", "create_dir_all", "create_task", "critical", "current_dir",
    "cursor", "cycle", "data", "debug", "decode", "dedup", "dedup_by_key", "default", "defineProperty", "delete",
    "deleteCharAt", "deref", "descendingIterator", "description", "destroy", "dict", "difference", "discard",
    "disconnect", "dispatchEvent", "display", "distinct", "done", "doubleValue", "downcast", "downcast_ref", "drain",
    "drop", "dropFirst", "dropLast", "duration_since", "elapsed", "elementAt", "emit", "emplace_back", "empty",
    "encode", "end", "endsWith", "ends_with", "endswith", "enqueue", "entries", "entry", "entrySet", "enumerate",
    "env", "envs", "eq", "eq_ignore_ascii_case", "equals", "equalsIgnoreCase", "err", "error", "every", "exception",
    "exec", "execute", "executemany", "exists", "exit", "expand", "expandtabs", "expanduser", "expect", "expect_err",
    "extend", "extend_from_slice", "extension", "fetch", "fetchAll", "fetchColumn", "fetchall", "fetchmany",
    "fetchone", "file_name", "file_stem", "file_type", "fill", "filter", "filterNot", "filterNotNull", "filter_map",
    "finally", "find", "findAny", "findFirst", "findIndex", "findLast", "findLastIndex", "find_map", "findall",
    "finditer", "finish", "first", "firstIndex", "firstOrNull", "firstWhere", "first_mut", "flat", "flatMap",
    "flat_map", "flatten", "floatValue", "floor", "flush", "fmt", "focus", "fold", "foldLeft", "foldRight", "forEach",
    "for_each", "forall", "foreach", "formData", "format", "format_map", "freeze", "from", "fromEntries", "from_bits",
    "fromkeys", "fromtimestamp", "front", "fullmatch", "fuse", "gather", "ge", "get", "getArrayCopy", "getAttribute",
    "getBoundingClientRect", "getBytes", "getCause", "getClass", "getClassLoader", "getContext", "getDate",
    "getDeclaredField", "getDeclaredMethod", "getElementById", "getFullYear", "getHours", "getItem", "getIterator",
    "getKey", "getLocalizedMessage", "getLogger", "getMessage", "getMonth", "getName", "getOrDefault", "getOrElse",
    "getOrNull", "getOrPut", "getPrototypeOf", "getReader", "getSimpleName", "getStackTrace", "getTime",
    "getTimestamp", "getValue", "get_mut", "get_or_insert_with", "glob", "group", "groupBy", "groupdict", "groups",
    "gt", "handle", "has", "hasAttribute", "hasNext", "hasOwnProperty", "hasPrefix", "hasSuffix", "hash", "hashCode",
    "head", "headOption", "id", "ifPresent", "includes", "index", "indexOf", "indexWhere", "info", "initCause",
    "insert", "insertBefore", "inspect", "intValue", "intern", "intersection", "into", "into_boxed_slice",
    "into_boxed_str", "into_bytes", "into_inner", "into_iter", "into_string", "invoke", "isArray", "isAssignableFrom",
    "isBlank", "isDefined", "isEmpty", "isEnabledFor", "isInstance", "isNullOrBlank", "isNullOrEmpty", "isPresent",
    "isPrototypeOf", "is_absolute", "is_alphabetic", "is_alphanumeric", "is_ascii", "is_dir", "is_empty", "is_err",
    "is_file", "is_finished", "is_none", "is_none_or", "is_numeric", "is_ok", "is_ok_and", "is_power_of_two",
    "is_some", "is_some_and", "is_symlink", "is_whitespace", "isalnum", "isalpha", "isdigit", "isdisjoint", "islower",
    "isoformat", "isspace", "issubset", "issuperset", "isupper", "items", "iter", "iter_mut", "iterator", "iterdir",
    "join", "joinToString", "joinpath", "json", "jsonSerialize", "key", "keySet", "keys", "kill", "last",
    "lastIndexOf", "lastOption", "lastOrNull", "lastWhere", "last_mut", "launch", "le", "leading_zeros", "leak",
    "len", "length", "let", "limit", "lines", "list", "listIterator", "listen", "ljust", "load", "localeCompare",
    "lock", "log", "longValue", "lower", "lowercase", "lstrip", "lt", "main", "maketrans", "map", "map2", "mapKeys",
    "mapNotNull", "mapToInt", "mapToLong", "mapToObj", "mapValues", "map_err", "map_or", "map_or_else", "map_while",
    "match", "matchAll", "matches", "max", "maxOf", "max_by", "max_by_key", "merge", "message", "metadata", "method",
    "min", "minOf", "min_by", "min_by_key", "minus", "mkString", "mkdir", "modify", "name", "ne", "new",
    "newInstance", "next", "nonEmpty", "noneMatch", "normalize", "notify", "notify_all", "now", "nth", "observe",
    "of", "off", "offsetExists", "offsetGet", "offsetSet", "offsetUnset", "ok", "ok_or", "ok_or_else", "on",
    "onComplete", "once", "open", "or", "orElse", "orElseGet", "orElseThrow", "orNull", "or_default", "or_else",
    "or_insert", "or_insert_with", "ordinal", "output", "padEnd", "padStart", "parent", "parse", "partial_cmp",
    "partition", "partition_point", "path", "pause", "peek", "peekFirst", "peekable", "perform", "pipe",
    "pipeThrough", "pipeTo", "play", "plus", "poll", "pollFirst", "pollLast", "poll_next", "poll_ready", "pop",
    "popLast", "pop_back", "pop_front", "popitem", "popleft", "position", "post", "postMessage", "pow", "prefix",
    "prepare", "prependListener", "preventDefault", "print", "printStackTrace", "println", "process", "product",
    "propertyIsEnumerable", "push", "push_back", "push_str", "put", "putAll", "putIfAbsent", "query", "querySelector",
    "querySelectorAll", "read", "read_bytes", "read_dir", "read_exact", "read_line", "read_text", "read_to_end",
    "read_to_string", "readline", "receive", "recover", "recoverWith", "recv", "reduce", "regionMatches", "reject",
    "relative_to", "release", "releaseLock", "rem_euclid", "remove", "removeAll", "removeAllListeners",
    "removeAttribute", "removeChild", "removeEventListener", "removeFirst", "removeIf", "removeItem", "removeLast",
    "removeListener", "removeValue", "removeprefix", "removesuffix", "rename", "repeat", "replace", "replaceAll",
    "replaceFirst", "requestAnimationFrame", "reserve", "reserveCapacity", "reset", "resize", "resolve", "respond",
    "result", "resume", "retain", "retainAll", "rev", "reverse", "reversed", "rewind", "rglob", "rjust", "rmdir",
    "rollback", "rotate", "rotate_left", "round", "route", "rpartition", "rposition", "rsplit", "rsplit_once",
    "rsplitn", "rstrip", "run", "run_in_executor", "run_until_complete", "saturating_add", "saturating_mul",
    "saturating_sub", "save", "scan", "scroll", "scrollIntoView", "search", "seek", "select", "send", "set",
    "setAttribute", "setCharAt", "setInterval", "setItem", "setLength", "setLevel", "setMaxListeners", "setTimeout",
    "setTimezone", "setValue", "set_exception", "set_len", "set_result", "setdefault", "shift", "shrink_to_fit",
    "singleOrNull", "sink", "size", "skip", "skipWhile", "skip_while", "sleep", "slice", "some", "sort", "sort_by",
    "sort_by_key", "sort_unstable", "sort_unstable_by", "sort_unstable_by_key", "sorted", "sortedBy", "sortedWith",
    "source", "span", "spawn", "splice", "split", "split_at", "split_once", "split_whitespace", "splitlines",
    "splitn", "sqrt", "start", "startsWith", "starts_with", "startswith", "stat", "state", "status", "stderr",
    "stdin", "stdout", "step_by", "stop", "stopPropagation", "store", "stream", "strftime", "strip", "strip_prefix",
    "strip_suffix", "strptime", "sub", "subList", "subarray", "submit", "subn", "subscribe", "substr", "substring",
    "success", "suffix", "sum", "sumOf", "swap", "symmetric_difference", "sync", "sync_all", "take", "takeIf",
    "takeUnless", "take_while", "tee", "tell", "terminate", "test", "text", "then", "thenAccept", "thenApply",
    "thenCombine", "thenCompose", "thread", "timestamp", "title", "toArray", "toCharArray", "toFixed", "toISOString",
    "toIso8601String", "toJSON", "toList", "toLocaleString", "toLowerCase", "toMap", "toMutableList", "toMutableMap",
    "toOption", "toPrecision", "toReversed", "toSeq", "toSet", "toSorted", "toString", "toUpperCase", "toVector",
    "to_ascii_lowercase", "to_ascii_uppercase", "to_be_bytes", "to_bits", "to_le_bytes", "to_lowercase",
    "to_ne_bytes", "to_owned", "to_path_buf", "to_str", "to_string", "to_string_lossy", "to_uppercase", "to_vec",
    "today", "toggle", "total_cmp", "total_seconds", "touch", "trailing_zeros", "translate", "transpose", "traverse",
    "trim", "trimEnd", "trimStart", "trim_end", "trim_end_matches", "trim_matches", "trim_start",
    "trim_start_matches", "truncate", "try_borrow", "try_exists", "try_fold", "try_for_each", "try_into", "try_lock",
    "try_recv", "try_send", "try_wait", "type", "type_id", "unapply", "union", "unlink", "unobserve", "unpark",
    "unshift", "unwrap", "unwrap_err", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "unzip", "update", "upper",
    "uppercase", "url", "use", "utcnow", "value", "valueOf", "values", "wait", "wait_for", "warn", "warning",
    "whenComplete", "where", "windows", "with", "withIndex", "with_extension", "with_file_name", "with_name",
    "with_suffix", "wrapping_add", "wrapping_mul", "wrapping_sub", "write", "write_all", "write_bytes", "write_fmt",
    "write_str", "write_text", "xor", "zfill", "zip", "zipWithIndex", "zipWithNext",
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
}
