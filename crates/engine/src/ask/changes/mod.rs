//! Impact of a change: from changed lines to changed symbols, the flows through them, their dependants, and the risk.
//!
//! The index may be of the version before the change or after it. The lines of the diff tell which, file by file, so a
//! diff of work in progress fits an index built yesterday as well as one built a second ago. A file of which the index
//! knows neither version is marked *stale*.

pub(crate) mod patch;
mod touched;

use std::cmp::Reverse;

use graph::{Direction, NodeId, NodeKind, ProcessStep};
use rustc_hash::{FxHashMap, FxHashSet};
use source::FileId;

use crate::ask::impact::{IMPACT_KINDS, ImpactConfig, MAX_IMPACT_DEPTH, Reached, Tests, extent};
use crate::ask::risk::Risk;
use crate::{Error, ErrorKind, Reader};
pub use patch::{FilePatch, Hunk, Sign};
use syntax::order::InOrder;
pub use touched::{ChangeKind, ChangedSymbol};

/// A version of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileVersion<'a> {
    /// Its path.
    pub path: &'a str,
    /// Its text; `None` if there is no such file.
    pub text: Option<&'a str>,
}

/// Source of the changes.
#[derive(Debug, Clone, Copy)]
pub enum ChangeSource<'a> {
    /// A unified diff.
    Diff(&'a str),
    /// Files after the change; the versions before it are those of the index.
    After(&'a [FileVersion<'a>]),
    /// All files before the change and all files after it.
    Sets(&'a [FileVersion<'a>], &'a [FileVersion<'a>]),
}

/// How far a change is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangesConfig {
    /// Maximum number of steps to dependants, up to [`MAX_IMPACT_DEPTH`]; 0 for none.
    pub depth: u32,
    /// Minimum confidence in percent: relations below it are not followed.
    pub min_confidence: u8,
    /// How test code is treated.
    pub tests: Tests,
}

/// Status of a file in a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileStatus {
    /// The file is new.
    Added,
    /// Its text changed.
    Modified,
    /// The file was deleted.
    Deleted,
    /// Its path changed.
    Renamed,
}

/// Which version of a file the index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexSide {
    /// The version before the change.
    Old,
    /// The version after the change.
    New,
    /// Another version: line numbers may be off.
    Stale,
    /// No version.
    Absent,
}

/// A file in a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its path after the change; if it was deleted, its path before.
    pub path: String,
    /// Its path before the change, if that was another.
    pub old_path: Option<String>,
    /// Its status.
    pub status: FileStatus,
    /// Which version the index holds.
    pub side: IndexSide,
    /// Number of lines added.
    pub n_added: u32,
    /// Number of lines deleted.
    pub n_deleted: u32,
}

/// A flow with changed steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedProcess {
    /// The process.
    pub process: NodeId,
    /// Its changed steps, in order.
    pub steps: Vec<ProcessStep>,
}

/// A change in terms of the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// Sorted by path.
    pub files: Vec<ChangedFile>,
    /// Sorted by file and position.
    pub symbols: Vec<ChangedSymbol>,
    /// Flows with changed steps, those with the most changed steps first; flows of tests for [`Tests::Only`], else all
    /// others.
    pub processes: Vec<ChangedProcess>,
    /// Dependants of the changed symbols, by depth.
    pub dependants: Vec<Reached>,
    /// Risk of the change.
    pub risk: Risk,
}

impl Reader {
    /// Computes the effects of a change on the graph. Linear in the texts of the changed files and the relations within
    /// reach.
    ///
    /// # Errors
    ///
    /// `query.invalid` for a diff without files and for a depth out of bounds; `snapshot.without` where texts are
    /// compared with those of an index that has none.
    pub fn changes(
        &self,
        source: ChangeSource<'_>,
        config: &ChangesConfig,
    ) -> Result<Changes, Error> {
        if config.depth > MAX_IMPACT_DEPTH {
            let message = format!(
                "depth is {}; it can be 0 to {MAX_IMPACT_DEPTH}",
                config.depth
            );
            return Err(Error::new(ErrorKind::QueryInvalid, message));
        }
        let patches = self.patches(source)?;
        let (mut files, mut symbols) = (Vec::new(), Vec::new());
        for patch in &patches {
            let file = self.indexed(patch);
            let (side, mut touched) = match file {
                Some(file) => self.touched(file, patch),
                None => (IndexSide::Absent, Vec::new()),
            };
            files.push(changed_file(patch, side));
            symbols.append(&mut touched);
        }
        files.order_by(|a, b| a.path.cmp(&b.path));
        symbols.order_by_key(|symbol| symbol.node);
        symbols.dedup_by_key(|symbol| symbol.node);
        let nodes: Vec<NodeId> = symbols.iter().map(|symbol| symbol.node).collect();
        let processes = self.changed_processes(&nodes, config.tests);
        let mut dependants = self.spread(
            &nodes,
            &ImpactConfig {
                direction: Direction::In,
                depth: config.depth,
                min_confidence: config.min_confidence,
                kinds: IMPACT_KINDS.to_vec(),
                tests: config.tests,
            },
        );
        let all = nodes
            .iter()
            .copied()
            .chain(dependants.iter().map(|reached| reached.node));
        let n_communities = self.communities_of(all).len();
        let risk = extent(&dependants, processes.len(), n_communities).risk();
        if config.tests == Tests::Only {
            dependants.retain(|reached| reached.is_test);
        }
        Ok(Changes {
            files,
            symbols,
            processes,
            dependants,
            risk,
        })
    }

