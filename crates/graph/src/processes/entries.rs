//! Where flows begin, and how likely each beginning is one.
//!
//! Known by what stands in the code, for every language alike: names that runtimes and frameworks call, decorators and
//! annotations that register a function, functions handed to a call that registers them, and what is visible from
//! outside and called by nobody. The score weighs the kind of entry point, how many functions it calls and how many
//! call it.

use rustc_hash::FxHashSet;
use syntax::facts::{Modifiers, ReferenceForm, Symbol, SymbolKind};

use super::calls::{Calls, rows};
use crate::freeze::RawUse;
use crate::frozen::{Edges, NONE};
use crate::kinds::{EdgeKind, EntryKind, Reason};
use crate::layout::Layout;

/// Names by which a program starts.
const MAINS: &[&str] = &[
    "main", "Main", "__main__", "_main", "_start", "wmain", "WinMain", "wWinMain",
];
/// Last words of decorators that start a program (`tokio::main`).
const MAIN_DECORATORS: &[&str] = &["main", "entrypoint", "entry_point"];
/// Last words, in lower case, of decorators and annotations that register a function, and of calls that do.
const ROUTES: &[&str] = &[
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
    "napi",
    "no_mangle",
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
    "pyfunction",
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
    "wasm_bindgen",
    "websocket",
    "websocket_route",
];
/// Names that frameworks call, or that take what comes in.
const HANDLERS: &[&str] = &[
    "ServeHTTP",
    "__call__",
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
/// How types are named whose methods are called from outside.
const HANDLER_TYPES: &[&str] = &[
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
/// First words of names that are small services to others rather than beginnings.
const SERVICES: &[&str] = &[
    "as", "assert", "borrow", "clone", "cmp", "compare", "debug", "default", "deref", "drop", "eq",
    "equals", "fmt", "format", "from", "get", "has", "hash", "hashcode", "into", "is", "len",
    "log", "new", "next", "parse", "print", "set", "size", "sort", "str", "string", "to",
    "tostring", "try", "validate",
];
/// References before a name among which the call that takes it is looked for, and lines.
const REFERENCES_BEFORE: usize = 8;
const LINES_BEFORE: u32 = 3;

/// A beginning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Entry {
    pub node: u32,
    pub kind: EntryKind,
    /// Higher is surer.
    pub score: f32,
}

/// Every beginning, the surest first.
pub(super) fn entries(
    layout: &Layout<'_>,
    uses: &[Vec<RawUse>],
    edges: &Edges,
    calls: &Calls,
) -> Vec<Entry> {
    let finder = Finder {
        layout,
        edges,
        calls,
        registered: registered(layout, uses),
    };
    let mut entries: Vec<Entry> = (layout.first_symbol()..)
        .zip(layout.symbols())
        .filter_map(|(node, (file, symbol))| finder.entry(node, file, symbol))
        .collect();
    let mains: FxHashSet<u32> = entries
        .iter()
        .filter(|entry| entry.kind == EntryKind::Main)
        .map(|entry| entry.node)
        .collect();
    let scripts = (0..layout.files.len() as u32).filter_map(|file| finder.script(file, &mains));
    entries.extend(scripts);
    entries.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
    entries.extend(finder.cycles(&entries));
    entries
}

struct Finder<'a> {
    layout: &'a Layout<'a>,
    edges: &'a Edges,
    calls: &'a Calls,
    registered: FxHashSet<u32>,
}

