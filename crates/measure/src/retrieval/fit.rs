//! Weights of ranking fitted to the benchmark, with cross-validation over repositories.
//!
//! Coordinate ascent on NDCG@10: each weight in turn takes the best of a few values around its own, until nothing helps. A change is taken
//! only if it helps on the mean and does so on most repositories alike: its gain must exceed [`MIN_GAIN`] and its own standard error over
//! repositories. What the fit is worth is told by repositories that it did not see.

use search::{Candidates, SearchConfig, Signal};

use super::{Repository, gather, mean, overall, score};

/// Folds of the cross-validation.
const N_FOLDS: usize = 7;
/// Rounds over all weights.
const N_ROUNDS: usize = 4;
/// Smaller gains of the mean are not taken.
const MIN_GAIN: f64 = 0.0006;

struct Prepared<'a> {
    repository: &'a Repository,
    candidates: Vec<Candidates>,
}

pub(crate) fn run(repositories: &[Repository]) {
    let start = SearchConfig::default();
    let prepared: Vec<Prepared<'_>> = repositories
        .iter()
        .map(|repository| Prepared {
            repository,
            candidates: (0..repository.tasks.len())
                .map(|idx| gather(repository, idx, &start))
                .collect(),
        })
        .collect();
    let all: Vec<&Prepared<'_>> = prepared.iter().collect();
    println!("start           {:.4}", objective(&all, &start));
    let mut unseen = Vec::new();
    for fold in 0..N_FOLDS {
        let (held, seen): (Vec<_>, Vec<_>) = prepared
            .iter()
            .enumerate()
            .partition(|(idx, _)| idx % N_FOLDS == fold);
        let seen: Vec<&Prepared<'_>> = seen.into_iter().map(|(_, prepared)| prepared).collect();
        let held: Vec<&Prepared<'_>> = held.into_iter().map(|(_, prepared)| prepared).collect();
        let fitted = ascend(&seen, start.clone());
        println!(
            "fold {fold}: seen {:.4} → {:.4}, unseen {:.4} → {:.4}",
            objective(&seen, &start),
            objective(&seen, &fitted),
            objective(&held, &start),
            objective(&held, &fitted)
        );
        unseen.extend(held.iter().map(|prepared| scores(prepared, &fitted)));
    }
    println!("cross-validated {:.4}", overall(unseen.iter()));
    let fitted = ascend(&all, start);
    println!("fitted to all   {:.4}", objective(&all, &fitted));
    println!("{fitted:#?}");
}

fn scores(prepared: &Prepared<'_>, config: &SearchConfig) -> Vec<f64> {
    let index = &prepared.repository.index;
    let score = |(candidates, task): (&Candidates, _)| {
        score::ndcg(&index.results(&candidates.rank(config), 10), task)
    };
    let tasks = &prepared.repository.tasks;
    prepared.candidates.iter().zip(tasks).map(score).collect()
}

/// Mean NDCG of each repository.
fn means(prepared: &[&Prepared<'_>], config: &SearchConfig) -> Vec<f64> {
    let of_one = |prepared: &&Prepared<'_>| mean(scores(prepared, config).into_iter());
    prepared.iter().map(of_one).collect()
}

fn objective(prepared: &[&Prepared<'_>], config: &SearchConfig) -> f64 {
    mean(means(prepared, config).into_iter())
}

fn ascend(prepared: &[&Prepared<'_>], mut config: SearchConfig) -> SearchConfig {
    let mut best = means(prepared, &config);
    for _ in 0..N_ROUNDS {
        let mut changed = false;
        for knob in Knob::all(&config) {
            let value = *knob.of(&mut config);
            let mut chosen = value;
            for tried in knob.values(value) {
                *knob.of(&mut config) = tried;
                let reached = means(prepared, &config);
                if is_better(&reached, &best) {
                    (best, chosen, changed) = (reached, tried, true);
                }
            }
            *knob.of(&mut config) = chosen;
        }
        if !changed {
            break;
        }
    }
    config
}

/// Whether the gain is more than noise: above its standard error over repositories.
fn is_better(reached: &[f64], before: &[f64]) -> bool {
    let gains: Vec<f64> = reached
        .iter()
        .zip(before)
        .map(|(new, old)| new - old)
        .collect();
    let gain = mean(gains.iter().copied());
    let variance = mean(gains.iter().map(|one| (one - gain).powi(2)));
    let error = (variance / (gains.len() as f64 - 1.0).max(1.0)).sqrt();
    gain > MIN_GAIN && gain > error
}

/// A number that can be fitted.
#[derive(Clone, Copy)]
enum Knob {
    SymbolShare,
    ConceptualShare,
    Symbol(Signal),
    Conceptual(Signal),
    Penalty(usize),
}

impl Knob {
    fn all(config: &SearchConfig) -> Vec<Knob> {
        let fitted = |signal: &Signal| !matches!(signal, Signal::Centrality | Signal::Cohesion);
        let signals = || Signal::ALL.into_iter().filter(fitted);
        let mut knobs = vec![Knob::ConceptualShare, Knob::SymbolShare];
        knobs.extend(signals().map(Knob::Conceptual));
        knobs.extend(signals().map(Knob::Symbol));
        knobs.extend((0..config.penalties.len()).map(Knob::Penalty));
        knobs
    }

    fn of(self, config: &mut SearchConfig) -> &mut f32 {
        match self {
            Knob::SymbolShare => &mut config.symbol.vector_share,
            Knob::ConceptualShare => &mut config.conceptual.vector_share,
            Knob::Symbol(signal) => &mut config.symbol.signals[signal],
            Knob::Conceptual(signal) => &mut config.conceptual.signals[signal],
            Knob::Penalty(idx) => &mut config.penalties[idx].factor,
        }
    }

    fn values(self, value: f32) -> Vec<f32> {
        match self {
            Knob::SymbolShare | Knob::ConceptualShare | Knob::Penalty(_) => [-0.2, -0.1, 0.1, 0.2]
                .iter()
                .map(|step| (value + step).clamp(0.0, 1.0))
                .collect(),
            Knob::Symbol(_) | Knob::Conceptual(_) => vec![
                0.0,
                value * 0.5,
                value * 0.75,
                value * 1.33,
                value * 2.0,
                value + 0.1,
            ],
        }
    }
}
