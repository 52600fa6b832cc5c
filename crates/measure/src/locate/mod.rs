//! From the text of issues to the files and functions that their fixes changed: strict accuracy, recall, tokens, milliseconds,
//! ablations, calibration.
//!
//! `locate --data DIR [--repos DIR] [--kept DIR] [--only OWNER/NAME,…] [--reserve] [--no-vectors] [--history] [--fit] [--verbose [--shown N]]
//! [--weights title=1,function.name=0.5,…] [--index-only]`. DIR of `--data` has `issues.jsonl` and perhaps `published.tsv`; DIR of
//! `--repos` has clones as `OWNER+NAME/repo`; DIR of `--kept` keeps the index of each commit, so that a later run opens it.
//! The first 155 issues are measured; `--reserve` measures the others. With `--history`, files that changed together before the commit count.

mod case;
mod fit;
mod git;
mod index;
mod issues;
mod past;
mod score;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use engine::{Clue, FileId, LocateWeights, Together};

use self::case::{Case, Question};
use self::index::Places;
use self::issues::{Issue, Published};
use self::score::{AT, Scores};
use crate::flags::{Failure, Flags};

/// Issues that are measured; those after them are a reserve.
const N_MEASURED: usize = 155;
/// Distance to the issue of another repository that an index is asked about.
const FOREIGN: usize = 40;

pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let data = flags.path("data")?;
    let issues = wanted(flags, issues::load(&data)?);
    let places = Places {
        clones: flags.path("repos").unwrap_or_else(|_| data.join("repos")),
        kept: flags
            .path("kept")
            .unwrap_or_else(|_| std::env::temp_dir().join("portolan-locate")),
    };
    let embedder = crate::index::embedder()?;
    let repositories: BTreeSet<&str> = issues.iter().map(|issue| issue.repo.as_str()).collect();
    for repository in &repositories {
        let own: Vec<&Issue> = issues
            .iter()
            .filter(|issue| issue.repo == **repository)
            .collect();
        places.make(&own, &embedder)?;
    }
    if flags.has("index-only") {
        return Ok(());
    }
    let weights = weights(flags)?;
    let embedder = (!flags.has("no-vectors")).then_some(&embedder);
    let mut cases = Vec::new();
    for (idx, issue) in issues.iter().enumerate() {
        let mut others = issues.iter().cycle().skip(idx + FOREIGN).take(issues.len());
        let foreign = others
            .find(|other| other.repo != issue.repo)
            .unwrap_or(issue);
        let reader = places.open(issue)?;
        let history = if flags.has("history") {
            Some(past::before(
                &places.clone_of(&issue.repo)?,
                &issue.base_commit,
            )?)
        } else {
            None
        };
        let partners = |file: FileId| {
            let own = history.as_ref();
            own.map_or_else(Vec::new, |own| past::together(own, &reader, file))
        };
        let together: Option<Together<'_>> = history.is_some().then_some(&partners);
        cases.push(Case::new(
            issue, foreign, &reader, embedder, &weights, together,
        )?);
    }
    print!("{}", tables(&cases, &weights, &issues::published(&data)));
    print!("{}", ablations(&cases, &weights));
    if flags.has("fit") {
        print!("{}", fit::sureness(&cases, &weights));
        print!("{}", fit::places(&cases, &weights));
        print!("{}", fit::table(&cases, &weights));
    }
    if flags.has("verbose") {
        let n_shown = flags.number("shown", 4)?;
        print!("{}", misses(&cases, &weights, n_shown));
    }
    Ok(())
}

fn wanted(flags: &Flags, issues: Vec<Issue>) -> Vec<Issue> {
    let only: Option<Vec<&str>> = flags.get("only").map(|names| names.split(',').collect());
    let range = if flags.has("reserve") {
        N_MEASURED..issues.len()
    } else {
        0..N_MEASURED.min(issues.len())
    };
    let mut issues = issues;
    issues.truncate(range.end);
    issues.drain(..range.start.min(issues.len()));
    issues.retain(|issue| {
        only.as_ref()
            .is_none_or(|only| only.contains(&issue.repo.as_str()))
    });
    issues
}

fn weights(flags: &Flags) -> Result<LocateWeights, Failure> {
    let mut weights = LocateWeights::default();
    for change in flags
        .get("weights")
        .unwrap_or_default()
        .split(',')
        .filter(|change| !change.is_empty())
    {
        let (name, value) = change.split_once('=').ok_or("--weights wants name=value")?;
        if !weights.set(name, value.parse()?) {
            return Err(format!("there is no weight {name:?}: {}", fit::shown(&weights)).into());
        }
    }
    Ok(weights)
}

