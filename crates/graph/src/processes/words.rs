//! Names and decorators that mark entry points, in all languages: lists, and functions that compare with them.

/// Names of functions that start a program.
pub(super) const MAINS: &[&str] = &[
    "main", "Main", "__main__", "_main", "_start", "wmain", "WinMain", "wWinMain",
];
/// Last words of decorators that start a program (`tokio::main`).
pub(super) const MAIN_DECORATORS: &[&str] = &["main", "entrypoint", "entry_point"];
/// Last words, in lower case, of decorators and annotations that register a function, and of calls that do.
pub(super) const ROUTES: &[&str] = &[
    "action",
    "add_api_route",
    "add_command",
    "add_handler",
    "add_listener",
    "add_route",
    "addcommand",
    "addeventlistener",
    "addhandler",
    "addlistener",
    "addroute",
    "after_request",
    "all",
    "any",
    "api_route",
    "api_view",
    "before_request",
    "callback",
    "command",
    "connect",
    "cron",
    "delete",
    "deletemapping",
    "errorhandler",
    "event",
    "eventhandler",
    "eventlistener",
    "exception_handler",
    "get",
    "getmapping",
    "group",
    "handle",
    "handle_func",
    "handlefunc",
    "handler",
    "head",
    "hook",
    "httpdelete",
    "httpget",
    "httppatch",
    "httppost",
    "httpput",
    "job",
    "kafkalistener",
    "listener",
    "message",
    "messagemapping",
    "messagepattern",
    "middleware",
    "mutation",
    "on",
    "on_event",
    "once",
    "option",
    "options",
    "patch",
    "patchmapping",
    "path",
    "periodic_task",
    "post",
    "postmapping",
    "process",
    "put",
    "putmapping",
    "query",
    "rabbitlistener",
    "receiver",
    "register",
    "requestmapping",
    "result_callback",
    "route",
    "schedule",
    "scheduled",
    "shared_task",
    "sqslistener",
    "subscribe",
    "subscribemessage",
    "subscription",
    "task",
    "use",
    "websocket",
    "websocket_route",
];
/// Words of [`ROUTES`] that register nothing as names of calls: iterators and builders have them, too.
const NO_REGISTRATIONS: &[&str] = &[
    "all", "any", "callback", "group", "head", "job", "message", "option", "options", "path",
    "process", "query",
];
/// Methods that call a function for the elements of a list: whoever calls such a method calls the function.
pub(super) const ITERATORS: &[&str] = &[
    "all",
    "any",
    "collect",
    "each",
    "every",
    "filter",
    "filter_map",
    "find",
    "flatMap",
    "flat_map",
    "fold",
    "forEach",
    "for_each",
    "map",
    "reduce",
    "select",
    "some",
    "sort",
    "sort_by",
    "sort_by_key",
];
/// Last words of decorators that make a function callable from another language.
pub(super) const BINDINGS: &[&str] = &["napi", "no_mangle", "pyfunction", "wasm_bindgen"];

/// Words of [`ROUTES`] that register only as methods (`app.errorHandler(show)`): a plain call of such a function calls the handler.
const METHODS_ONLY: &[&str] = &[
    "action",
    "command",
    "errorhandler",
    "event",
    "eventhandler",
    "eventlistener",
    "exception_handler",
    "handle",
    "handler",
    "hook",
    "listener",
    "middleware",
    "mutation",
    "receiver",
    "task",
];

/// Whether a call of this name registers the functions that it is given.
pub(super) fn registers(name: &str, is_method: bool) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.as_str();
    ROUTES.contains(&name)
        && !NO_REGISTRATIONS.contains(&name)
        && (is_method || !METHODS_ONLY.contains(&name))
}

/// First words of names of functions that give up. Their work is no part of the purpose of the program.
const FAILURES: &[&str] = &["abort", "bail", "die", "fail", "raise", "throw", "warn"];

/// Whether a name says that the function gives up, or makes an error.
pub(super) fn is_failure(name: &str) -> bool {
    let name = name.trim_start_matches('_');
    let ends = |word: &str| name.strip_suffix(word).is_some_and(|rest| !rest.is_empty());
    let makes_error = || {
        let mut endings = ["_error", "_exception", "Error", "Exception"].into_iter();
        endings.any(ends)
    };
    let first = first_word(name);
    is_among(FAILURES, first) || makes_error() && !is_among(&["handle", "on"], first)
}

