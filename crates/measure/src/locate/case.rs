//! An issue with all that was found for it, and the places of the right answers in a ranking.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use embed::{Embedder, StaticEmbedder};
use engine::{
    Clue, FileId, LocateEvidence, LocateQuery, LocateWeights, N_SIGNS, NodeId, Reader, Together,
};

use super::issues::Issue;
use crate::flags::Failure;

/// The part of an issue that is asked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    Whole,
    Title,
}

/// An issue, asked.
pub(crate) struct Case {
    pub(crate) issue: Issue,
    pub(crate) whole: LocateEvidence,
    pub(crate) title: LocateEvidence,
    /// Milliseconds of the question with the whole text, the second time.
    pub(crate) millis: f64,
    pub(crate) n_files: usize,
    /// Tokens of the answer within the default budget.
    pub(crate) n_tokens: u32,
    /// How sure the answer is, and that to the issue of another repository.
    pub(crate) sureness: f32,
    pub(crate) foreign: f32,
    /// The signs that these were told from.
    pub(crate) signs: [[f32; N_SIGNS]; 2],
    /// Right files; none for one that the index lacks.
    gold_files: Vec<Option<FileId>>,
    /// Right functions as numbers of names.
    gold_functions: Vec<Option<usize>>,
    /// Paths of what was found.
    paths: BTreeMap<FileId, String>,
    /// Number of each function's name: overloads are one.
    names: BTreeMap<NodeId, usize>,
}

/// Places from 0; none for what is not found.
pub(crate) struct Places {
    pub(crate) files: Vec<Option<usize>>,
    pub(crate) functions: Vec<Option<usize>>,
}

impl Case {
    /// Asks the index of an issue, and with the text of `foreign`, an issue of another repository.
    pub(crate) fn new(
        issue: &Issue,
        foreign: &Issue,
        reader: &Reader,
        embedder: Option<&StaticEmbedder>,
        weights: &LocateWeights,
        together: Option<Together<'_>>,
    ) -> Result<Self, Failure> {
        let text = issue.text();
        let whole = evidence(reader, &text, embedder, weights, together)?;
        let title = evidence(reader, issue.title(), embedder, weights, together)?;
        let (vectors, query) = query(&text, embedder, weights)?;
        let query = with_vectors(&query, &vectors, together);
        let started = Instant::now();
        let answer = reader.locate(&query)?;
        let millis = started.elapsed().as_secs_f64() * 1_000.0;
        let foreign_text = foreign.text();
        let (vectors, foreign_query) = self::query(&foreign_text, embedder, weights)?;
        let foreign_query = with_vectors(&foreign_query, &vectors, together);
        let other = reader.locate(&foreign_query)?;
        let other_evidence = reader.locate_evidence(&foreign_query)?;
        let request = api::LocateRequest {
            text: text.clone(),
            ..api::LocateRequest::default()
        };
        let embed = |text: &str| Ok(embedder.and_then(|embedder| embedder.embed(&[text]).ok()));
        let packed = api::answer::locate(reader, &request, &embed);
        let packed = packed.map_err(|error| error.message)?;
        let (gold_functions, names) = functions(issue, reader, [&whole, &title], weights);
        Ok(Self {
            gold_files: issue
                .gold_files
                .iter()
                .map(|path| reader.file(path).ok())
                .collect(),
            issue: issue.clone(),
            millis,
            n_files: reader.n_files(),
            n_tokens: packed.n_tokens,
            sureness: answer.sureness,
            foreign: other.sureness,
            signs: [whole.signs(weights), other_evidence.signs(weights)],
            gold_functions,
            paths: paths(reader, &whole, weights),
            whole,
            title,
            names,
        })
    }

    pub(crate) fn evidence(&self, question: Question) -> &LocateEvidence {
        match question {
            Question::Whole => &self.whole,
            Question::Title => &self.title,
        }
    }