fn tables(
    cases: &[Case],
    weights: &LocateWeights,
    published: &std::collections::BTreeMap<String, Vec<Published>>,
) -> String {
    let mut text = Scores::head("question");
    text += &Scores::of(cases, Question::Whole, weights).row("whole issue");
    text += &Scores::of(cases, Question::Title, weights).row("title only");
    let several = |case: &&Case| case.issue.gold_files.len() > 1;
    text += &Scores::of(cases.iter().filter(several), Question::Whole, weights)
        .row("whole, several files");
    text += &Scores::of(
        cases.iter().filter(|case| !several(case)),
        Question::Whole,
        weights,
    )
    .row("whole, one file");
    let ids: BTreeSet<&str> = cases
        .iter()
        .map(|case| case.issue.instance_id.as_str())
        .collect();
    for (method, rows) in published {
        let own: Vec<&Published> = rows
            .iter()
            .filter(|row| ids.contains(row.instance_id.as_str()))
            .collect();
        let cell = |at: usize| {
            let hits: Vec<f64> = own.iter().filter_map(|row| row.hits[at]).collect();
            if hits.is_empty() {
                "–".to_owned()
            } else {
                format!(
                    "{:.1}",
                    100.0 * hits.iter().sum::<f64>() / hits.len() as f64
                )
            }
        };
        if !own.is_empty() {
            let cells: Vec<String> = (0..AT.len()).map(cell).collect();
            let _ = writeln!(
                text,
                "| {method} (published) | {} | {} | | | |",
                own.len(),
                cells.join(" | ")
            );
        }
    }
    text += "\n";
    text += &Scores::head("repository, whole issue");
    let repositories: BTreeSet<&str> = cases.iter().map(|case| case.issue.repo.as_str()).collect();
    for repository in repositories {
        let own = cases.iter().filter(|case| case.issue.repo == repository);
        text += &Scores::of(own, Question::Whole, weights).row(repository);
    }
    text + &speed(cases) + &calibration(cases, weights)
}

fn speed(cases: &[Case]) -> String {
    let mut millis: Vec<f64> = cases.iter().map(|case| case.millis).collect();
    millis.sort_by(f64::total_cmp);
    let mut of_size: Vec<f64> = cases
        .iter()
        .filter(|case| (900..1_500).contains(&case.n_files))
        .map(|case| case.millis)
        .collect();
    of_size.sort_by(f64::total_cmp);
    let tokens: Vec<f64> = cases.iter().map(|case| f64::from(case.n_tokens)).collect();
    let mean = tokens.iter().sum::<f64>() / tokens.len().max(1) as f64;
    let at = crate::index::percentile;
    format!(
        "\nmilliseconds, warm: p50 {:.1}, p95 {:.1}; of {} indexes with 900 to 1,500 files: p50 {:.1}. Tokens of an answer: mean {mean:.0}\n",
        at(&millis, 0.5),
        at(&millis, 0.95),
        of_size.len(),
        at(&of_size, 0.5),
    )
}

/// How often answers of a certain sureness are right, and how sure answers to issues of other repositories are.
fn calibration(cases: &[Case], weights: &LocateWeights) -> String {
    let mut text = String::from(
        "\n| sure | issues | told | right@5 | foreign issues |\n|---|--:|--:|--:|--:|\n",
    );
    for (from, to) in [
        (0.0, 0.35),
        (0.35, 0.5),
        (0.5, 0.65),
        (0.65, 0.8),
        (0.8, 0.9),
        (0.9, 1.01),
    ] {
        let within = |value: f32| value >= from && value < to;
        let own: Vec<&Case> = cases.iter().filter(|case| within(case.sureness)).collect();
        let told: f64 =
            own.iter().map(|case| f64::from(case.sureness)).sum::<f64>() / own.len().max(1) as f64;
        let right = Scores::of(own.iter().copied(), Question::Whole, weights).files[2];
        let foreign = cases.iter().filter(|case| within(case.foreign)).count();
        let _ = writeln!(
            text,
            "| {from:.2} to {to:.2} | {} | {:.1} | {:.1} | {foreign} |",
            own.len(),
            100.0 * told,
            100.0 * right
        );
    }
    text
}

fn ablations(cases: &[Case], weights: &LocateWeights) -> String {
    let mut text = format!("\n{}", Scores::head("without"));
    text += &Scores::of(cases, Question::Whole, weights).row("nothing left out");
    for clue in Clue::ALL {
        let mut without = *weights;
        without.files[clue as usize] = 0.0;
        without.functions[clue as usize] = 0.0;
        text += &Scores::of(cases, Question::Whole, &without).row(clue.name());
    }
    let by_score = LocateWeights {
        n_beside: 0,
        ..*weights
    };
    text += &Scores::of(cases, Question::Whole, &by_score).row("places for files beside");
    for clue in Clue::ALL {
        let mut only = *weights;
        for other in Clue::ALL.into_iter().filter(|other| *other != clue) {
            only.files[other as usize] = 0.0;
            only.functions[other as usize] = 0.0;
        }
        text += &Scores::of(cases, Question::Whole, &only).row(&format!("only {}", clue.name()));
    }
    text
}

/// Issues whose right files are not all among the first ten, with their places.
fn misses(cases: &[Case], weights: &LocateWeights, n_shown: usize) -> String {
    let mut text = String::from("\nmissed at 5 or functions at 10:\n");
    for case in cases {
        let places = case.places(Question::Whole, weights);
        let title = case.file_places(Question::Title, weights);
        let is_right = places
            .files
            .iter()
            .all(|place| place.is_some_and(|place| place < 5));
        let has_functions = places
            .functions
            .iter()
            .all(|place| place.is_some_and(|place| place < 10));
        if !is_right || !has_functions || n_shown > 10 {
            let _ = writeln!(
                text,
                "{} sure {:.2} files {:?} by title {:?} functions {:?} {:?}",
                case.issue.instance_id,
                case.sureness,
                places.files,
                title,
                places.functions,
                case.issue.gold_functions
            );
            if !is_right || n_shown > 10 {
                text += &case.shown(Question::Whole, weights, n_shown);
            }
        }
    }
    text
}