    fn patches(&self, source: ChangeSource<'_>) -> Result<Vec<FilePatch>, Error> {
        let mut patches = Vec::new();
        match source {
            ChangeSource::Diff(diff) => {
                patches = patch::parse(diff);
                if patches.is_empty() && !diff.trim().is_empty() {
                    return Err(Error::new(
                        ErrorKind::QueryInvalid,
                        "there is no file in the diff",
                    )
                    .with_help("give a unified diff, as `git diff` writes it"));
                }
            }
            ChangeSource::After(after) => {
                for version in after {
                    let path = source::clean_path(version.path).unwrap_or_default();
                    let before = match self.view().files().find(&path) {
                        Some(file) => Some(self.text(FileId(file))?),
                        None => None,
                    };
                    push_difference(&mut patches, &path, before, version.text);
                }
            }
            ChangeSource::Sets(before, after) => {
                let old: FxHashMap<&str, &str> = texts(before).collect();
                let new: FxHashMap<&str, &str> = texts(after).collect();
                let mut seen = FxHashSet::default();
                for (path, _) in texts(before).chain(texts(after)) {
                    if seen.insert(path) {
                        let (before, after) = (old.get(path).copied(), new.get(path).copied());
                        push_difference(&mut patches, path, before, after);
                    }
                }
            }
        }
        Ok(patches)
    }

    /// The file of the index that a patch changes.
    fn indexed(&self, patch: &FilePatch) -> Option<FileId> {
        let paths = [patch.old_path.as_deref(), patch.new_path.as_deref()];
        paths
            .into_iter()
            .flatten()
            .find_map(|path| self.view().files().find(path))
            .map(FileId)
    }

    fn changed_processes(&self, symbols: &[NodeId], tests: Tests) -> Vec<ChangedProcess> {
        let graph = self.graph();
        let mut steps: Vec<ProcessStep> = symbols
            .iter()
            .filter(|symbol| graph.kind(**symbol) == NodeKind::Symbol)
            .flat_map(|symbol| graph.processes_of(*symbol))
            .filter(|step| self.is_test_flow(step.process) == (tests == Tests::Only))
            .collect();
        steps.order_by_key(|step| (step.process, step.step));
        let mut processes: Vec<ChangedProcess> = steps
            .chunk_by(|a, b| a.process == b.process)
            .filter_map(|steps| {
                Some(ChangedProcess {
                    process: steps.first()?.process,
                    steps: steps.to_vec(),
                })
            })
            .collect();
        processes.order_by_key(|process| (Reverse(process.steps.len()), process.process));
        processes
    }
}

fn texts<'a>(versions: &'a [FileVersion<'a>]) -> impl Iterator<Item = (&'a str, &'a str)> {
    versions
        .iter()
        .filter_map(|version| Some((version.path, version.text?)))
}

fn push_difference(
    patches: &mut Vec<FilePatch>,
    path: &str,
    before: Option<&str>,
    after: Option<&str>,
) {
    if before != after {
        patches.push(patch::between(path, before, after));
    }
}

fn changed_file(patch: &FilePatch, side: IndexSide) -> ChangedFile {
    let count = |wanted: Sign| {
        let lines = patch.hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.filter(|(sign, _)| *sign == wanted).count() as u32
    };
    let (old, new) = (patch.old_path.as_deref(), patch.new_path.as_deref());
    ChangedFile {
        path: new.or(old).unwrap_or_default().to_owned(),
        old_path: old
            .filter(|old| new.is_some_and(|new| new != *old))
            .map(str::to_owned),
        status: match (old, new) {
            (None, _) => FileStatus::Added,
            (_, None) => FileStatus::Deleted,
            (Some(old), Some(new)) if old != new => FileStatus::Renamed,
            _ => FileStatus::Modified,
        },
        side,
        n_added: count(Sign::Added),
        n_deleted: count(Sign::Deleted),
    }
}
