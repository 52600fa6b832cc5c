//! Links positions and symbols, which editors speak of, with chunks, which search speaks of.

use graph::{Direction, NodeId, NodeKind, Reason};
use search::ChunkId;
use source::FileId;

use crate::ask::calls::CallsConfig;
use crate::{Call, Error, ErrorKind, Reader};

/// The chunk and symbol at a position in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The chunk that contains the position.
    pub chunk: ChunkId,
    /// The definition of the name at the position, if a column was given and a name is there; else the definition named
    /// on the line, or the innermost one around it.
    pub symbol: Option<NodeId>,
    /// How the symbol was found: the rule, or [`Reason::CompilerIndex`]; `structure` if only the line counted.
    pub reason: Reason,
    /// Confidence: percent of such links that are right.
    pub confidence: u8,
}

impl Reader {
    /// Links a position to its chunk and symbol. `line` and `character` (UTF-16 units) are 0-based. Logarithmic in the
    /// chunks of the file, linear in its definitions.
    ///
    /// # Errors
    ///
    /// `file.not-found`; `position.outside` for a line after the end.
    pub fn link(&self, path: &str, line: u32, character: Option<u32>) -> Result<Link, Error> {
        let file = self.file(path)?;
        let chunk = self.chunk_on_line(file, line).ok_or_else(|| {
            let message = format!(
                "{} ends at line {}, there is no line {}",
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

    /// Returns the chunk that contains a 0-based line: chunks cover every line of a file once.
    #[must_use]
    pub fn chunk_on_line(&self, file: FileId, line: u32) -> Option<ChunkId> {
        let range = self.chunks_of(file);
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

    /// Returns the chunks that contain a definition, in order: one, or several where it was cut.
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
        let chunks = self.chunks_of(file).map(ChunkId);
        chunks
            .filter(|chunk| {
                self.chunk(*chunk)
                    .is_some_and(|meta| meta.start_line <= last && first <= meta.end_line)
            })
            .collect()
    }

    /// Returns the vector of a chunk as the index holds it; `None` without vectors.
    #[must_use]
    pub fn vector_of_chunk(&self, chunk: ChunkId) -> Option<Vec<f32>> {
        let (view, own) = match self.index().shards() {
            None => (self.view(), chunk),
            Some(_) => {
                let (view, own, _) = self.part_of_chunk(chunk)?;
                (view, own)
            }
        };
        let (row, scale) = view.vectors()?.row(own)?;
        Some(row.iter().map(|x| f32::from(*x) * scale).collect())
    }

    /// Returns the callers or callees of one definition, up to a depth, nearest first.
    #[must_use]
    pub fn calls_of(
        &self,
        symbol: NodeId,
        direction: Direction,
        depth: u32,
        limit: usize,
    ) -> Vec<Call> {
        let config = CallsConfig {
            kind: None,
            direction,
            depth,
            min_confidence: 0,
            offset: 0,
            limit,
        };
        self.calls_from(&[symbol], &config).calls
    }
}
