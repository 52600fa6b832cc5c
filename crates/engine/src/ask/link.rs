//! Between what editors speak of (places and symbols) and what search speaks of (chunks).

use graph::{Direction, NodeId, NodeKind, Reason};
use search::ChunkId;
use source::FileId;

use crate::ask::calls::CallsConfig;
use crate::{Call, Error, ErrorKind, Reader};

/// What a place in a file is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The chunk that holds it.
    pub chunk: ChunkId,
    /// What the name there means, where a column was given and a name stands there; else the innermost definition around it.
    pub symbol: Option<NodeId>,
    /// How that is known: the rule, or [`Reason::CompilerIndex`]; `structure` for a definition around it.
    pub reason: Reason,
    /// Percent of such links that are right.
    pub confidence: u8,
}

impl Reader {
    /// Links a place to its chunk and symbol. `line` and `character` (UTF-16 units) are 0-based. Logarithmic in the chunks of the
    /// file, linear in its definitions.
    ///
    /// # Errors
    ///
    /// `file.not-found`; `position.outside` for a line behind the end.
    pub fn link(&self, path: &str, line: u32, character: Option<u32>) -> Result<Link, Error> {
        let file = self.file(path)?;
        let chunk = self.chunk_on_line(file, line).ok_or_else(|| {
            let message = format!(
                "{} has {} lines, there is no line {}",
                self.path(file),
                self.n_lines(file),
                line.saturating_add(1)
            );
            Error::new(ErrorKind::PositionOutside, message)
        })?;
        let meant = match character {
            Some(character) => self
                .definition(file, line, character)?
                .targets
                .first()
                .copied(),
            None => None,
        };
        Ok(Link {
            chunk,
            symbol: meant
                .map(|meant| meant.symbol)
                .or_else(|| self.symbol_on_line(file, line)),
            reason: meant.map_or(Reason::Structure, |meant| meant.reason),
            confidence: meant.map_or(100, |meant| meant.confidence),
        })
    }

    /// The chunk that holds a 0-based line: chunks cover every line of a file once.
    #[must_use]
    pub fn chunk_on_line(&self, file: FileId, line: u32) -> Option<ChunkId> {
        let range = self.view().lexical().chunks_of(file);
        let starts_after = |chunk: u32| {
            self.chunk(ChunkId(chunk))
                .is_none_or(|meta| meta.start_line > line)
        };
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low + (high - low) / 2;
            if starts_after(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let last = ChunkId(low.checked_sub(1)?);
        let is_here = low > range.start && self.chunk(last)?.end_line >= line;
        is_here.then_some(last)
    }

    /// The chunks that hold a definition, in order: one, or several where it was cut.
    #[must_use]
    pub fn chunks_of_symbol(&self, symbol: NodeId) -> Vec<ChunkId> {
        let node = self.graph().node(symbol);
        let Some(file) = node.file else {
            return Vec::new();
        };
        let (first, last) = match node.kind {
            NodeKind::File => (0, u32::MAX),
            _ => (node.span.start_line, node.span.end_line),
        };
        let chunks = self.view().lexical().chunks_of(file).map(ChunkId);
        chunks
            .filter(|chunk| {
                self.chunk(*chunk)
                    .is_some_and(|meta| meta.start_line <= last && first <= meta.end_line)
            })
            .collect()
    }

    /// The callers or callees of one definition, up to a depth, nearest first.
    #[must_use]
    pub fn calls_of(
        &self,
        symbol: NodeId,
        direction: Direction,
        depth: u32,
        limit: usize,
    ) -> Vec<Call> {
        let config = CallsConfig {
            direction,
            depth,
            min_confidence: 0,
            limit,
        };
        self.calls_from(&[symbol], &config).0
    }
}
