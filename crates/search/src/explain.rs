//! Explains a score step by step: replaying the steps gives the score.

use crate::config::{SearchConfig, Signal};
use crate::global::GlobalPlan;
use crate::plan::Plan;
use crate::postings::LexicalView;
use crate::scored::{Scored, penalties};

/// Explains a score, from top to bottom: layers, fusion, signals, final score.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// Contribution of each query term.
    pub terms: Vec<TermScore>,
    /// Sum of the above.
    pub lexical_score: f32,
    /// Place among the lexical candidates, from 1.
    pub lexical_rank: Option<u32>,
    /// Cosine to the query.
    pub vector_score: Option<f32>,
    /// Place among the vector candidates, from 1.
    pub vector_rank: Option<u32>,
    /// After fusion, before signals.
    pub fused_score: f32,
    /// Effect of each signal, in the order applied; signals without effect are left out.
    pub signals: Vec<SignalEffect>,
    /// The score that hits are sorted by.
    pub score: f32,
}

/// Contribution of a query term.
#[derive(Debug, Clone, PartialEq)]
pub struct TermScore {
    /// The term.
    pub term: String,
    /// Chunks that hold it.
    pub document_frequency: u32,
    /// Its share of the lexical score.
    pub score: f32,
}

/// Effect of a signal: the score before was multiplied by `factor`, then `added` was added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignalEffect {
    /// Its name.
    pub name: &'static str,
    /// See above; 1 for signals that add.
    pub factor: f32,
    /// See above; 0 for penalties.
    pub added: f32,
}

impl Explanation {
    /// The steps replayed: the same as `score` up to rounding.
    #[must_use]
    pub fn replay(&self) -> f32 {
        self.signals.iter().fold(self.fused_score, |score, effect| {
            score * effect.factor + effect.added
        })
    }

    /// Why the chunk was found, in one word each: `words`, `meaning`, `name`, `path`, `graph`.
    #[must_use]
    pub fn reasons(&self) -> Vec<&'static str> {
        let has = |names: &[&str]| {
            self.signals
                .iter()
                .any(|effect| effect.added > 0.0 && names.contains(&effect.name))
        };
        let reasons = [
            ("name", has(&["definition", "name_terms", "named"])),
            (
                "path",
                has(&["file_name", "stem_terms", "stem_cover", "folder_terms"]),
            ),
            ("words", self.lexical_rank.is_some()),
            ("meaning", self.vector_rank.is_some()),
            ("graph", has(&["centrality", "cohesion", "user"])),
        ];
        reasons
            .into_iter()
            .filter(|&(_, holds)| holds)
            .map(|(reason, _)| reason)
            .collect()
    }
}

/// Says where the score of `hit` comes from. `global` and `config` must be those it was ranked with.
#[must_use]
pub fn explain<'a>(
    lexical: impl Into<LexicalView<'a>>,
    global: &GlobalPlan,
    config: &SearchConfig,
    hit: &Scored,
) -> Explanation {
    Explanation {
        terms: if config.lexical {
            term_scores(lexical.into(), global, config, hit)
        } else {
            Vec::new()
        },
        lexical_score: hit.lexical_score,
        lexical_rank: hit.lexical_rank,
        vector_score: hit.vector_score,
        vector_rank: hit.vector_rank,
        fused_score: hit.fused_score,
        signals: if config.rerank {
            effects(&global.plan, config, hit)
        } else {
            Vec::new()
        },
        score: hit.score,
    }
}

fn term_scores(
    lexical: LexicalView<'_>,
    global: &GlobalPlan,
    config: &SearchConfig,
    hit: &Scored,
) -> Vec<TermScore> {
    let score_of = |(idx, term): (usize, &crate::plan::QueryTerm)| {
        let own = config.weight_of(term);
        let weight = lexical
            .weight_in(term.hash, hit.chunk)
            .filter(|_| own > 0.0)?;
        let document_frequency = global.statistics.frequency(idx);
        Some(TermScore {
            term: term.text.clone(),
            document_frequency,
            score: global.statistics.idf(document_frequency) * own * weight,
        })
    };
    let terms = global.plan.terms.iter().enumerate();
    terms.filter_map(score_of).collect()
}

fn effects(plan: &Plan, config: &SearchConfig, hit: &Scored) -> Vec<SignalEffect> {
    let blend = config.blend(plan);
    let added = Signal::ALL.into_iter().map(|signal| SignalEffect {
        name: signal.name(),
        factor: 1.0,
        added: hit.signals[signal as usize] * blend.signals[signal],
    });
    let lowered = penalties(hit.class, plan, config).map(|(name, factor)| SignalEffect {
        name,
        factor,
        added: 0.0,
    });
    let raised = SignalEffect {
        name: hit.raised_as,
        factor: 1.0,
        added: hit.raised,
    };
    added
        .chain(lowered)
        .chain([raised])
        .filter(|effect| effect.added != 0.0 || effect.factor != 1.0)
        .collect()
}
