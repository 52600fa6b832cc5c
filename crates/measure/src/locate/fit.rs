//! Weights by coordinate ascent, with one repository left out each time: the rows of repositories left out show what weights are worth
//! on code that they were not chosen for.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use engine::{Clue, LocateWeights, N_SIGNS};

use super::case::{Case, Question};
use super::score::Scores;

/// Factors tried for each weight.
const FACTORS: [f32; 6] = [0.0, 0.5, 0.75, 1.33, 1.75, 2.5];
/// Rounds over all weights.
const ROUNDS: usize = 2;
/// A change must gain this much, so that weights do not move for one issue.
const LEAST_GAIN: f64 = 0.0015;

/// The table of weights fitted without each repository, and scores on what was left out.
pub(crate) fn table(cases: &[Case], start: &LocateWeights) -> String {
    let repositories: BTreeSet<&str> = cases.iter().map(|case| case.issue.repo.as_str()).collect();
    let mut text = String::from("\nWeights fitted without a repository, scored on it:\n\n");
    text += &Scores::head("left out");
    let (mut fitted_sum, mut start_sum) = (Vec::new(), Vec::new());
    for repository in &repositories {
        let (own, others): (Vec<&Case>, Vec<&Case>) = cases
            .iter()
            .partition(|case| case.issue.repo == *repository);
        let fitted = ascend(&others, start);
        text += &Scores::of(own.iter().copied(), Question::Whole, &fitted).row(repository);
        fitted_sum.push((
            own.len(),
            Scores::of(own.iter().copied(), Question::Whole, &fitted),
        ));
        start_sum.push((own.len(), Scores::of(own, Question::Whole, start)));
    }
    text += &pooled(&fitted_sum).row("all, fitted");
    text += &pooled(&start_sum).row("all, as shipped");
    let all: Vec<&Case> = cases.iter().collect();
    let fitted = ascend(&all, start);
    let _ = writeln!(text, "\nfitted to all: {}", shown(&fitted));
    text
}

/// The number of places for files beside the first ones, chosen without each repository.
const PLACES: [usize; 6] = [0, 1, 2, 3, 4, 5];

/// Scores with each number of these places, and with the number that is best on the other repositories.
pub(crate) fn places(cases: &[Case], start: &LocateWeights) -> String {
    let repositories: BTreeSet<&str> = cases.iter().map(|case| case.issue.repo.as_str()).collect();
    let with = |n_beside| LocateWeights { n_beside, ..*start };
    let mut text = format!("\n{}", Scores::head("of ten places for files beside"));
    for n in PLACES {
        text += &Scores::of(cases, Question::Whole, &with(n)).row(&n.to_string());
    }
    let mut chosen = Vec::new();
    for repository in &repositories {
        let (own, others): (Vec<&Case>, Vec<&Case>) = cases
            .iter()
            .partition(|case| case.issue.repo == *repository);
        let value = |n: &usize| files_value(&others, &with(*n));
        let best = PLACES
            .into_iter()
            .max_by(|a, b| value(a).total_cmp(&value(b)).then(b.cmp(a)));
        let weights = with(best.unwrap_or_default());
        chosen.push((own.len(), Scores::of(own, Question::Whole, &weights)));
    }
    text + &pooled(&chosen).row("chosen without each repository")
}

fn pooled(rows: &[(usize, Scores)]) -> Scores {
    let total: usize = rows.iter().map(|(n, _)| n).sum();
    let mean = |of: &dyn Fn(&Scores) -> f64| {
        rows.iter().map(|(n, row)| *n as f64 * of(row)).sum::<f64>() / total.max(1) as f64
    };
    Scores {
        n: total,
        files: [0, 1, 2, 3].map(|at| mean(&|row| row.files[at])),
        any: mean(&|row| row.any),
        functions: [0, 1].map(|at| mean(&|row| row.functions[at])),
    }
}

/// Weights as `--weights` reads them.
pub(crate) fn shown(weights: &LocateWeights) -> String {
    let mut rows: Vec<String> = Vec::new();
    for clue in Clue::ALL {
        rows.push(format!(
            "{}={:.2}",
            clue.name(),
            weights.files[clue as usize]
        ));
    }
    for clue in Clue::ALL {
        rows.push(format!(
            "function.{}={:.2}",
            clue.name(),
            weights.functions[clue as usize]
        ));
    }
    rows.push(format!("function.file={:.2}", weights.of_file));
    rows.join(",")
}

fn ascend(cases: &[&Case], start: &LocateWeights) -> LocateWeights {
    let mut weights = *start;
    for _ in 0..ROUNDS {
        for clue in Clue::ALL {
            climb(
                &mut weights,
                |weights, value| weights.files[clue as usize] = value,
                |weights| files_value(cases, weights),
            );
        }
    }
    for _ in 0..ROUNDS {
        climb(
            &mut weights,
            |weights, value| weights.of_file = value,
            |weights| functions_value(cases, weights),
        );
        for clue in Clue::ALL {
            climb(
                &mut weights,
                |weights, value| weights.functions[clue as usize] = value,
                |weights| functions_value(cases, weights),
            );
        }
    }
    weights
}