    /// The first `n` files and the right ones with the values of their clues, a line each.
    pub(crate) fn shown(&self, question: Question, weights: &LocateWeights, n: usize) -> String {
        let evidence = self.evidence(question);
        let mut text = String::new();
        for (place, (file, score)) in evidence.files(weights).into_iter().enumerate() {
            let is_right = self.gold_files.contains(&Some(file));
            if place >= n && !is_right {
                continue;
            }
            let values = evidence.values_of(file).unwrap_or_default();
            let values = Clue::ALL
                .into_iter()
                .zip(values)
                .filter(|(_, value)| *value > 0.0);
            let values: Vec<String> = values
                .map(|(clue, value)| format!("{} {value:.2}", clue.name()))
                .collect();
            let path = self.paths.get(&file).map_or("", String::as_str);
            let mark = if is_right { "*" } else { " " };
            text += &format!(
                "  {mark} {place} {score:.2} {path}: {}\n",
                values.join(", ")
            );
        }
        text
    }

    /// Places of the right files.
    pub(crate) fn file_places(
        &self,
        question: Question,
        weights: &LocateWeights,
    ) -> Vec<Option<usize>> {
        let ranked = self.evidence(question).files(weights);
        let place = |gold: &Option<FileId>| {
            gold.and_then(|gold| ranked.iter().position(|(file, _)| *file == gold))
        };
        self.gold_files.iter().map(place).collect()
    }

    /// Places of the right files and functions.
    pub(crate) fn places(&self, question: Question, weights: &LocateWeights) -> Places {
        let mut order: Vec<usize> = Vec::new();
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        for (node, _) in self.evidence(question).functions(weights) {
            let name = self.names.get(&node).copied().unwrap_or(usize::MAX);
            if seen.insert(name) {
                order.push(name);
            }
        }
        let place = |gold: &Option<usize>| {
            gold.and_then(|gold| order.iter().position(|name| *name == gold))
        };
        Places {
            files: self.file_places(question, weights),
            functions: self.gold_functions.iter().map(place).collect(),
        }
    }
}

fn paths(
    reader: &Reader,
    evidence: &LocateEvidence,
    weights: &LocateWeights,
) -> BTreeMap<FileId, String> {
    let files = evidence.files(weights).into_iter();
    files
        .map(|(file, _)| (file, reader.path(file).to_owned()))
        .collect()
}

/// Vectors of title and prose, where there is a model.
type Vectors = (Option<Vec<f32>>, Option<Vec<f32>>);

fn query<'a>(
    text: &'a str,
    embedder: Option<&StaticEmbedder>,
    weights: &LocateWeights,
) -> Result<(Vectors, LocateQuery<'a>), Failure> {
    let (title, spoken) = LocateQuery::spoken(text);
    let vector = |text: &str| match embedder.filter(|_| !text.trim().is_empty()) {
        Some(embedder) => embedder.embed(&[text]).map(Some),
        None => Ok(None),
    };
    let query = LocateQuery {
        text,
        limit: 10,
        function_limit: 10,
        weights: *weights,
        ..LocateQuery::default()
    };
    Ok(((vector(&title)?, vector(&spoken)?), query))
}

fn with_vectors<'a>(
    query: &LocateQuery<'a>,
    vectors: &'a Vectors,
    together: Option<Together<'a>>,
) -> LocateQuery<'a> {
    LocateQuery {
        together,
        title_vector: vectors.0.as_deref(),
        prose_vector: vectors.1.as_deref(),
        ..query.clone()
    }
}

fn evidence(
    reader: &Reader,
    text: &str,
    embedder: Option<&StaticEmbedder>,
    weights: &LocateWeights,
    together: Option<Together<'_>>,
) -> Result<LocateEvidence, Failure> {
    let (vectors, query) = query(text, embedder, weights)?;
    Ok(reader.locate_evidence(&with_vectors(&query, &vectors, together))?)
}

/// Numbers of the right functions' names, and of those that were found.
fn functions(
    issue: &Issue,
    reader: &Reader,
    found: [&LocateEvidence; 2],
    weights: &LocateWeights,
) -> (Vec<Option<usize>>, BTreeMap<NodeId, usize>) {
    let graph = reader.graph();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut names: BTreeMap<NodeId, usize> = BTreeMap::new();
    for (node, _) in found
        .into_iter()
        .flat_map(|evidence| evidence.functions(weights))
    {
        let path = graph.file_of(node).map_or("", |file| reader.path(file));
        let name = format!("{path}:{}", graph.qualified_name(node));
        let next = numbers.len();
        let number = *numbers.entry(name).or_insert(next);
        names.insert(node, number);
    }
    let gold = issue
        .gold_functions
        .iter()
        .map(|gold| numbers.get(gold).copied());
    (gold.collect(), names)
}
