//! The best k of a stream of scores, without sorting the rest.

use crate::frozen::ChunkId;

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

    /// Returns true if `score` can still be among the best. Cheap: one comparison. NaN never is.
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

/// Higher scores first, then lower chunks.
pub(crate) fn by_score(a: &(ChunkId, f32), b: &(ChunkId, f32)) -> std::cmp::Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
