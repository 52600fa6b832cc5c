//! Go to definition: resolves the name under the cursor.

use graph::{NodeId, Occurrence, Reason};
use source::FileId;

use crate::position::offset_of;
use crate::{Error, ErrorKind, Reader};

/// The name under the cursor, and its definitions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Definition {
    /// Byte range of the name, if there is one.
    pub origin: Option<(u32, u32)>,
    /// Definitions that it may mean, the most likely first.
    pub targets: Vec<Target>,
}

/// A definition that a use may mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The definition.
    pub symbol: NodeId,
    /// Confidence: percent of such resolutions that are right.
    pub confidence: u8,
    /// The rule that found it.
    pub reason: Reason,
}

impl Reader {
    /// Resolves the name at a 0-based line and UTF-16 code unit. The name of a definition resolves to that definition.
    /// A cursor right after a name counts as on it.
    ///
    /// # Errors
    ///
    /// `position.outside` if the file has no such line; `snapshot.without` for a snapshot without texts.
    pub fn definition(&self, file: FileId, line: u32, character: u32) -> Result<Definition, Error> {
        let text = self.text(file)?;
        let offset = offset_of(text, line, character).ok_or_else(|| {
            let message = format!(
                "{} ends at line {}, there is no line {}",
                self.path(file),
                self.n_lines(file),
                line.saturating_add(1)
            );
            Error::new(ErrorKind::PositionOutside, message)
        })? as u32;
        let here = self.definition_at(file, offset);
        // On the first letter of a word that means nothing here, the cursor is on that word, not after another one.
        let is_on_word = text
            .get(offset as usize..)
            .and_then(|rest| rest.chars().next())
            .is_some_and(|c| c.is_alphanumeric() || c == '_');
        Ok(if here.origin.is_none() && !is_on_word {
            self.definition_at(file, offset.saturating_sub(1))
        } else {
            here
        })
    }

    fn definition_at(&self, file: FileId, offset: u32) -> Definition {
        let uses: Vec<Occurrence> = self.graph().occurrences_at(file, offset).collect();
        if let Some(first) = uses.first() {
            let is_symbol = |used: &&Occurrence| self.is_symbol(used.target);
            let target = |used: &Occurrence| Target {
                symbol: used.target,
                confidence: used.confidence,
                reason: used.reason,
            };
            return Definition {
                origin: Some((first.start, first.end)),
                targets: uses.iter().filter(is_symbol).map(target).collect(),
            };
        }
        match self.named_at(file, offset) {
            Some((symbol, origin)) => Definition {
                origin: Some(origin),
                targets: vec![Target {
                    symbol,
                    confidence: 100,
                    reason: Reason::Structure,
                }],
            },
            None => Definition::default(),
        }
    }

    /// The symbol whose own name is at `offset`.
    fn named_at(&self, file: FileId, offset: u32) -> Option<(NodeId, (u32, u32))> {
        let graph = self.graph();
        let mut names = graph
            .symbols_of(file)
            .map(|id| (id, graph.node(id).name_span));
        let at = names.rfind(|(_, name)| name.start <= offset && offset < name.end);
        at.map(|(id, name)| (id, (name.start, name.end)))
    }
}
