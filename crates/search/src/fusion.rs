//! Fusion: the scores or ranks of the lexical and the vector layer become one score.

use crate::config::{Blend, Fusion, SearchConfig};
use crate::scored::Scored;

/// Sets `fused_score`, 0 to 1. A layer that found nothing leaves its share to the other.
pub(crate) fn fuse(hits: &mut [Scored], blend: &Blend, config: &SearchConfig) {
    let best_lexical = hits.iter().map(|hit| hit.lexical_score).fold(0.0, f32::max);
    let best_cosine = hits
        .iter()
        .filter_map(|hit| hit.vector_score)
        .fold(0.0, f32::max);
    let vector_share = match (best_lexical > 0.0, best_cosine > 0.0) {
        (true, true) => blend.vector_share,
        (false, true) => 1.0,
        _ => 0.0,
    };
    for hit in hits {
        let (lexical, vector) = match config.fusion {
            Fusion::Rrf => {
                let k = config.rrf_k;
                let reciprocal =
                    |rank: Option<u32>| rank.map_or(0.0, |rank| (k + 1.0) / (k + rank as f32));
                (reciprocal(hit.lexical_rank), reciprocal(hit.vector_rank))
            }
            Fusion::Weighted => {
                let share = |score: f32, best: f32| {
                    if best > 0.0 {
                        (score / best).max(0.0)
                    } else {
                        0.0
                    }
                };
                (
                    share(hit.lexical_score, best_lexical),
                    share(hit.vector_score.unwrap_or(0.0), best_cosine),
                )
            }
        };
        hit.fused_score = (1.0 - vector_share) * lexical + vector_share * vector;
    }
}

#[cfg(test)]
mod tests {
    use source::FileId;

    use super::*;
    use crate::frozen::ChunkId;
    use crate::paths::PathClass;

    /// Three chunks: the first is far ahead by words, the second is good in both layers, the third by meaning only.
    fn hits() -> Vec<Scored> {
        let layers = [
            (9.0, Some(1), 0.1, None),
            (5.0, Some(2), 0.8, Some(2)),
            (0.0, None, 0.9, Some(1)),
        ];
        let scored = |(idx, (lexical_score, lexical_rank, cosine, vector_rank))| Scored {
            chunk: ChunkId(idx),
            file: FileId(idx),
            score: 0.0,
            lexical_score,
            lexical_rank,
            vector_score: Some(cosine),
            vector_rank,
            fused_score: 0.0,
            signals: [0.0; crate::config::N_SIGNALS],
            class: PathClass::empty(),
            raised: 0.0,
            raised_as: "",
        };
        (0..).zip(layers).map(scored).collect()
    }

    fn fused(config: &SearchConfig) -> Vec<f32> {
        let mut hits = hits();
        fuse(&mut hits, &config.conceptual, config);
        hits.iter().map(|hit| hit.fused_score).collect()
    }

    #[test]
    fn by_score_a_share_weighs_the_layers() {
        let mut config = SearchConfig::default();
        config.set("vector_share", 0.25).unwrap();
        let [first, _, third] = fused(&config)[..] else {
            panic!("three hits");
        };
        assert!((first - (0.75 + 0.25 * 0.1 / 0.9)).abs() < 1e-6);
        assert!((third - 0.25).abs() < 1e-6);
    }

    #[test]
    fn by_rank_k_says_how_far_the_first_leads() {
        let mut config = SearchConfig {
            fusion: Fusion::Rrf,
            ..SearchConfig::default()
        };
        // In both layers second is more than first in one.
        let [first, second, third] = fused(&config)[..] else {
            panic!("three hits");
        };
        assert!(second > first && first == third);
        assert!((second - 61.0 / 62.0).abs() < 1e-6);
        config.set("rrf_k", 0.0).unwrap();
        assert!((fused(&config)[1] - 0.5).abs() < 1e-6);
    }
}
