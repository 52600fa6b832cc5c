//! Chunks that come first, whatever their score: a query that is certainly about a name is answered by its definition,
//! or by its uses, however low penalties put them.

use crate::frozen::ChunkId;
use crate::scored::Scored;

/// Chunks that come first, whatever their score: those of a name that the query is certainly about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Raise<'a> {
    /// The best of these comes first: they define the name.
    Best(&'a [ChunkId]),
    /// All of these come first, in this order: they use it.
    InOrder(&'a [ChunkId]),
}

impl<'a> Raise<'a> {
    pub(crate) fn chunks(self) -> &'a [ChunkId] {
        match self {
            Raise::Best(chunks) | Raise::InOrder(chunks) => chunks,
        }
    }
}

/// Least distance of the score of a raised chunk from those behind it.
const RAISED_BY: f32 = 0.01;

/// Adds to the scores of the chunks that are known to answer, so that they come first.
pub(crate) fn apply(hits: &mut [Scored], raised: &[ChunkId], all_raised: bool) {
    let score_of = |chunk: ChunkId| hits.iter().find(|hit| hit.chunk == chunk);
    let first: Vec<ChunkId> = if all_raised {
        raised.to_vec()
    } else {
        let scored = raised.iter().filter_map(|chunk| score_of(*chunk));
        let best = scored.max_by(|a, b| a.score.total_cmp(&b.score).then(b.chunk.cmp(&a.chunk)));
        best.map(|hit| hit.chunk).into_iter().collect()
    };
    let others = hits.iter().filter(|hit| !first.contains(&hit.chunk));
    let mut least = others.map(|hit| hit.score).fold(0.0, f32::max);
    for chunk in first.into_iter().rev() {
        if let Some(hit) = hits.iter_mut().find(|hit| hit.chunk == chunk) {
            let own = hit.score;
            hit.score = own.max(least + RAISED_BY);
            hit.raised = hit.score - own;
            hit.raised_as = if all_raised { "user" } else { "named" };
            least = hit.score;
        }
    }
}
