//! Issues with the files and functions that their fixes changed.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::flags::Failure;

/// An issue and its right answer.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Issue {
    pub(crate) instance_id: String,
    pub(crate) repo: String,
    pub(crate) base_commit: String,
    pub(crate) problem_statement: String,
    pub(crate) gold_files: Vec<String>,
    /// `path:Class.method`.
    pub(crate) gold_functions: Vec<String>,
}

impl Issue {
    /// The first line: the title.
    pub(crate) fn title(&self) -> &str {
        let text = self.problem_statement.trim();
        text.split('\n').next().unwrap_or(text)
    }

    /// The text as a person would paste it.
    pub(crate) fn text(&self) -> String {
        self.problem_statement.replace('\0', " ").trim().to_owned()
    }
}

/// The issues of `issues.jsonl` in a folder, in order.
pub(crate) fn load(data: &Path) -> Result<Vec<Issue>, Failure> {
    let path = data.join("issues.jsonl");
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let issues: Result<Vec<Issue>, _> = lines.map(serde_json::from_str).collect();
    Ok(issues?)
}

/// A row of what others published for one issue.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Published {
    pub(crate) instance_id: String,
    /// Hits at 1, 3, 5 and 10; empty where none was published.
    pub(crate) hits: [Option<f64>; 4],
}

/// Published figures by method, of those scored against the same gold files; none where the folder has no table.
pub(crate) fn published(data: &Path) -> BTreeMap<String, Vec<Published>> {
    let text = std::fs::read_to_string(data.join("published.tsv")).unwrap_or_default();
    let mut rows = text.lines().filter(|line| !line.starts_with('#'));
    let head: Vec<&str> = rows.next().unwrap_or_default().split('\t').collect();
    let mut methods: BTreeMap<String, Vec<Published>> = BTreeMap::new();
    for row in rows {
        let cells: BTreeMap<&str, &str> = head.iter().copied().zip(row.split('\t')).collect();
        let cell = |name: &str| cells.get(name).copied().unwrap_or_default();
        if cell("gold") != "official" {
            continue;
        }
        let hits = ["acc1", "acc3", "acc5", "acc10"].map(|name| cell(name).parse().ok());
        let method = methods.entry(cell("method").to_owned()).or_default();
        method.push(Published {
            instance_id: cell("instance_id").to_owned(),
            hits,
        });
    }
    methods
}
