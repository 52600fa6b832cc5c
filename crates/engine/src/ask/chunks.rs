//! The chunks of a file in detail: the units of search, embedding and display.

use graph::NodeId;
use search::{ChunkId, ChunkMeta};
use source::FileId;
use syntax::facts::{Chunk, FileFacts, Head, Reference, Span};

use crate::contextual::Contextual;
use crate::{Error, Reader};

/// Maximum depth of a scope; deeper ones come from broken files only.
const MAX_SCOPE: usize = 16;

/// A chunk of a file, in detail.
#[derive(Debug, Clone, PartialEq)]
pub struct ChunkDetail {
    /// Its number in the index.
    pub id: ChunkId,
    /// Its file, bytes, lines and language.
    pub meta: ChunkMeta,
    /// The kind of the syntax node it was cut at; empty if the snapshot was saved without facts.
    pub node_kind: String,
    /// The definition it mainly consists of.
    pub symbol: Option<NodeId>,
    /// That definition and those around it, outermost first.
    pub scope: Vec<NodeId>,
    /// Definitions that start in it, in order.
    pub defines: Vec<NodeId>,
    /// Imports of the file whose names it uses; empty if the snapshot was saved without facts.
    pub imports: Vec<UsedImport>,
    /// Cyclomatic complexity of the definition it consists of, or the largest of those that start in it.
    pub complexity: u16,
    /// Number of characters that are not white space; 0 without texts.
    pub n_chars: u32,
    /// BLAKE3 of its text; `None` without texts.
    pub hash: Option<[u8; 32]>,
}

/// An import that a chunk uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedImport {
    /// The module as written.
    pub module: String,
    /// The name within the module; empty where the module itself is bound.
    pub name: String,
    /// Its name in this file.
    pub local: String,
}

impl Reader {
    /// Returns the chunks of a file in order; together they cover every line once. Linear in the file, and once in the
    /// facts of all files, to verify their checksum.
    ///
    /// # Errors
    ///
    /// `file.not-found`, `snapshot.damaged`.
    pub fn chunks(&self, path: &str) -> Result<Vec<ChunkDetail>, Error> {
        let file = self.file(path)?;
        let facts = self.facts_of(file)?;
        let chunks = self.chunks_of(file).map(ChunkId);
        let details = chunks.enumerate().filter_map(|(idx, id)| {
            let meta = self.chunk(id)?;
            let fact = facts.as_ref().and_then(|facts| facts.chunks.get(idx));
            Some(self.detail(id, meta, fact, facts.as_ref()))
        });
        Ok(details.collect())
    }

    /// Returns the text that is embedded for each chunk of a file: its location, then its code. Empty if the snapshot
    /// was saved without facts or texts.
    ///
    /// # Errors
    ///
    /// `file.not-found`, `snapshot.damaged`.
    pub fn embedding_texts(&self, path: &str) -> Result<Vec<String>, Error> {
        let file = self.file(path)?;
        let (Some(facts), Ok(text)) = (self.facts_of(file)?, self.text(file)) else {
            return Ok(Vec::new());
        };
        let contextual = Contextual::new(self.path(file), text, &facts);
        let texts = facts.chunks.iter().map(|chunk| contextual.text(chunk));
        Ok(texts.collect())
    }

    pub(crate) fn facts_of(&self, file: FileId) -> Result<Option<FileFacts>, Error> {
        match self.view_of(file) {
            Some((view, local)) => Ok(view.facts_of(local)?),
            None => Ok(None),
        }
    }

    fn detail(
        &self,
        id: ChunkId,
        meta: ChunkMeta,
        fact: Option<&Chunk>,
        facts: Option<&FileFacts>,
    ) -> ChunkDetail {
        let symbol = self.symbol_of(id);
        let defines = self.defined_in(&meta);
        let text = self.piece(meta.file, meta.start, meta.end);
        let imports = facts.map(|facts| used_imports(facts, &meta));
        ChunkDetail {
            id,
            meta,
            node_kind: fact.map(|fact| fact.node_kind.clone()).unwrap_or_default(),
            symbol,
            scope: self.scope(symbol),
            complexity: self.complexity_of(id),
            defines,
            imports: imports.unwrap_or_default(),
            n_chars: text.chars().filter(|c| !c.is_whitespace()).count() as u32,
            hash: self
                .has_text(meta.file)
                .then(|| source::digest(text.as_bytes())),
        }
    }

    /// Definitions that start in a chunk, in order.
    fn defined_in(&self, meta: &ChunkMeta) -> Vec<NodeId> {
        let graph = self.graph();
        let starts_inside = |node: &NodeId| {
            let line = graph.node(*node).span.start_line;
            (meta.start_line..=meta.end_line).contains(&line)
        };
        graph.symbols_of(meta.file).filter(starts_inside).collect()
    }

    /// Cyclomatic complexity of the definition that a chunk consists of, or the largest of those that start in it.
    pub(crate) fn complexity_of(&self, id: ChunkId) -> u16 {
        let complexity = |node: &NodeId| self.graph().node(*node).complexity;
        let own = self.symbol_of(id).as_ref().map(complexity);
        let inside = || {
            let meta = self.chunk(id)?;
            self.defined_in(&meta).iter().map(complexity).max()
        };
        own.filter(|own| *own > 0).or_else(inside).unwrap_or(0)
    }

    /// A definition and those around it, outermost first.
    fn scope(&self, symbol: Option<NodeId>) -> Vec<NodeId> {
        let graph = self.graph();
        let around = std::iter::successors(symbol, |node| {
            graph.parent(*node).filter(|parent| self.is_symbol(*parent))
        });
        let mut scope: Vec<NodeId> = around.take(MAX_SCOPE).collect();
        scope.reverse();
        scope
    }
}

