//! Accuracy of single calls, for languages where no compiler is asked: calls drawn at random and judged by
//! reading, as `tools/truth/sampled` has them.
//!
//! `calls --data DIR[,DIR…] --truth DIR [--languages a,b] [--verbose]`. DIR/NAME of `--data` is a checkout of a
//! repository of `repositories.tsv`, at its revision. `--verbose` lists every call that is answered wrongly.

mod score;
mod truth;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ::graph::frozen::ArchivedGraph;
use ::graph::{GraphView, NodeId, NodeKind};
use source::{FileId, FileSet, SourceConfig};
use syntax::facts::SymbolKind;

use crate::flags::{Failure, Flags};
use crate::{folder, graph};
use score::{Grade, Score};
use truth::{Call, Place, Repository};

/// Runs the bench.
pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let (data, folder) = (flags.path("data")?, flags.path("truth")?);
    let roots: Vec<PathBuf> = data
        .to_string_lossy()
        .split(',')
        .map(PathBuf::from)
        .collect();
    let wanted: Option<Vec<&str>> = flags.get("languages").map(|list| list.split(',').collect());
    let mut scores: BTreeMap<String, (Score, Vec<String>)> = BTreeMap::new();
    let mut absent = Vec::new();
    for repository in truth::repositories(&folder)? {
        if wanted
            .as_ref()
            .is_some_and(|list| !list.contains(&repository.language.as_str()))
        {
            continue;
        }
        let root = roots.iter().map(|root| root.join(&repository.name));
        let Some(root) = root.into_iter().find(|root| root.is_dir()) else {
            absent.push(repository.fetched_by());
            continue;
        };
        let calls = truth::calls(&folder, &repository)?;
        let (score, wrong) = score_of(&repository, &root, &calls)?;
        if flags.has("verbose") {
            wrong.iter().for_each(|line| println!("{line}"));
        }
        let entry = scores.entry(repository.language).or_default();
        entry.0.add(&score);
        entry.1.push(repository.name);
    }
    if !absent.is_empty() {
        let absent = format!(
            "not scored, since --data has none of these:\n  {}",
            absent.join("\n  ")
        );
        if scores.is_empty() {
            return Err(absent.into());
        }
        eprintln!("{absent}");
    }
    print!("{}", score::table(&scores));
    Ok(())
}

/// The score of one repository, and a line for each call that is answered wrongly.
fn score_of(
    repository: &Repository,
    root: &Path,
    calls: &[Call],
) -> Result<(Score, Vec<String>), Failure> {
    let files = FileSet::from_files(folder::read(root)?, &SourceConfig::default());
    let frozen = graph::build(&files, &graph::parse(&files));
    let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&frozen)?;
    let view = GraphView::new(rkyv::access::<ArchivedGraph, rkyv::rancor::Error>(&bytes)?);
    let ids: BTreeMap<&str, usize> = files
        .files
        .iter()
        .enumerate()
        .map(|(id, file)| (&*file.path, id))
        .collect();
    let mut score = Score::default();
    let mut wrong = Vec::new();
    for call in calls {
        let id = ids.get(call.place.file.as_str());
        let offset = id.and_then(|id| call.offset_in(&files.files[*id].text));
        let (Some(id), Some(offset)) = (id, offset) else {
            return Err(format!(
                "{}: {} has no {} there; check out revision {}",
                repository.name, call.place, call.name, repository.revision
            )
            .into());
        };
        let answer = answer_at(view, FileId(*id as u32), offset);
        let grade = grade(call, answer.as_ref());
        score.count(grade);
        if !grade.is_right() {
            let answer = answer.map_or_else(|| "nothing".to_owned(), |answer| answer.shown());
            let meant: Vec<String> = call.targets.iter().map(Place::to_string).collect();
            wrong.push(format!(
                "{} {} {}: {} is {}, answered {answer}",
                repository.language,
                repository.name,
                call.place,
                call.name,
                if meant.is_empty() {
                    "outside".to_owned()
                } else {
                    meant.join(" or ")
                },
            ));
        }
    }
    Ok((score, wrong))
}

/// The definition that the graph gives for a call.
#[derive(Debug)]
struct Answer {
    place: Place,
    name: String,
    /// The type of a constructor.
    of: Option<Place>,
    /// Definitions of the same name in the same type of the same file.
    overloads: Vec<Place>,
    rule: String,
}

impl Answer {
    fn shown(&self) -> String {
        format!("{} {} by {}", self.place, self.name, self.rule)
    }
}

/// The likeliest definition of the name at a byte, none where the graph says that it is outside or nothing.
fn answer_at(view: GraphView<'_>, file: FileId, offset: u32) -> Option<Answer> {
    let found = view.occurrence_at(file, offset)?;
    if found.start > offset || view.kind(found.target) != NodeKind::Symbol {
        return None;
    }
    let place = |id: NodeId| {
        let node = view.node(id);
        Place {
            file: node.file.map_or("", |file| view.path(file)).to_owned(),
            line: node.name_span.start_line + 1,
        }
    };
    let owner = |id: NodeId| {
        let parent = view.parent(id);
        parent.filter(|parent| view.kind(*parent) == NodeKind::Symbol)
    };
    let is_constructor = view.symbol_kind(found.target) == Some(SymbolKind::Constructor);
    let name = view.name(found.target);
    let owned_by = owner(found.target).map(|id| view.name(id));
    let overloads = view
        .file_of(found.target)
        .into_iter()
        .flat_map(|file| view.symbols_of(file))
        .filter(|&id| view.name(id) == name && owner(id).map(|id| view.name(id)) == owned_by);
    Some(Answer {
        place: place(found.target),
        name: name.to_owned(),
        of: owner(found.target).filter(|_| is_constructor).map(place),
        overloads: overloads.map(place).collect(),
        rule: format!("{} {}", found.reason.name(), found.confidence),
    })
}

/// Compares an answer with the truth. A constructor and its type are one; an overload beside the one that is meant
/// counts as right and not as exact.
fn grade(call: &Call, answer: Option<&Answer>) -> Grade {
    let Some(answer) = answer else {
        return if call.targets.is_empty() {
            Grade::Silent
        } else {
            Grade::Missed
        };
    };
    let is_exact = |target: &Place| *target == answer.place || answer.of.as_ref() == Some(target);
    if call.targets.is_empty() {
        Grade::Invented
    } else if call.targets.iter().any(is_exact) {
        Grade::Exact
    } else if call
        .targets
        .iter()
        .any(|target| answer.overloads.contains(target))
    {
        Grade::Overload
    } else {
        Grade::Wrong
    }
}

#[cfg(test)]
mod tests;