impl Finder<'_> {
    fn entry(&self, node: u32, file: u32, symbol: &Symbol) -> Option<Entry> {
        use SymbolKind::{Function, Method};
        let n_callees = self.calls.next(node).count();
        if n_callees == 0 || !matches!(symbol.kind, Function | Method) {
            return None;
        }
        let is_test = self.calls.is_test[node as usize];
        if is_test && !symbol.is(Modifiers::TEST) {
            return None;
        }
        let n_callers = self.n_callers(node);
        let kind = if is_test {
            EntryKind::Test
        } else {
            self.kind(node, file, symbol, n_callers)?
        };
        let mut score = weight(kind) * (1.0 + n_callees as f32).ln() / (1.0 + n_callers as f32);
        if matches!(kind, EntryKind::Exported | EntryKind::Uncalled) && is_service(&symbol.name) {
            score *= 0.3;
        }
        Some(Entry { node, kind, score })
    }

    fn kind(&self, node: u32, file: u32, symbol: &Symbol, n_callers: usize) -> Option<EntryKind> {
        let decorated = |words: &[&str]| {
            let mut words_of = symbol.decorators.iter().map(|text| last_word(text));
            words_of.any(|word| words.contains(&word.as_str()))
        };
        if MAINS.contains(&symbol.name.as_str()) || decorated(MAIN_DECORATORS) {
            return Some(EntryKind::Main);
        }
        if decorated(ROUTES) || self.registered.contains(&node) {
            return Some(EntryKind::Route);
        }
        if self.is_handler(file, symbol, n_callers) {
            return Some(EntryKind::Handler);
        }
        if n_callers > 0 {
            return None;
        }
        Some(if symbol.is(Modifiers::EXPORTED) {
            EntryKind::Exported
        } else {
            EntryKind::Uncalled
        })
    }

    fn is_handler(&self, file: u32, symbol: &Symbol, n_callers: usize) -> bool {
        let name = symbol.name.as_str();
        if n_callers > 0 || HANDLERS.contains(&name) || has_handler_name(name) {
            return n_callers == 0;
        }
        let symbols = &self.layout.files[file as usize].facts.symbols;
        let around = symbol
            .parent
            .and_then(|parent| symbols.get(parent as usize))
            .map_or("", |parent| parent.name.as_str());
        let owner = if symbol.owner.is_empty() {
            around
        } else {
            symbol.owner.as_str()
        };
        symbol.is(Modifiers::EXPORTED) && HANDLER_TYPES.iter().any(|ending| owner.ends_with(ending))
    }

    /// Functions outside of tests that call a node. A file calls from its top level, which is no function.
    fn n_callers(&self, node: u32) -> usize {
        let start = self.edges.in_offsets[node as usize] as usize;
        let end = self.edges.in_offsets[node as usize + 1] as usize;
        (start..end)
            .filter(|index| {
                let source = self.edges.in_sources[*index];
                let edge = self.edges.in_edges[*index] as usize;
                self.edges.kinds[edge] == EdgeKind::Calls as u8
                    && source >= self.layout.first_symbol()
                    && source != node
                    && !self
                        .calls
                        .is_test
                        .get(source as usize)
                        .copied()
                        .unwrap_or(false)
            })
            .count()
    }

    /// A file that no other imports and whose top level calls functions, none of them a main.
    fn script(&self, file: u32, mains: &FxHashSet<u32>) -> Option<Entry> {
        let n_callees = self.calls.next(file).count();
        if n_callees == 0 || self.calls.is_test[file as usize] {
            return None;
        }
        if self.calls.next(file).any(|callee| mains.contains(&callee)) {
            return None;
        }
        let row = self.edges.in_offsets[file as usize]..self.edges.in_offsets[file as usize + 1];
        let is_imported = row
            .map(|index| self.edges.in_edges[index as usize] as usize)
            .any(|edge| self.edges.kinds[edge] == EdgeKind::Imports as u8);
        (!is_imported).then(|| Entry {
            node: file,
            kind: EntryKind::Main,
            score: 0.5 * weight(EntryKind::Main) * (1.0 + n_callees as f32).ln(),
        })
    }

    /// Functions that no beginning leads to: they only call one another. One of each group begins.
    fn cycles(&self, entries: &[Entry]) -> Vec<Entry> {
        let n_nodes = self.layout.end() as usize;
        let mut is_reached = vec![false; n_nodes];
        for entry in entries {
            self.reach(entry.node, &mut is_reached);
        }
        let mut further = Vec::new();
        for (node, (_, symbol)) in (self.layout.first_symbol()..).zip(self.layout.symbols()) {
            let is_new = !is_reached[node as usize]
                && !self.calls.is_test[node as usize]
                && matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
                && self.calls.next(node).next().is_some();
            if is_new {
                self.reach(node, &mut is_reached);
                further.push(Entry {
                    node,
                    kind: EntryKind::Uncalled,
                    score: 0.1,
                });
            }
        }
        further
    }

    /// Marks what a node leads to by any call.
    fn reach(&self, start: u32, is_reached: &mut [bool]) {
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            let Some(is_reached) = is_reached.get_mut(node as usize) else {
                continue;
            };
            if std::mem::replace(is_reached, true) {
                continue;
            }
            open.extend(
                rows(self.edges, node, EdgeKind::Calls).map(|edge| self.edges.targets[edge]),
            );
            open.extend(self.calls.next(node));
        }
    }
}