/// Imports whose local name is used between the chunk's first and last byte, each once, in the order of the file.
fn used_imports(facts: &FileFacts, meta: &ChunkMeta) -> Vec<UsedImport> {
    let inside = |span: &Span| (meta.start..meta.end).contains(&span.start);
    let names: std::collections::BTreeSet<&str> = facts
        .references
        .iter()
        .filter(|reference| inside(&reference.span))
        .flat_map(|reference| [reference.name.as_str(), head_of(facts, reference)])
        .collect();
    let mut used = Vec::new();
    for import in &facts.imports {
        let is_known = used
            .iter()
            .any(|known: &UsedImport| known.local == import.local);
        if !import.local.is_empty() && names.contains(import.local.as_str()) && !is_known {
            used.push(UsedImport {
                module: import.module.clone(),
                name: import.name.clone(),
                local: import.local.clone(),
            });
        }
    }
    used
}

/// First name of a receiver: `path` of `path.posix.join`.
fn head_of<'f>(facts: &'f FileFacts, reference: &Reference) -> &'f str {
    let Some(receiver) = reference.receiver else {
        return "";
    };
    match facts.expressions.chain(receiver.chain).head {
        Head::Name(name) | Head::Absolute(name) => name,
        _ => "",
    }
}

#[cfg(all(test, feature = "all-languages"))]
mod tests {
    use std::fmt::Write;
    use std::sync::Arc;

    use expect_test::expect;
    use syntax::{ChunkConfig, ParseConfig, Parsers};

    use super::*;
    use crate::{Engine, EngineConfig, Snapshot, read_file};

    const TEXT: &str = "import { join } from 'node:path';
import * as net from './net';

/** Reads. */
export class Reader {
  open(name: string) {
    if (name) return net.open(join(name));
  }
  close() {
    return this.open('');
  }
}
";

    fn snapshot() -> Snapshot {
        let chunk = ChunkConfig {
            target: 60,
            max: 100,
            min: 10,
        };
        let mut parsers = Parsers::new(ParseConfig {
            chunk,
            ..ParseConfig::default()
        });
        let mut engine = Engine::new(EngineConfig::default());
        let unit = read_file(&mut parsers, "src/reader.ts", TEXT);
        engine.put("src/reader.ts", TEXT.to_owned(), unit);
        engine.build(0.0).unwrap()
    }

    fn shown(reader: &Reader) -> String {
        let mut out = String::new();
        for chunk in reader.chunks("src/reader.ts").unwrap() {
            let names = |nodes: &[NodeId]| -> Vec<&str> {
                nodes
                    .iter()
                    .map(|node| reader.graph().name(*node))
                    .collect()
            };
            writeln!(
                out,
                "{}-{} {} {:?} in {:?} defines {:?} imports {:?} cx {} chars {} hash {}",
                chunk.meta.start_line + 1,
                chunk.meta.end_line + 1,
                chunk.meta.language.name(),
                chunk.node_kind,
                names(&chunk.scope),
                names(&chunk.defines),
                chunk
                    .imports
                    .iter()
                    .map(|import| &import.local)
                    .collect::<Vec<_>>(),
                chunk.complexity,
                chunk.n_chars,
                chunk.hash.is_some()
            )
            .unwrap();
        }
        out
    }

    #[test]
    fn everything_known_of_a_chunk() {
        let reader = Reader::new(Arc::new(snapshot())).unwrap();
        expect![[r#"
            1-2 typescript "import_statement" in [] defines [] imports [] cx 0 chars 52 hash true
            3-5 typescript "export_statement" in ["Reader"] defines ["Reader"] imports [] cx 0 chars 29 hash true
            6-8 typescript "method_definition" in ["Reader", "open"] defines ["open"] imports ["join", "net"] cx 2 chars 54 hash true
            9-12 typescript "module" in ["Reader", "close"] defines ["close"] imports [] cx 1 chars 30 hash true
        "#]].assert_eq(&shown(&reader));
        let texts = reader.embedding_texts("src/reader.ts").unwrap();
        expect![[r#"
            reader reader src
            reader reader src
            reader reader src
            reader reader src
            reader reader src
            reader reader src
            reader reader src
            reader reader src
            reader reader src
            Reader
            Reader
            Reader
            Reader
            typescript
            node:path ./net

            /** Reads. */
            export class Reader {
        "#]]
        .assert_eq(&texts[1]);
        let chunk = &reader.chunks("src/reader.ts").unwrap()[0];
        let text = reader.piece(chunk.meta.file, chunk.meta.start, chunk.meta.end);
        assert_eq!(chunk.hash, Some(source::digest(text.as_bytes())));
    }

    #[test]
    fn without_facts_and_texts_what_is_left_is_told() {
        let bytes = snapshot().without(&["facts", "texts"]);
        let reader = Reader::new(Arc::new(bytes)).unwrap();
        expect![[r#"
            1-2 typescript "" in [] defines [] imports [] cx 0 chars 0 hash false
            3-5 typescript "" in ["Reader"] defines ["Reader"] imports [] cx 0 chars 0 hash false
            6-8 typescript "" in ["Reader", "open"] defines ["open"] imports [] cx 2 chars 0 hash false
            9-12 typescript "" in ["Reader", "close"] defines ["close"] imports [] cx 1 chars 0 hash false
        "#]].assert_eq(&shown(&reader));
        assert_eq!(reader.embedding_texts("src/reader.ts").unwrap(), [""; 0]);
        assert_eq!(
            reader.chunks("none.ts").unwrap_err().code(),
            "file.not-found"
        );
    }
}