/// Names of functions that frameworks call or that take requests.
pub(super) const HANDLERS: &[&str] = &[
    "ServeHTTP",
    "__call__",
    "app",
    "application",
    "dispatch",
    "doDelete",
    "doGet",
    "doPost",
    "doPut",
    "do_GET",
    "do_POST",
    "execute",
    "fetch",
    "handle",
    "handleRequest",
    "handler",
    "invoke",
    "lambda_handler",
    "listen",
    "perform",
    "process",
    "run",
    "serve",
    "service",
    "start",
];
/// Names of functions by which a program runs a framework, whoever else calls them.
pub(super) const RUNNERS: &[&str] = &[
    "ServeHTTP",
    "__call__",
    "__invoke",
    "call",
    "dispatch",
    "execute",
    "fetch",
    "handle",
    "handleRequest",
    "listen",
    "run",
    "serve",
    "start",
];
/// Folders of programs that build, check or release a product.
const TOOLS: &[&str] = &[
    "build", "ci", "hack", "misc", "perf", "release", "script", "scripts", "tool", "tools", "xtask",
];
/// Name parts of types whose methods frameworks call.
pub(super) const HANDLER_TYPES: &[&str] = &[
    "Command",
    "Consumer",
    "Controller",
    "Endpoint",
    "Handler",
    "Job",
    "Listener",
    "Middleware",
    "Resolver",
    "Resource",
    "Servicer",
    "Servlet",
    "Subscriber",
    "View",
    "ViewSet",
    "Worker",
];
/// First words of names of helper functions, which are no entry points.
const SERVICES: &[&str] = &[
    "as", "assert", "borrow", "clone", "cmp", "compare", "debug", "default", "deref", "drop", "eq",
    "equals", "error", "fmt", "format", "from", "get", "has", "hash", "hashcode", "into", "is",
    "len", "log", "new", "next", "parse", "print", "set", "size", "sort", "str", "string", "to",
    "tostring", "try", "validate",
];
/// The last word of a decorator in lower case: `app.get("/x")` → `get`, `tokio::main(flavor = "x")` → `main`.
pub(super) fn last_word(decorator: &str) -> String {
    let end = decorator
        .find(['(', ' ', '<', '{'])
        .unwrap_or(decorator.len());
    let path = &decorator[..end];
    path.rsplit(['.', ':', '/', '\\'])
        .next()
        .unwrap_or(path)
        .to_ascii_lowercase()
}

/// Whether a name is that of a handler: `handleLogin`, `on_close`, `loginHandler`, `auth_middleware`.
pub(super) fn has_handler_name(name: &str) -> bool {
    let starts = |word: &str| {
        let rest = name.strip_prefix(word).and_then(|rest| rest.chars().next());
        rest.is_some_and(|next| next == '_' || next.is_uppercase())
    };
    let ends = |word: &str| name.strip_suffix(word).is_some_and(|rest| !rest.is_empty());
    ["handle", "Handle", "on", "On"].into_iter().any(starts)
        || [
            "Handler",
            "_handler",
            "Middleware",
            "_middleware",
            "_view",
            "_endpoint",
        ]
        .into_iter()
        .any(ends)
}

/// Whether a file is in a folder of tools, or is one at the root, such as `setup.py`.
pub(super) fn is_tool(path: &str) -> bool {
    let Some((folders, _)) = path.rsplit_once('/') else {
        return [
            "setup.",
            "build.",
            "noxfile.",
            "tasks.",
            "Rakefile",
            "gulpfile.",
        ]
        .iter()
        .any(|start| path.starts_with(start));
    };
    let mut parts = folders.split('/').map(|part| part.trim_start_matches('.'));
    parts.any(|part| TOOLS.contains(&part.split('-').next().unwrap_or(part)) || part == "github")
}

/// Whether the first word of a name says that it is a helper.
pub(super) fn is_service(name: &str) -> bool {
    let name = name.trim_start_matches(['_', '#']);
    let first = first_word(name);
    is_among(SERVICES, first) || first.len() < name.len() && is_among(SERVICES, name)
}

