//! Relevance on a public code-retrieval benchmark: NDCG@10 by its rules, overall, by category and language, with
//! ablations.
//!
//! `retrieval --data DIR --truth DIR [--out RUN.jsonl] [--repos a,b] [--fit] [--brief] [--verbose] [--lexical k1,…]
//! [--set conceptual.stem_terms=1,…] [--model DIR]`. DIR of `--data` holds one folder a repository, with
//! full paths from its root; DIR of `--truth` holds `annotations/NAME.json`, `repos.json` and, if published figures are to be shown
//! beside ours, `published.tsv`; DIR of `--model`, another static model than the one that ships.

mod fit;
mod guess;
pub(crate) mod index;
mod score;
mod tokens;
pub(crate) mod truth;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use search::{Candidates, Fusion, SearchConfig};

use crate::flags::{Failure, Flags};
use index::RepositoryIndex;
use truth::Task;

/// A repository with its index and its queries.
pub(crate) struct Repository {
    pub(crate) index: RepositoryIndex,
    pub(crate) tasks: Vec<Task>,
    pub(crate) vectors: Vec<Vec<f32>>,
}

pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let repositories = load(flags)?;
    if flags.has("fit") {
        let pull = flags.get("pull").map(str::parse).transpose()?;
        let mut start = SearchConfig::default();
        set(&mut start, flags.get("set").unwrap_or(""))?;
        print!("{}", fit::run(&repositories, &start, pull));
        return Ok(());
    }
    let mut config = SearchConfig::default();
    set(&mut config, flags.get("set").unwrap_or(""))?;
    let scores = evaluate(&repositories, &config);
    if flags.has("brief") {
        println!(
            "{:.4} {:.4} {:.4}",
            overall(scores.iter()),
            overall(
                evaluate(
                    &repositories,
                    &SearchConfig {
                        vector: false,
                        ..config.clone()
                    }
                )
                .iter()
            ),
            overall(
                evaluate(
                    &repositories,
                    &SearchConfig {
                        vector: false,
                        rerank: false,
                        ..config
                    }
                )
                .iter()
            )
        );
        return Ok(());
    }
    print!(
        "{}",
        report(
            &repositories,
            &scores,
            &truth::published(&flags.path("truth")?)
        )
    );
    print!("{}", guess::line(&repositories, &config));
    print!("{}", latency(&repositories, &config));
    print!("{}", tokens::table(&repositories, &config));
    print!("{}", ablations(&repositories, &config));
    if flags.has("verbose") {
        print!("{}", failures(&repositories, &scores, &config));
    }
    if let Some(out) = flags.get("out") {
        std::fs::write(out, run_lines(&repositories, &config))?;
    }
    Ok(())
}

/// Changes a configuration as told: `name=value`, with commas between.
fn set(config: &mut SearchConfig, changes: &str) -> Result<(), Failure> {
    for change in changes.split(',').filter(|change| !change.is_empty()) {
        let (name, value) = change.split_once('=').ok_or("--set wants name=value")?;
        config.set(name, value.parse()?)?;
    }
    Ok(())
}

fn load(flags: &Flags) -> Result<Vec<Repository>, Failure> {
    let (data, truth) = (flags.path("data")?, flags.path("truth")?);
    let wanted: Option<Vec<&str>> = flags.get("repos").map(|names| names.split(',').collect());
    let mut reader = index::Reader::new(flags.get("lexical"), flags.get("model").map(Path::new))?;
    let mut repositories = Vec::new();
    let started = Instant::now();
    for (name, language, tasks) in truth::load(&truth)? {
        if wanted
            .as_ref()
            .is_some_and(|wanted| !wanted.contains(&name.as_str()))
        {
            continue;
        }
        let index = reader.read(&data.join(&name), &name, &language)?;
        let vectors = tasks
            .iter()
            .map(|task| reader.embed(&task.query))
            .collect::<Result<_, _>>()?;
        repositories.push(Repository {
            index,
            tasks,
            vectors,
        });
    }
    let n_chunks: usize = repositories
        .iter()
        .map(|repository| repository.index.n_chunks)
        .sum();
    println!(
        "{} repositories, {n_chunks} chunks, read in {:.1} s ({})",
        repositories.len(),
        started.elapsed().as_secs_f64(),
        reader.times()
    );
    Ok(repositories)
}

/// NDCG@10 of every query, by repository.
fn evaluate(repositories: &[Repository], config: &SearchConfig) -> Vec<Vec<f64>> {
    repositories
        .iter()
        .map(|repository| {
            (0..repository.tasks.len())
                .map(|idx| score_task(repository, idx, config))
                .collect()
        })
        .collect()
}