/// Tries other values of one weight and keeps the best.
fn climb(
    weights: &mut LocateWeights,
    set: impl Fn(&mut LocateWeights, f32),
    value: impl Fn(&LocateWeights) -> f64,
) {
    let mut best = (value(weights) + LEAST_GAIN, *weights);
    let now = current(weights, &set);
    for factor in FACTORS {
        let mut tried = *weights;
        let next = if now == 0.0 {
            0.1 * factor
        } else {
            now * factor
        };
        set(&mut tried, next);
        let gained = value(&tried);
        if gained > best.0 {
            best = (gained, tried);
        }
    }
    *weights = best.1;
}

/// The value of the weight that `set` sets.
fn current(weights: &LocateWeights, set: &impl Fn(&mut LocateWeights, f32)) -> f32 {
    let mut marked = *weights;
    set(&mut marked, f32::MAX);
    let pairs = weights
        .files
        .iter()
        .zip(&marked.files)
        .chain(weights.functions.iter().zip(&marked.functions))
        .chain([(&weights.of_file, &marked.of_file)]);
    pairs
        .filter(|(_, marked)| **marked == f32::MAX)
        .map(|(now, _)| *now)
        .next()
        .unwrap_or(0.0)
}

/// Strict accuracy at 5 and 10, with the reciprocal place of the last right file so that small steps count.
fn files_value(cases: &[&Case], weights: &LocateWeights) -> f64 {
    let value = |case: &&Case| {
        let places = case.file_places(Question::Whole, weights);
        let worst = places
            .iter()
            .map(|place| place.unwrap_or(usize::MAX))
            .max()
            .unwrap_or(usize::MAX);
        let within = |k: usize| f64::from(u8::from(worst < k));
        let title = case.file_places(Question::Title, weights);
        let title = title
            .iter()
            .all(|place| place.is_some_and(|place| place < 10));
        let smooth = if worst == usize::MAX {
            0.0
        } else {
            1.0 / (worst as f64 + 1.0)
        };
        0.35 * within(5) + 0.35 * within(10) + 0.2 * smooth + 0.1 * f64::from(u8::from(title))
    };
    cases.iter().map(value).sum::<f64>() / cases.len().max(1) as f64
}

fn functions_value(cases: &[&Case], weights: &LocateWeights) -> f64 {
    let value = |case: &&Case| {
        let places = case.places(Question::Whole, weights).functions;
        let one = |place: &Option<usize>| match place {
            Some(place) if *place < 10 => 0.7 + 0.3 / (*place as f64 + 1.0),
            Some(place) => 0.3 / (*place as f64 + 1.0),
            None => 0.0,
        };
        places.iter().map(one).sum::<f64>() / places.len().max(1) as f64
    };
    cases.iter().map(value).sum::<f64>() / cases.len().max(1) as f64
}

/// Weight of an answer to another repository's issue beside one to the own.
const FOREIGN: f64 = 0.2;
/// Steps of the descent, and their length.
const STEPS: usize = 20_000;
const RATE: f64 = 0.5;
/// Pull of the coefficients towards 0.
const PULL: f64 = 0.002;

/// Coefficients of the logistic function from signs to whether all right files are among the first five.
pub(crate) fn sureness(cases: &[Case], weights: &LocateWeights) -> String {
    let mut rows: Vec<([f64; N_SIGNS], f64, f64)> = Vec::new();
    for case in cases {
        let places = case.file_places(Question::Whole, weights);
        let is_right = places
            .iter()
            .all(|place| place.is_some_and(|place| place < 5));
        rows.push((
            case.signs[0].map(f64::from),
            f64::from(u8::from(is_right)),
            1.0,
        ));
        rows.push((case.signs[1].map(f64::from), 0.0, FOREIGN));
    }
    let total: f64 = rows.iter().map(|(.., weight)| weight).sum();
    let (mut at_zero, mut of) = (0.0_f64, [0.0_f64; N_SIGNS]);
    for _ in 0..STEPS {
        let (mut zero_slope, mut slopes) = (0.0, [0.0; N_SIGNS]);
        for (signs, right, weight) in &rows {
            let sum: f64 = signs.iter().zip(&of).map(|(sign, of)| sign * of).sum();
            let error = weight * (right - 1.0 / (1.0 + (-(at_zero + sum)).exp())) / total;
            zero_slope += error;
            for (slope, sign) in slopes.iter_mut().zip(signs) {
                *slope += error * sign;
            }
        }
        at_zero += RATE * zero_slope;
        for (of, slope) in of.iter_mut().zip(slopes) {
            *of += RATE * (slope - PULL * *of);
        }
    }
    let mean = |which: usize, sign: usize| {
        cases
            .iter()
            .map(|case| f64::from(case.signs[which][sign]))
            .sum::<f64>()
            / cases.len().max(1) as f64
    };
    let means: Vec<String> = (0..N_SIGNS)
        .map(|sign| format!("{:.2} and {:.2}", mean(0, sign), mean(1, sign)))
        .collect();
    format!(
        "\nsureness: {at_zero:.2} at 0, of signs {of:.2?}; their means of own and foreign issues: {}\n",
        means.join(", ")
    )
}