/// First words of names of functions that take a value apart or give it another form.
const CONVERSIONS: &[&str] = &[
    "convert",
    "decode",
    "encode",
    "escape",
    "extract",
    "format",
    "get",
    "join",
    "normalise",
    "normalize",
    "parse",
    "quote",
    "replace",
    "serialise",
    "serialize",
    "split",
    "strip",
    "to",
    "trim",
    "unescape",
];

/// Whether the first word of a name says that it only gives a value another form.
pub(super) fn converts(name: &str) -> bool {
    is_among(CONVERSIONS, first_word(name.trim_start_matches(['_', '#'])))
}

/// Whether the first word of a name says that it only answers yes or no.
pub(super) fn is_predicate(name: &str) -> bool {
    let first = first_word(name.trim_start_matches(['_', '#']));
    is_among(&["can", "has", "is", "isatty", "should"], first)
}

/// Whether the first word of a type's name says that it takes the place of another in tests.
pub(super) fn is_double(name: &str) -> bool {
    let name = name.trim_start_matches('_');
    let first = first_word(name);
    first.len() < name.len() && is_among(&["dummy", "fake", "mock", "stub", "test"], first)
}

/// The first word of an identifier, as it is written: `parseAccept` → `parse`.
fn first_word(name: &str) -> &str {
    let mut chars = name.char_indices().skip(1);
    let begins = |c: char| match c.is_ascii() {
        true => c == '_' || c.is_ascii_uppercase(),
        false => c.is_uppercase(),
    };
    let end = chars.find(|(_, c)| begins(*c));
    name.get(..end.map_or(name.len(), |(at, _)| at))
        .unwrap_or(name)
}

/// Whether a word is in a list of words in lower case, which are in order.
fn is_among(list: &[&str], word: &str) -> bool {
    let Some(first) = word.bytes().next().map(|byte| byte.to_ascii_lowercase()) else {
        return false;
    };
    let letter = |entry: &&str| entry.as_bytes().first().copied();
    let start = list.partition_point(|entry| letter(entry) < Some(first));
    let rest = list.get(start..).unwrap_or_default().iter();
    rest.take_while(|entry| letter(entry) == Some(first))
        .any(|entry| entry.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_searched_are_in_order() {
        for list in [FAILURES, SERVICES, CONVERSIONS] {
            assert!(list.is_sorted());
            assert!(list.iter().all(|word| is_among(list, &word.to_uppercase())));
            assert!(!is_among(list, "") && !is_among(list, "zebra"));
        }
    }

    #[test]
    fn words_of_decorators() {
        for (text, word) in [
            ("app.get(\"/users/{id}\")", "get"),
            ("tokio::main(flavor = \"current_thread\")", "main"),
            ("GetMapping", "getmapping"),
            ("click.command()", "command"),
        ] {
            assert_eq!(last_word(text), word);
        }
    }

    #[test]
    fn names_of_handlers_and_services() {
        for name in [
            "handleLogin",
            "on_close",
            "loginHandler",
            "auth_middleware",
            "OnMessage",
        ] {
            assert!(has_handler_name(name), "{name}");
        }
        for name in ["handle", "once", "only", "Handler", "handlers"] {
            assert!(!has_handler_name(name), "{name}");
        }
        for name in ["getUser", "to_string", "__eq__", "isOpen", "#clone"] {
            assert!(is_service(name), "{name}");
        }
        for name in [
            "fail",
            "raise_for_status",
            "throwIfClosed",
            "not_found_error",
            "toTypeError",
        ] {
            assert!(is_failure(name), "{name}");
        }
        for name in ["handleError", "on_error", "error_page", "failover", "Error"] {
            assert!(!is_failure(name), "{name}");
        }
        for name in ["parseAccept", "_serialize", "to_binary", "getNext"] {
            assert!(converts(name), "{name}");
        }
        for name in ["tokens", "joined", "store", "splitter"] {
            assert!(!converts(name), "{name}");
        }
        for name in ["toast", "island", "gather", "newspaper"] {
            assert!(!is_service(name), "{name}");
        }
    }
}
