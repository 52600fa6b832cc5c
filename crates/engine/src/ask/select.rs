//! Resolves selectors to symbols: `add`, `Router.add`, `Router::add`, `src/router.ts#add`, `src/router.ts:40`.
//!
//! A selector returns all definitions that match, the most likely first: types and functions before fields, code before
//! tests, central definitions before others.

use std::cmp::Reverse;
use syntax::order::InOrder;

use graph::NodeId;
use source::FileId;
use syntax::facts::SymbolKind;

use crate::{Error, ErrorKind, Reader};

/// A parsed selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Selector<'a> {
    /// `path#name`: a name within a file.
    InFile { path: &'a str, name: &'a str },
    /// `path:line`, 1-based.
    At { path: &'a str, line: u32 },
    /// A simple or qualified name.
    Name(&'a str),
}

impl<'a> Selector<'a> {
    fn parse(text: &'a str) -> Self {
        if let Some((path, name)) = text
            .split_once('#')
            .filter(|(path, name)| !path.is_empty() && !name.is_empty())
        {
            return Self::InFile { path, name };
        }
        if let Some((path, line)) = text.split_once(':')
            // Compilers print `a.ts:40:7`; the column does not matter for a definition.
            && let Some(line) = line.split(':').next().and_then(|line| line.parse().ok())
        {
            return Self::At { path, line };
        }
        Self::Name(text)
    }
}

impl Reader {
    /// Returns the symbols that `selector` matches, the most likely first. A selector is a name (`add`, `Router.add`),
    /// a name in a file (`src/router.ts#add`) or a line of a file (`src/router.ts:40`).
    ///
    /// # Errors
    ///
    /// `query.empty`; `symbol.not-found`, whose help names similar symbols; `file.not-found`.
    pub fn select(&self, selector: &str) -> Result<Vec<NodeId>, Error> {
        let found = self.select_exact(selector)?;
        if found.is_empty() {
            Err(self.not_found(selector))
        } else {
            Ok(found)
        }
    }

    /// Returns the same as [`Reader::select`], but an empty list where nothing has the name.
    pub(crate) fn select_exact(&self, selector: &str) -> Result<Vec<NodeId>, Error> {
        let selector = selector.trim();
        if selector.is_empty() {
            return Err(Error::new(ErrorKind::QueryEmpty, "no symbol was named"));
        }
        let mut found = match Selector::parse(selector) {
            Selector::Name(name) => self.named(name, None),
            Selector::InFile { path, name } => {
                let files = self.files_named(path)?;
                self.named(name, Some(&files))
            }
            Selector::At { path, line } => {
                let files = self.files_named(path)?;
                files
                    .into_iter()
                    .filter_map(|file| self.symbol_on_line(file, line.saturating_sub(1)))
                    .collect()
            }
        };
        self.sort_by_likelihood(&mut found);
        Ok(found)
    }

    /// The file with that path, or else all files whose path ends with it.
    fn files_named(&self, path: &str) -> Result<Vec<FileId>, Error> {
        match self.file(path) {
            Ok(file) => Ok(vec![file]),
            Err(error) => {
                let files: Vec<FileId> = self.files_ending(path).collect();
                if files.is_empty() {
                    Err(error)
                } else {
                    Ok(files)
                }
            }
        }
    }

    fn named(&self, name: &str, files: Option<&[FileId]>) -> Vec<NodeId> {
        let graph = self.graph();
        let segments = segments(name);
        let Some((simple, outer)) = segments.split_last() else {
            return Vec::new();
        };
        let fits = |node: &NodeId| {
            let file = graph.file_of(*node);
            files.is_none_or(|files| file.is_some_and(|file| files.contains(&file)))
                && (self.stands_in(*node, outer) || self.is_called(*node, &segments))
        };
        // Names such as `#items` or the heading `1.2 Install` contain characters that separate segments.
        let whole = graph
            .by_name(name)
            .filter(|_| *simple != name && files.is_none());
        let found: Vec<NodeId> = whole.chain(graph.by_name(simple).filter(fits)).collect();
        // An impl block has the name of its type; it is meant only where the type itself is not found.
        let types: Vec<NodeId> = found
            .iter()
            .copied()
            .filter(|node| graph.symbol_kind(*node) != Some(SymbolKind::Impl))
            .collect();
        if types.is_empty() { found } else { types }
    }

    /// Whether the names around a symbol, the nearest last, end with `outer`; a module may also be named by its file.
    fn stands_in(&self, node: NodeId, outer: &[&str]) -> bool {
        let graph = self.graph();
        let mut current = graph.parent(node);
        for name in outer.iter().rev() {
            let Some(parent) = current else { return false };
            let is_module = || file_stem(graph.name(parent)) == *name && !self.is_symbol(parent);
            if graph.name(parent) != *name && !is_module() {
                return false;
            }
            current = graph.parent(parent);
        }
        true
    }

    /// Whether a symbol's qualified name, as answers show it, ends with these parts: a method written outside of its
    /// type (`res.send = function`, `func (r *Router) Add`) is not nested in the type that its name begins with.
    fn is_called(&self, node: NodeId, parts: &[&str]) -> bool {
        let name = self.graph().qualified_name(node);
        segments(&name).ends_with(parts)
    }

    /// The symbol whose name is on the line, else the innermost one around it.
    pub(crate) fn symbol_on_line(&self, file: FileId, line: u32) -> Option<NodeId> {
        let graph = self.graph();
        let symbols = || graph.symbols_of(file).map(|id| graph.node(id));
        let named = symbols().find(|node| node.name_span.start_line == line);
        let around =
            symbols().filter(|node| node.span.start_line <= line && line <= node.span.end_line);
        named
            .or_else(|| around.min_by_key(|node| node.span.end.saturating_sub(node.span.start)))
            .map(|node| node.id)
    }

    pub(crate) fn sort_by_likelihood(&self, nodes: &mut [NodeId]) {
        let graph = self.graph();
        nodes.order_by_cached_key(|id| {
            // The bits of positive floats sort like the floats.
            (
                kind_rank(graph.symbol_kind(*id)),
                self.distance_from_product(*id),
                Reverse(graph.centrality(*id).max(0.0).to_bits()),
                *id,
            )
        });
    }

    pub(crate) fn is_test_file(&self, file: Option<FileId>) -> bool {
        file.is_some_and(|file| self.path_class(file).contains(search::PathClass::TEST))
    }

    pub(crate) fn path_class(&self, file: FileId) -> search::PathClass {
        let class = self.view().files().classes.get(file.index());
        search::PathClass::from_bits_retain(class.map_or(0, |bits| bits.to_native()))
    }

    fn not_found(&self, selector: &str) -> Error {
        if let Selector::At { path, line } = Selector::parse(selector.trim()) {
            return self.no_definition_at(path, line);
        }
        let error = Error::new(
            ErrorKind::SymbolNotFound,
            format!("the index has no symbol {selector:?}"),
        );
        let simple = segments(selector).last().copied().unwrap_or(selector);
        let mut similar: Vec<String> = Vec::new();
        for (node, _) in self.view().names().lookup(simple, 20) {
            let name = self.graph().qualified_name(NodeId(node));
            if similar.len() < 3 && !similar.contains(&name) {
                similar.push(name);
            }
        }
        if similar.is_empty() {
            error
        } else {
            error.with_help(format!("did you mean {}?", similar.join(" or ")))
        }
    }

    fn no_definition_at(&self, path: &str, line: u32) -> Error {
        let error = Error::new(
            ErrorKind::SymbolNotFound,
            format!("line {line} of {path} is in no definition"),
        );
        let graph = self.graph();
        let files = self.files_named(path).unwrap_or_default();
        let symbols = files.into_iter().flat_map(|file| graph.symbols_of(file));
        let lines = symbols.map(|id| (id, graph.node(id).name_span.start_line.saturating_add(1)));
        match lines.min_by_key(|(_, at)| at.abs_diff(line)) {
            None => error,
            Some((id, at)) => error.with_help(format!(
                "the nearest is {}, line {at}",
                graph.qualified_name(id)
            )),
        }
    }
}

/// Returns the stem of a file name: `router.ts` → `router`.
fn file_stem(name: &str) -> &str {
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// Segments of a qualified name, whichever separators the language uses.
fn segments(name: &str) -> Vec<&str> {
    name.split(['.', ':', '#', '/'])
        .filter(|part| !part.is_empty())
        .collect()
}

/// Rank of a kind: 0 for the kinds that people mean first when they name something.
pub(crate) fn kind_rank(kind: Option<SymbolKind>) -> u8 {
    use SymbolKind::{Class, Constant, Constructor, Enum, Field, Function, Impl, Interface, Macro};
    use SymbolKind::{Method, Module, Section, Struct, Trait, TypeAlias, Variable, Variant};
    match kind {
        Some(Function | Method | Class | Struct | Enum | Trait | Interface | Macro | TypeAlias) => {
            0
        }
        Some(Constructor | Module | Constant | Variable | Variant) => 1,
        Some(Field) => 2,
        Some(Impl) => 3,
        Some(Section) | None => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_told_apart() {
        let parse = Selector::parse;
        assert_eq!(parse("add"), Selector::Name("add"));
        assert_eq!(parse("Router.add"), Selector::Name("Router.add"));
        assert_eq!(parse("a::b"), Selector::Name("a::b"));
        assert_eq!(
            parse("src/a.ts#add"),
            Selector::InFile {
                path: "src/a.ts",
                name: "add"
            }
        );
        assert_eq!(
            parse("src/a.ts:40"),
            Selector::At {
                path: "src/a.ts",
                line: 40
            }
        );
        assert_eq!(
            parse("src/a.ts:40:7"),
            Selector::At {
                path: "src/a.ts",
                line: 40
            }
        );
        assert_eq!(parse("#private"), Selector::Name("#private"));
    }

    #[test]
    fn qualified_names_of_every_language() {
        assert_eq!(segments("Router.add"), ["Router", "add"]);
        assert_eq!(segments("crate::http::Router"), ["crate", "http", "Router"]);
        assert_eq!(segments("#private"), ["private"]);
    }
}
