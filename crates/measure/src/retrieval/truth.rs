//! Queries and the files that answer them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::flags::Failure;

/// A query and what answers it.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) query: String,
    pub(crate) category: String,
    pub(crate) targets: Vec<Target>,
}

/// A file that answers, or lines of it (1-based, inclusive).
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) path: String,
    pub(crate) lines: Option<(u32, u32)>,
}

#[derive(Deserialize)]
struct RawRepository {
    name: String,
    language: String,
}

#[derive(Deserialize)]
struct RawTask {
    query: String,
    category: Option<String>,
    #[serde(default)]
    relevant: Vec<RawTarget>,
    #[serde(default)]
    secondary: Vec<RawTarget>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawTarget {
    Path(String),
    Span {
        path: String,
        start_line: Option<u32>,
        end_line: Option<u32>,
    },
}

/// Name, language and queries of every repository, by name.
pub(crate) fn load(truth: &Path) -> Result<Vec<(String, String, Vec<Task>)>, Failure> {
    let mut repositories: Vec<RawRepository> =
        serde_json::from_slice(&std::fs::read(truth.join("repos.json"))?)?;
    repositories.sort_by(|a, b| a.name.cmp(&b.name));
    let mut loaded = Vec::new();
    for repository in repositories {
        let path = truth
            .join("annotations")
            .join(format!("{}.json", repository.name));
        let raw: Vec<RawTask> = serde_json::from_slice(&std::fs::read(path)?)?;
        loaded.push((
            repository.name,
            repository.language,
            raw.into_iter().map(Task::from).collect(),
        ));
    }
    Ok(loaded)
}

impl From<RawTask> for Task {
    fn from(raw: RawTask) -> Task {
        let category = raw
            .category
            .unwrap_or_else(|| inferred_category(&raw.query).to_owned());
        let targets = raw
            .relevant
            .into_iter()
            .chain(raw.secondary)
            .map(Target::from)
            .collect();
        Task {
            query: raw.query,
            category,
            targets,
        }
    }
}

impl From<RawTarget> for Target {
    fn from(raw: RawTarget) -> Target {
        match raw {
            RawTarget::Path(path) => Target { path, lines: None },
            RawTarget::Span {
                path,
                start_line,
                end_line,
            } => Target {
                path,
                lines: start_line.zip(end_line),
            },
        }
    }
}

/// As the benchmark does where a query names none.
fn inferred_category(query: &str) -> &'static str {
    if !query.trim().contains(' ') {
        "symbol"
    } else if query.to_lowercase().starts_with("how ") {
        "architecture"
    } else {
        "semantic"
    }
}

/// Published figures: tool → repository → NDCG@10; empty if there is no such file.
pub(crate) fn published(truth: &Path) -> BTreeMap<String, BTreeMap<String, f64>> {
    let table = std::fs::read_to_string(truth.join("published.tsv")).unwrap_or_default();
    let mut figures: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        if let [tool, _, repository, _, ndcg, ..] = cells[..]
            && let Ok(ndcg) = ndcg.parse()
        {
            figures
                .entry(tool.to_owned())
                .or_default()
                .insert(repository.to_owned(), ndcg);
        }
    }
    figures
}
