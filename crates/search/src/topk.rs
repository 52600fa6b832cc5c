//! The best k of a stream of scores, without sorting the rest.

use crate::frozen::ChunkId;

/// Collects the best of a stream of chunks, which come in rising order.
pub(crate) trait Best {
    /// Returns true if `score` can still be among the best. Cheap: one comparison or two. NaN never is.
    fn takes(&self, score: f32) -> bool;

    /// Adds a chunk if the query's filter lets it through. Returns false for those that it leaves out, and for those
    /// that others are preferred to.
    fn offer(&mut self, chunk: ChunkId, score: f32) -> bool;
}

/// The best chunks that a filter lets through.
pub(crate) struct Filtered<'f> {
    pub(crate) top: TopK,
    pub(crate) keep: &'f dyn Fn(ChunkId) -> bool,
}

impl Best for Filtered<'_> {
    fn takes(&self, score: f32) -> bool {
        self.top.takes(score)
    }

    fn offer(&mut self, chunk: ChunkId, score: f32) -> bool {
        let is_kept = (self.keep)(chunk);
        if is_kept {
            self.top.push(chunk, score);
        }
        is_kept
    }
}

/// Keeps the `limit` highest scores; of equal ones the lower chunk. Buffers twice as many and cuts in linear time, so a
/// pushed score costs constant time on average.
pub(crate) struct TopK {
    limit: usize,
    threshold: f32,
    kept: Vec<(ChunkId, f32)>,
}

impl TopK {
    pub(crate) fn new(limit: usize) -> TopK {
        TopK {
            limit,
            threshold: f32::NEG_INFINITY,
            kept: Vec::with_capacity(limit.saturating_mul(2).min(4096)),
        }
    }

    /// As [`Best::takes`].
    pub(crate) fn takes(&self, score: f32) -> bool {
        score > self.threshold
    }

    /// Chunks must come in rising order, so that among equals the first ones stay.
    pub(crate) fn push(&mut self, chunk: ChunkId, score: f32) {
        if self.limit == 0 || !self.takes(score) {
            return;
        }
        self.kept.push((chunk, score));
        if self.kept.len() >= self.limit * 2 {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.kept.len() > self.limit {
            self.kept.select_nth_unstable_by(self.limit - 1, by_score);
            self.kept.truncate(self.limit);
            self.threshold = self
                .kept
                .iter()
                .fold(f32::INFINITY, |min, &(_, score)| min.min(score));
        }
    }

    /// Best first.
    pub(crate) fn into_sorted(mut self) -> Vec<(ChunkId, f32)> {
        self.kept.sort_unstable_by(by_score);
        self.kept.truncate(self.limit);
        self.kept
    }
}

/// A chunk that the filter lets through; true if a penalty applies to it.
pub(crate) type Kind<'f> = &'f dyn Fn(ChunkId) -> Option<bool>;

/// The best of two kinds of chunks, each kind by itself: those that a penalty applies to, and the others.
pub(crate) struct BestOfKinds<'f> {
    limit: usize,
    kind: Kind<'f>,
    others: TopK,
    lowered: TopK,
}

impl Best for BestOfKinds<'_> {
    fn takes(&self, score: f32) -> bool {
        self.others.takes(score) || self.lowered.takes(score)
    }

    fn offer(&mut self, chunk: ChunkId, score: f32) -> bool {
        let Some(is_lowered) = (self.kind)(chunk) else {
            return false;
        };
        let top = if is_lowered {
            &mut self.lowered
        } else {
            &mut self.others
        };
        top.push(chunk, score);
        !is_lowered
    }
}

impl<'f> BestOfKinds<'f> {
    pub(crate) fn new(limit: usize, kind: Kind<'f>) -> BestOfKinds<'f> {
        BestOfKinds {
            limit,
            kind,
            others: TopK::new(limit),
            lowered: TopK::new(limit),
        }
    }

    /// The best of both kinds, best first.
    pub(crate) fn into_sorted(self) -> Vec<(ChunkId, f32)> {
        let mut best = self.others.into_sorted();
        best.extend(self.lowered.into_sorted());
        best.sort_unstable_by(by_score);
        best
    }

    /// The best `limit` chunks; where half of them or more have a penalty, as many of the others instead of the rest.
    pub(crate) fn into_uncrowded(self) -> Vec<(ChunkId, f32)> {
        let limit = self.limit;
        let others = self.others.into_sorted();
        let mut lowered = self.lowered.into_sorted();
        let is_ahead = |at: &usize| match others.get(limit - 1 - at) {
            Some(other) => by_score(&lowered[*at], other).is_lt(),
            None => true,
        };
        let n_lowered = (0..lowered.len().min(limit)).take_while(is_ahead).count();
        lowered.truncate(n_lowered);
        let n_others = if n_lowered * 2 >= limit {
            limit
        } else {
            limit - n_lowered
        };
        lowered.extend(others.into_iter().take(n_others));
        lowered.sort_unstable_by(by_score);
        lowered
    }
}

/// Higher scores first, then lower chunks.
pub(crate) fn by_score(a: &(ChunkId, f32), b: &(ChunkId, f32)) -> std::cmp::Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Chunks by falling score of which every third has no penalty, or of which every third has one.
    #[test]
    fn chunks_with_a_penalty_do_not_crowd_out_the_others() {
        let best = |third_is_lowered: bool| {
            let kind = |chunk: ChunkId| Some(chunk.0.is_multiple_of(3) == third_is_lowered);
            let mut best = BestOfKinds::new(6, &kind);
            for number in 0..60_u32 {
                best.offer(ChunkId(number), -(number as f32));
            }
            let best = best.into_uncrowded();
            best.into_iter()
                .map(|(chunk, _)| chunk.0)
                .collect::<Vec<_>>()
        };
        assert_eq!(best(true), [0, 1, 2, 3, 4, 5]);
        assert_eq!(best(false), [0, 1, 2, 3, 4, 5, 6, 9, 12, 15]);
    }

    proptest! {
        #[test]
        fn equals_sorting_everything(scores in prop::collection::vec(0_u8..20, 0..200), limit in 0_usize..30) {
            let mut all: Vec<(ChunkId, f32)> = (0..).map(ChunkId).zip(scores.iter().map(|&score| f32::from(score))).collect();
            let mut top = TopK::new(limit);
            for &(chunk, score) in &all {
                top.push(chunk, score);
            }
            all.sort_unstable_by(by_score);
            all.truncate(limit);
            prop_assert_eq!(top.into_sorted(), all);
        }
    }
}
