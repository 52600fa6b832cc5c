//! Weights of ranking fitted to the benchmark, with leave-one-repository-out cross-validation.
//!
//! `retrieval --fit` ascends a smooth substitute for NDCG@10 (LambdaRank, Burges 2010): a relevant file ranked below an
//! irrelevant one contributes a gradient of the NDCG that the swap would gain. Every weight is also pulled back to its
//! start, so that 417 queries do not move weights that they say nothing about. The start is the shipped weights, or
//! those of `--set`; the repositories left out of the fit show its value.

use std::fmt::Write as _;

use search::{Blend, Candidates, QueryKind, Scored, SearchConfig, Signal};

use super::{Repository, gather, mean, overall, score};

/// Steps of the ascent.
const N_STEPS: usize = 80;
/// Length of the first step; it falls to a tenth.
const RATE: f32 = 0.8;
/// Scores that differ by so much are no toss-up any more.
const TEMPERATURE: f32 = 0.15;
/// Pull towards the start; weaker pulls gave worse figures on repositories not seen.
const PULL: f32 = 0.1;
/// Files looked at a query.
const N_FILES: usize = 30;

struct Prepared<'a> {
    repository: &'a Repository,
    candidates: Vec<Candidates>,
}

/// The whole table.
pub(crate) fn run(repositories: &[Repository], start: &SearchConfig, pull: Option<f32>) -> String {
    let default = SearchConfig::default();
    let prepared: Vec<Prepared<'_>> = repositories
        .iter()
        .map(|repository| Prepared {
            repository,
            candidates: (0..repository.tasks.len())
                .map(|idx| gather(repository, idx, &default))
                .collect(),
        })
        .collect();
    let pull = pull.unwrap_or(PULL);
    let all: Vec<&Prepared<'_>> = prepared.iter().collect();
    let mut text = format!(
        "start {:.4}, as shipped {:.4}\n| left out | start | fitted without it | as shipped |\n|---|--:|--:|--:|\n",
        objective(&all, start),
        objective(&all, &default)
    );
    let mut unseen = Vec::new();
    for held in &prepared {
        let seen: Vec<&Prepared<'_>> = prepared
            .iter()
            .filter(|other| !std::ptr::eq(*other, held))
            .collect();
        let fitted = ascend(&seen, start, pull);
        let _ = writeln!(
            text,
            "| {} | {:.4} | {:.4} | {:.4} |",
            held.repository.index.name,
            objective(&[held], start),
            objective(&[held], &fitted),
            objective(&[held], &default)
        );
        unseen.push(scores(held, &fitted));
    }
    let _ = writeln!(
        text,
        "| mean | {:.4} | {:.4} | {:.4} |",
        objective(&all, start),
        overall(unseen.iter()),
        objective(&all, &default)
    );
    let fitted = ascend(&all, start, pull);
    let _ = writeln!(text, "\nfitted to all {:.4}", objective(&all, &fitted));
    text + &weights(&fitted, &default)
}

fn weights(fitted: &SearchConfig, default: &SearchConfig) -> String {
    let mut text = String::from(
        "| weight | names, fitted | shipped | descriptions, fitted | shipped |\n|---|--:|--:|--:|--:|\n",
    );
    let blends = [
        &fitted.symbol,
        &default.symbol,
        &fitted.conceptual,
        &default.conceptual,
    ];
    let mut row = |name: &str, of: &dyn Fn(&Blend) -> f32| {
        let cells: Vec<String> = blends
            .iter()
            .map(|blend| format!("{:.2}", of(blend)))
            .collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    };
    row("vector_share", &|blend| blend.vector_share);
    for signal in Signal::ALL {
        row(signal.name(), &|blend| blend.signals[signal]);
    }
    text
}

fn scores(prepared: &Prepared<'_>, config: &SearchConfig) -> Vec<f64> {
    let index = &prepared.repository.index;
    let score = |(candidates, task): (&Candidates, _)| {
        score::ndcg(&index.results(&candidates.rank(config), 10), task)
    };
    let tasks = &prepared.repository.tasks;
    prepared.candidates.iter().zip(tasks).map(score).collect()
}