fn score_task(repository: &Repository, idx: usize, config: &SearchConfig) -> f64 {
    let candidates = gather(repository, idx, config);
    let ranked = candidates.rank(config);
    score::ndcg(
        &repository.index.results(&ranked, 10),
        &repository.tasks[idx],
    )
}

pub(crate) fn gather(repository: &Repository, idx: usize, config: &SearchConfig) -> Candidates {
    let (task, vector) = (&repository.tasks[idx], &repository.vectors[idx]);
    repository.index.candidates(&task.query, vector, config)
}

/// Mean over repositories of the mean over their queries.
pub(crate) fn overall<'a>(scores: impl Iterator<Item = &'a Vec<f64>>) -> f64 {
    mean(scores.map(|scores| mean(scores.iter().copied())))
}

pub(crate) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0), |(sum, n), value| (sum + value, n + 1));
    if n == 0 { 0.0 } else { sum / f64::from(n) }
}

fn report(
    repositories: &[Repository],
    scores: &[Vec<f64>],
    published: &BTreeMap<String, BTreeMap<String, f64>>,
) -> String {
    let mut text = format!(
        "\nNDCG@10 {:.4} (mean of {} repositories)\n",
        overall(scores.iter()),
        repositories.len()
    );
    let mut by_category: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut by_language: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (repository, scores) in repositories.iter().zip(scores) {
        by_language
            .entry(&repository.index.language)
            .or_default()
            .push(mean(scores.iter().copied()));
        let mut own: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (task, &score) in repository.tasks.iter().zip(scores) {
            own.entry(&task.category).or_default().push(score);
        }
        for (category, scores) in own {
            by_category
                .entry(category)
                .or_default()
                .push(mean(scores.into_iter()));
        }
    }
    for (title, groups) in [("category", by_category), ("language", by_language)] {
        let cells: Vec<String> = groups
            .into_iter()
            .map(|(name, scores)| format!("{name} {:.3}", mean(scores.into_iter())))
            .collect();
        let _ = writeln!(text, "by {title}: {}", cells.join("  "));
    }
    let best = ["semble-hybrid", "coderankembed:hybrid"];
    for (repository, scores) in repositories.iter().zip(scores) {
        let _ = write!(
            text,
            "  {:<14}{:<12}{:.3}",
            repository.index.name,
            repository.index.language,
            mean(scores.iter().copied())
        );
        for tool in best {
            let figure = published
                .iter()
                .find(|(name, _)| name.starts_with(tool))
                .and_then(|(_, scores)| scores.get(&repository.index.name));
            let _ = write!(
                text,
                "  {tool} {}",
                figure.map_or_else(|| "–".to_owned(), |figure| format!("{figure:.3}"))
            );
        }
        text.push('\n');
    }
    text.push_str(&peers(repositories, published));
    text
}

/// The published scores of other tools on the same repositories.
fn peers(
    repositories: &[Repository],
    published: &BTreeMap<String, BTreeMap<String, f64>>,
) -> String {
    let mut text = String::new();
    let names: Vec<&str> = repositories
        .iter()
        .map(|repository| repository.index.name.as_str())
        .collect();
    let _ = writeln!(text, "published on the same repositories:");
    for (tool, scores) in published {
        let common: Vec<f64> = names
            .iter()
            .filter_map(|&name| scores.get(name))
            .copied()
            .collect();
        let _ = writeln!(
            text,
            "  {tool:<32}{:.4} ({})",
            mean(common.iter().copied()),
            common.len()
        );
    }
    text
}

/// Runs of each query; the fastest counts, since everything else on the machine only ever adds.
const N_RUNS: usize = 5;

fn latency(repositories: &[Repository], config: &SearchConfig) -> String {
    let mut times: Vec<(u128, String)> = Vec::new();
    for repository in repositories {
        for idx in 0..repository.tasks.len() {
            let run = || {
                let started = Instant::now();
                let ranked = gather(repository, idx, config).rank(config);
                std::hint::black_box(ranked.by_file());
                started.elapsed().as_micros()
            };
            let fastest = (0..N_RUNS).map(|_| run()).min().unwrap_or(0);
            let query = format!(
                "{} {:?}",
                repository.index.name, repository.tasks[idx].query
            );
            times.push((fastest, query));
        }
    }
    times.sort_unstable();
    let at = |share: usize| {
        times
            .get(times.len() * share / 100)
            .map_or(0, |(time, _)| *time)
    };
    let slowest = times.last().map_or("", |(_, query)| query);
    format!(
        "warm query, native, embedding excluded, fastest of {N_RUNS}: p50 {} µs, p99 {} µs, slowest {} µs ({slowest})\n",
        at(50),
        at(99),
        at(100).max(times.last().map_or(0, |(time, _)| *time))
    )
}