fn weight(kind: EntryKind) -> f32 {
    match kind {
        EntryKind::Main => 10.0,
        EntryKind::Route => 8.0,
        EntryKind::Handler => 5.0,
        EntryKind::Exported => 3.0,
        EntryKind::Uncalled | EntryKind::Test => 1.0,
    }
}

/// Functions that are handed to a call that registers them: `app.get("/", show)`, `HandleFunc("/", show)`.
fn registered(layout: &Layout<'_>, uses: &[Vec<RawUse>]) -> FxHashSet<u32> {
    let mut registered = FxHashSet::default();
    for (file, uses) in layout.files.iter().zip(uses) {
        let references = &file.facts.references;
        for used in uses {
            let is_function = used.target != NONE
                && used.form == ReferenceForm::Value
                && used.reason != Reason::ImportStatement
                && layout.symbol(used.target).is_some_and(|(_, symbol)| {
                    matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
                });
            if !is_function {
                continue;
            }
            let past = references.partition_point(|other| other.span.start < used.span.start);
            let before = references[..past].iter().rev().take(REFERENCES_BEFORE);
            let is_registered = before
                .take_while(|other| {
                    other.span.start_line.saturating_add(LINES_BEFORE) >= used.span.start_line
                })
                .any(|other| {
                    other.form.is_call()
                        && ROUTES.contains(&other.name.to_ascii_lowercase().as_str())
                });
            if is_registered {
                registered.insert(used.target);
            }
        }
    }
    registered
}

/// `app.get("/x")` → `get`, `tokio::main(flavor = "x")` → `main`, in lower case.
fn last_word(decorator: &str) -> String {
    let end = decorator
        .find(['(', ' ', '<', '{'])
        .unwrap_or(decorator.len());
    let path = &decorator[..end];
    path.rsplit(['.', ':', '/', '\\'])
        .next()
        .unwrap_or(path)
        .to_ascii_lowercase()
}

/// `handleLogin`, `on_close`, `loginHandler`, `auth_middleware`.
fn has_handler_name(name: &str) -> bool {
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

/// Whether the first word of a name says that it serves others.
fn is_service(name: &str) -> bool {
    let name = name.trim_start_matches('_');
    let end = name
        .char_indices()
        .skip(1)
        .find(|(_, c)| *c == '_' || c.is_uppercase())
        .map_or(name.len(), |(at, _)| at);
    let first = name[..end].to_ascii_lowercase();
    SERVICES.contains(&first.as_str()) || SERVICES.contains(&name.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for name in ["getUser", "to_string", "__eq__", "isOpen", "fmt"] {
            assert!(is_service(name), "{name}");
        }
        for name in ["toast", "island", "gather", "newspaper"] {
            assert!(!is_service(name), "{name}");
        }
    }
}