fn objective(prepared: &[&Prepared<'_>], config: &SearchConfig) -> f64 {
    mean(
        prepared
            .iter()
            .map(|prepared| mean(scores(prepared, config).into_iter())),
    )
}

/// One number a weight of a blend: the vector share, then the signals.
type Gradient = [f32; 1 + search::N_SIGNALS];

fn ascend(prepared: &[&Prepared<'_>], start: &SearchConfig, pull: f32) -> SearchConfig {
    let mut config = start.clone();
    for step in 0..N_STEPS {
        let mut gradients = [[0.0; 1 + search::N_SIGNALS]; 2];
        for prepared in prepared {
            // A repository counts once, however many queries it has.
            let share = 1.0 / prepared.candidates.len().max(1) as f32;
            for idx in 0..prepared.candidates.len() {
                add_pulls(prepared, idx, &config, share, &mut gradients);
            }
        }
        let rate = RATE * (1.0 - 0.9 * step as f32 / N_STEPS as f32);
        let n = prepared.len().max(1) as f32;
        for (blend, from, gradient) in [
            (&mut config.symbol, &start.symbol, &gradients[0]),
            (&mut config.conceptual, &start.conceptual, &gradients[1]),
        ] {
            let moved =
                |at: f32, from: f32, gradient: f32| at + rate * (gradient / n - pull * (at - from));
            blend.vector_share =
                moved(blend.vector_share, from.vector_share, gradient[0]).clamp(0.0, 1.0);
            let signals = blend.signals.0.iter_mut().zip(&from.signals.0);
            for ((weight, from), gradient) in signals.zip(&gradient[1..]) {
                *weight = moved(*weight, *from, *gradient).max(0.0);
            }
        }
    }
    config
}

/// The best chunk of a file, whether it answers, and how its score moves with each weight.
struct Place {
    score: f32,
    is_wanted: bool,
    slope: Gradient,
}

/// Adds the gains of swapping pairs of one query, as gradients on the weights.
fn add_pulls(
    prepared: &Prepared<'_>,
    idx: usize,
    config: &SearchConfig,
    share: f32,
    gradients: &mut [Gradient; 2],
) {
    let (index, task) = (&prepared.repository.index, &prepared.repository.tasks[idx]);
    let ranked = prepared.candidates[idx].rank(config);
    let gradient = match ranked.global.plan.kind {
        QueryKind::Symbol => &mut gradients[0],
        QueryKind::Conceptual => &mut gradients[1],
    };
    let results = index.results(&ranked, N_FILES);
    let best_lexical = best(&ranked.hits, |hit| hit.lexical_score);
    let best_cosine = best(&ranked.hits, |hit| hit.vector_score.unwrap_or(0.0));
    let files = ranked.by_file();
    let places: Vec<Place> = files
        .iter()
        .zip(&results)
        .filter_map(|(file, result)| {
            let hit = ranked.hits.get(*file.hits.first()?)?;
            Some(Place {
                score: hit.score,
                is_wanted: task.is_answered_by(result),
                slope: slope(hit, best_lexical, best_cosine, config),
            })
        })
        .collect();
    let ideal: f32 = (0..task.targets.len().min(10)).map(discount).sum();
    for (above, one) in places.iter().enumerate() {
        for (below, other) in places.iter().enumerate().skip(above + 1) {
            if one.is_wanted == other.is_wanted {
                continue;
            }
            let gain = (discount(above) - discount(below)) / ideal.max(1.0);
            let (wanted, not) = if one.is_wanted {
                (one, other)
            } else {
                (other, one)
            };
            let doubt = 1.0 / (1.0 + ((wanted.score - not.score) / TEMPERATURE).exp());
            for (pull, (up, down)) in gradient.iter_mut().zip(wanted.slope.iter().zip(&not.slope)) {
                *pull += share * gain * doubt * (up - down) / TEMPERATURE;
            }
        }
    }
}

/// How the score of a hit moves with the vector share and with each signal's weight.
fn slope(hit: &Scored, best_lexical: f32, best_cosine: f32, config: &SearchConfig) -> Gradient {
    let factor: f32 = config
        .penalties
        .iter()
        .filter(|penalty| hit.class.contains(penalty.class))
        .map(|penalty| penalty.factor)
        .product();
    let part = |score: f32, best: f32| {
        if best > 0.0 {
            (score / best).max(0.0)
        } else {
            0.0
        }
    };
    let mut slope = [0.0; 1 + search::N_SIGNALS];
    slope[0] = factor
        * (part(hit.vector_score.unwrap_or(0.0), best_cosine)
            - part(hit.lexical_score, best_lexical));
    for (slope, value) in slope[1..].iter_mut().zip(&hit.signals) {
        *slope = factor * value;
    }
    slope
}

fn best(hits: &[Scored], of: impl Fn(&Scored) -> f32) -> f32 {
    hits.iter().map(of).fold(0.0, f32::max)
}

/// Discount of an answer at `place`, from 0.
fn discount(place: usize) -> f32 {
    if place < 10 {
        1.0 / (place as f32 + 2.0).log2()
    } else {
        0.0
    }
}