/// Weights at which a signal that is off as shipped is measured.
const WEIGHTS_OF_OFF: [f32; 4] = [0.05, 0.1, 0.2, 0.3];

/// The same with one part left out, or with a signal that is off.
fn ablations(repositories: &[Repository], config: &SearchConfig) -> String {
    let mut text = String::from("ablations:\n");
    let mut row = |name: &str, change: &dyn Fn(&mut SearchConfig)| {
        let mut changed = config.clone();
        change(&mut changed);
        let _ = writeln!(
            text,
            "  {name:<28}{:.4}",
            overall(evaluate(repositories, &changed).iter())
        );
    };
    row("all", &|_| {});
    row("words only", &|config| config.vector = false);
    row("meaning only", &|config| {
        (config.lexical, config.names) = (false, false)
    });
    row("no signals", &|config| config.rerank = false);
    row("words only, no signals", &|config| {
        (config.vector, config.rerank) = (false, false)
    });
    row("meaning only, no signals", &|config| {
        (config.lexical, config.names, config.rerank) = (false, false, false)
    });
    row("fusion by rank (k = 60)", &|config| {
        config.fusion = Fusion::Rrf
    });
    row("fusion by score", &|config| {
        config.fusion = Fusion::Weighted
    });
    row("no penalties", &|config| config.penalties.clear());
    for knob in ["joined_words", "folded_definition"] {
        row(&format!("without {knob}"), &|config| {
            config.set(knob, 0.0).unwrap_or_default();
        });
    }
    row("project's name as any word", &|config| {
        config.project_name = 1.0
    });
    for signal in search::Signal::ALL {
        let is_off =
            config.symbol.signals[signal] == 0.0 && config.conceptual.signals[signal] == 0.0;
        let weights: &[f32] = if is_off { &WEIGHTS_OF_OFF } else { &[0.0] };
        for &weight in weights {
            let name = match weight {
                0.0 => format!("without {}", signal.name()),
                weight => format!("{} at {weight}", signal.name()),
            };
            row(&name, &|config| {
                config.symbol.signals[signal] = weight;
                config.conceptual.signals[signal] = weight;
            });
        }
    }
    for (idx, penalty) in config.penalties.iter().enumerate() {
        row(&format!("without {}", penalty.name), &|config| {
            config.penalties[idx].factor = 1.0
        });
    }
    text
}

/// Queries that are answered badly, with what came first instead.
fn failures(repositories: &[Repository], scores: &[Vec<f64>], config: &SearchConfig) -> String {
    let mut text = String::new();
    for (repository, scores) in repositories.iter().zip(scores) {
        for (idx, &score) in scores.iter().enumerate().filter(|&(_, &score)| score < 0.7) {
            let task = &repository.tasks[idx];
            let ranked = gather(repository, idx, config).rank(config);
            let results = repository.index.results(&ranked, 5);
            let _ = writeln!(
                text,
                "{} {score:.2} [{}] {:?}",
                repository.index.name, task.category, task.query
            );
            let _ = writeln!(
                text,
                "   wanted {}",
                task.targets
                    .iter()
                    .map(|target| target.path.as_str())
                    .collect::<Vec<_>>()
                    .join(" ")
            );
            for (result, file) in results.iter().zip(ranked.by_file()) {
                let hit = &ranked.hits[file.hits[0]];
                let signals: Vec<String> = search::Signal::ALL
                    .iter()
                    .zip(hit.signals)
                    .filter(|(_, value)| *value > 0.0)
                    .map(|(signal, value)| format!("{} {value:.2}", signal.name()))
                    .collect();
                let _ = writeln!(
                    text,
                    "   {:.3} fused {:.3} lexical {:.2} vector {:.2} {}:{} {}",
                    hit.score,
                    hit.fused_score,
                    hit.lexical_score,
                    hit.vector_score.unwrap_or(0.0),
                    result.path,
                    result.start_line,
                    signals.join(", ")
                );
            }
        }
    }
    text
}

/// The run in the benchmark's own format, one query a line.
fn run_lines(repositories: &[Repository], config: &SearchConfig) -> String {
    let mut lines = String::new();
    for repository in repositories {
        for (idx, task) in repository.tasks.iter().enumerate() {
            let ranked = gather(repository, idx, config).rank(config);
            let results = repository.index.results(&ranked, 10);
            let line = serde_json::json!({"repo": repository.index.name, "query": task.query, "results": results});
            lines.push_str(&line.to_string());
            lines.push('\n');
        }
    }
    lines
}
