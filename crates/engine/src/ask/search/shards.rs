//! Search over shards that equals search over one index of all their files, in three rounds.
//!
//! 1. *Survey*: each shard says how often it has the terms of the query, and which definitions have its names. A [`Brief`]
//!    concludes from all of them.
//! 2. *Scatter*: each shard finds its best chunks, scored with the statistics of all. [`Page::gather`] merges and ranks
//!    them.
//! 3. *Show*: the shards of the hits on the page label them and cut their best lines.
//!
//! A shard that gives no answer is left out, and the answer says so. Uses and neighbours of definitions may be in other
//! shards; who knows the edges between shards adds them to the brief.

use std::sync::Arc;

use graph::NodeId;
use rustc_hash::FxHashMap;
use search::{
    ChunkId, GlobalPlan, Intent, Known, Lengths, LexicalView, Part, Ranked, Scored, ShardChunk,
    Survey,
};
use snapshot::SectionKind;
use source::FileId;

use super::show::{MAX_FOLDED, note};
use super::{Hit, SearchAnswer, SearchNote, SearchQuery, check_query, plan::MAX_NEAR, ranked};
use crate::ask::groups::groups;
use crate::ask::index::Norms;
use crate::ask::label::Labels;
use crate::ask::layers::{LayerChoice, SearchPlan};
use crate::ask::subject::{Named, Subject, SubjectUse, sort_uses};
use crate::{Error, Reader};

/// A node of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShardNode {
    /// Number of the shard.
    pub shard: u32,
    /// The node in its graph.
    pub node: NodeId,
}

/// A use of a definition that a query is about; its chunk is in the shard of its user.
pub type SymbolUse = SubjectUse<ShardNode, Option<ChunkId>>;

/// A definition with the name that a query is about; first its path, which orders definitions of several shards.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) path: String,
    pub(super) node: NodeId,
    pub(super) shard: u32,
    /// The chunk in which it begins.
    pub(super) head: Option<ChunkId>,
}

/// Answer of a shard to the first round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardSurvey {
    pub(super) words: Survey,
    pub(super) lengths: Lengths,
    pub(super) named: Vec<Named<Place>>,
    pub(super) is_whole_path: bool,
    pub(super) has_vectors: bool,
    pub(super) has_name: bool,
}

/// Answer of a shard to the second round.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found {
    pub(super) part: Part,
    /// Paths of the files of its chunks.
    pub(super) paths: Vec<(FileId, String)>,
}

/// Conclusions from the surveys of all shards, for the next rounds.
#[derive(Debug, Clone)]
pub struct Brief {
    pub(super) global: Arc<GlobalPlan>,
    pub(super) lengths: Lengths,
    /// Definitions of the subject, the most likely first.
    pub(super) nodes: Vec<ShardNode>,
    /// The definition in each chunk that uses the subject.
    pub(super) users: Vec<(ShardChunk, NodeId)>,
    pub(super) known: Known,
    pub(super) layers: SearchPlan,
    pub(super) has_vectors: bool,
    pub(super) has_name: bool,
}

impl Brief {
    /// Concludes from surveys, in the order of the shards; `None` for one that gave no answer. `project` is the name of all
    /// shards together.
    #[must_use]
    pub fn new(query: &SearchQuery<'_>, project: &str, surveys: &[Option<ShardSurvey>]) -> Self {
        let plan = search::plan(query.text);
        let given = || surveys.iter().flatten();
        let mut words = given().map(|survey| &survey.words);
        let mut all = words.next().cloned().unwrap_or_default();
        words.for_each(|survey| all.add(survey, MAX_NEAR));
        let mut lengths = Lengths::default();
        given().for_each(|survey| lengths.add(&survey.lengths));
        let named = named(surveys);
        let meant = match &plan.subject {
            Some(asked) => Named::meant(named, asked, plan.intent),
            None => Vec::new(),
        };
        let is_sure = plan.subject.as_ref().is_some_and(|asked| asked.is_sure);
        let raised = meant.iter().filter(|_| is_sure || meant.len() == 1);
        let raised = raised.filter_map(|named| {
            let (shard, chunk) = (named.of.shard, named.of.head?);
            Some(ShardChunk { shard, chunk })
        });
        let known = Known {
            raised: raised.collect(),
            ..Known::default()
        };
        let global = GlobalPlan::new(plan, project, all, &query.config);
        let mut brief = Self {
            known,
            nodes: meant
                .iter()
                .map(|named| ShardNode {
                    shard: named.of.shard,
                    node: named.of.node,
                })
                .collect(),
            global: Arc::new(global),
            lengths,
            users: Vec::new(),
            layers: SearchPlan::default(),
            has_vectors: given().any(|survey| survey.has_vectors),
            has_name: given().any(|survey| survey.has_name),
        };
        brief.choose_layers(query);
        brief
    }

    fn choose_layers(&mut self, query: &SearchQuery<'_>) {
        let choice = LayerChoice {
            query,
            global: &self.global,
            has_vectors: self.has_vectors,
            has_nodes: !self.nodes.is_empty(),
            has_users: !self.users.is_empty(),
        };
        self.layers = choice.plan();
    }

    /// Definitions whose uses answer the query, the most likely first: empty where it does not ask for uses. True if it asks for
    /// uses of any kind, else for calls.
    #[must_use]
    pub fn asks_for_uses(&self) -> (&[ShardNode], bool) {
        let plan = &self.global.plan;
        let any_use = plan.subject.as_ref().is_some_and(|asked| asked.any_use);
        match plan.intent {
            Intent::Callers => (&self.nodes, any_use),
            _ => (&[], false),
        }
    }

    /// Adds the uses, in the order in which one index has them.
    pub fn add_uses(&mut self, query: &SearchQuery<'_>, mut uses: Vec<SymbolUse>) {
        sort_uses(&mut uses);
        for used in uses {
            let shard = used.user.shard;
            let Some(chunk) = used.chunk.map(|chunk| ShardChunk { shard, chunk }) else {
                continue;
            };
            if self.users.iter().all(|(known, _)| *known != chunk) {
                self.users.push((chunk, used.user.node));
            }
        }
        if !self.users.is_empty() {
            self.known.raised = self.users.iter().map(|(chunk, _)| *chunk).collect();
            self.known.all_raised = true;
        }
        self.choose_layers(query);
    }

    /// Definitions whose neighbours in the graph are candidates; empty where the graph adds none.
    #[must_use]
    pub fn asks_for_neighbours(&self) -> &[ShardNode] {
        if self.layers.layers.has_graph() {
            &self.nodes
        } else {
            &[]
        }
    }

    /// Adds the chunks of these definitions and of their neighbours, in the order in which one index has them.
    pub fn add_related(&mut self, chunks: Vec<ShardChunk>) {
        self.known.related = chunks;
    }

    /// The query with nothing but its layers.
    fn limited<'q>(&self, query: &SearchQuery<'q>) -> SearchQuery<'q> {
        let mut query = query.clone();
        self.layers.layers.limit(&mut query.config);
        query
    }

    /// The subject as a shard has it.
    fn subject_in(&self, shard: u32) -> Subject {
        let of_shard = |chunks: &[ShardChunk]| -> Vec<ChunkId> {
            let own = chunks.iter().filter(|chunk| chunk.shard == shard);
            own.map(|chunk| chunk.chunk).collect()
        };
        let users = self.users.iter().filter(|(chunk, _)| chunk.shard == shard);
        let nodes = self.nodes.iter().filter(|node| node.shard == shard);
        Subject {
            nodes: nodes.map(|node| node.node).collect(),
            chunks: of_shard(&self.known.raised),
            users: users.map(|(chunk, node)| (chunk.chunk, *node)).collect(),
            are_uses: self.global.plan.intent == Intent::Callers,
            is_elsewhere: !self.nodes.is_empty(),
        }
    }
}

/// The definitions of all shards that have the name; where one has the whole path that was asked for, only its own.
fn named(surveys: &[Option<ShardSurvey>]) -> Vec<Named<Place>> {
    let given = || (0..).zip(surveys);
    let given = || given().filter_map(|(shard, survey)| Some((shard, survey.as_ref()?)));
    let is_whole = given().any(|(_, survey)| survey.is_whole_path);
    let meant = given().filter(|(_, survey)| survey.is_whole_path == is_whole);
    let named = meant.flat_map(|(shard, survey)| {
        survey.named.iter().cloned().map(move |mut named| {
            named.of.shard = shard;
            named
        })
    });
    named.collect()
}

/// The hits of a page, by their places in shards.
#[derive(Debug, Clone)]
pub struct Page {
    /// Each with its shard and the ranked chunks of one file in it, best first.
    pub groups: Vec<(u32, Vec<Scored>)>,
    total: usize,
    note: Option<SearchNote>,
    by_words: bool,
    by_meaning: bool,
}

/// The answer of several shards.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// As of one index; ids in a hit are those of its shard.
    pub answer: SearchAnswer,
    /// For each hit its shard.
    pub shards: Vec<u32>,
    /// Shards that gave no answer in time: hits in them are missing.
    pub missing: Vec<u32>,
}

impl Page {
    /// Merges what the shards found, in their order, and ranks it; `None` for one that gave no answer.
    ///
    /// # Errors
    ///
    /// As [`Reader::search`].
    pub fn gather(
        query: &SearchQuery<'_>,
        brief: &Brief,
        found: &[Option<Found>],
    ) -> Result<Self, Error> {
        let query = &brief.limited(query);
        let by_meaning = check_query(query, brief.has_vectors)?;
        let files = Files::new(found);
        let parts: Vec<Part> = found
            .iter()
            .map(|found| found.as_ref().map(|found| found.part.clone()))
            .map(Option::unwrap_or_default)
            .collect();
        let number = |shard, file| files.number(shard, file);
        let global = Arc::clone(&brief.global);
        let merged = search::merge(global, &parts, &brief.known, &number, &query.config);
        let ranked = ranked(&merged.candidates, query);
        let groups = groups(&ranked, query.grouped, &|file| files.path(file));
        let page = groups.iter().skip(query.offset).take(query.limit);
        let local = |group: &Vec<usize>| -> Option<(u32, Vec<Scored>)> {
            let group = group.iter().take(1 + MAX_FOLDED);
            let hits = group.filter_map(|at| local(&ranked, *at, &merged.origins, &files));
            let hits: Vec<(u32, Scored)> = hits.collect();
            let shard = hits.first()?.0;
            Some((shard, hits.into_iter().map(|(_, hit)| hit).collect()))
        };
        let mut subject = brief.subject_in(u32::MAX);
        // Which uses there are does not matter for a note, but that there are some.
        let users = brief.users.iter();
        subject.users = users.map(|(chunk, node)| (chunk.chunk, *node)).collect();
        Ok(Self {
            groups: page.filter_map(local).collect(),
            total: groups.len(),
            note: note(&ranked, &subject, &|| brief.has_name),
            by_words: query.config.lexical,
            by_meaning,
        })
    }

    /// The answer, with the hits that the shards show for [`Page::groups`]; `None` for one that a shard did not show.
    #[must_use]
    pub fn finish(self, brief: &Brief, hits: Vec<Option<Hit>>, missing: Vec<u32>) -> Shown {
        let shown = self.groups.iter().zip(hits);
        let shown = shown.filter_map(|((shard, _), hit)| Some((*shard, hit?)));
        let (shards, hits) = shown.unzip();
        Shown {
            answer: SearchAnswer {
                intent: brief.global.plan.intent,
                plan: brief.layers,
                by_words: self.by_words,
                by_meaning: self.by_meaning,
                total: self.total,
                hits,
                note: self.note,
            },
            shards,
            missing,
        }
    }
}

/// A hit with the ids of its shard.
fn local(
    ranked: &Ranked,
    at: usize,
    origins: &[ShardChunk],
    files: &Files<'_>,
) -> Option<(u32, Scored)> {
    let hit = ranked.hits.get(at)?;
    let ShardChunk { shard, chunk } = *origins.get(hit.chunk.index())?;
    let file = files.sorted.get(hit.file.index())?.2;
    Some((
        shard,
        Scored {
            chunk,
            file,
            ..*hit
        },
    ))
}

/// The files of all shards in path order.
struct Files<'f> {
    sorted: Vec<(&'f str, u32, FileId)>,
    numbers: FxHashMap<(u32, FileId), FileId>,
}

impl<'f> Files<'f> {
    fn new(found: &'f [Option<Found>]) -> Self {
        let mut sorted: Vec<(&str, u32, FileId)> = Vec::new();
        for (shard, found) in (0..).zip(found) {
            let paths = found.iter().flat_map(|found| &found.paths);
            sorted.extend(paths.map(|(file, path)| (path.as_str(), shard, *file)));
        }
        sorted.sort_unstable();
        let places = (0..).zip(&sorted);
        let numbers = places.map(|(at, (_, shard, file))| ((*shard, *file), FileId(at)));
        Self {
            numbers: numbers.collect(),
            sorted,
        }
    }

    fn number(&self, shard: u32, file: FileId) -> FileId {
        let known = self.numbers.get(&(shard, file));
        known.copied().unwrap_or(FileId(u32::MAX))
    }

    fn path(&self, file: FileId) -> &'f str {
        self.sorted.get(file.index()).map_or("", |(path, ..)| path)
    }
}

impl Reader {
    /// Answers the first round of a search over shards.
    ///
    /// # Errors
    ///
    /// `query.unsupported` for a condition on chunks that the snapshot cannot answer.
    pub fn survey(&self, query: &SearchQuery<'_>) -> Result<ShardSurvey, Error> {
        self.check_conditions(&query.only)?;
        let plan = search::plan(query.text);
        let subject = plan.subject.as_ref();
        let (named, is_whole_path) = subject
            .map(|asked| self.named_as(&asked.name))
            .unwrap_or_default();
        Ok(ShardSurvey {
            words: self.survey_words(&plan, named.is_empty(), &query.config),
            lengths: self.lengths(),
            named: named.into_iter().map(|named| self.placed(named)).collect(),
            is_whole_path,
            has_vectors: self.snapshot().has(SectionKind::Vectors),
            has_name: self.has_name(&plan),
        })
    }

    fn placed(&self, named: Named<NodeId>) -> Named<Place> {
        let file = self.graph().file_of(named.of);
        named.at(Place {
            path: file
                .map(|file| self.path(file).to_owned())
                .unwrap_or_default(),
            node: named.of,
            shard: 0,
            head: self.chunk_of_head(named.of),
        })
    }

    /// Answers the second round as shard number `shard`.
    #[must_use]
    pub fn scatter(&self, query: &SearchQuery<'_>, brief: &Brief, shard: u32) -> Found {
        let query = &brief.limited(query);
        let subject = brief.subject_in(shard);
        let related = brief.known.related.iter();
        let related = related.filter(|chunk| chunk.shard == shard);
        let related: Vec<ChunkId> = related.map(|chunk| chunk.chunk).collect();
        let keep = self.chunk_filter(query);
        let asked = self.asked(query, &brief.global, &subject, &related, &keep);
        let vectors = query.vector.and_then(|_| self.view().vectors());
        let norms = self.norms(&brief.lengths);
        let view = self.view();
        let words = LexicalView {
            norms: &norms,
            ..view.words()
        };
        let part = self.with_signals(&brief.global.plan, |signals| {
            Part::scatter(
                words,
                vectors,
                &asked,
                &brief.global,
                signals,
                &query.config,
            )
        });
        let mut paths: Vec<(FileId, String)> = Vec::new();
        for hit in &part.found {
            if paths.last().is_none_or(|(file, _)| *file != hit.file) {
                paths.push((hit.file, self.path(hit.file).to_owned()));
            }
        }
        Found { part, paths }
    }

    /// Answers the third round: shows hits of [`Page::groups`] that are in this shard.
    #[must_use]
    pub fn show(
        &self,
        query: &SearchQuery<'_>,
        brief: &Brief,
        shard: u32,
        groups: &[&[Scored]],
    ) -> Vec<Option<Hit>> {
        let query = &brief.limited(query);
        let subject = brief.subject_in(shard);
        let labels = Labels::new(self, &brief.global, &subject);
        let norms = self.norms(&brief.lengths);
        let view = self.view();
        let words = LexicalView {
            norms: &norms,
            ..view.words()
        };
        let shown = groups.iter().map(|group| {
            let group: Vec<&Scored> = group.iter().collect();
            self.hit(query, &brief.global, words, &labels, &group)
        });
        shown.collect()
    }

    fn lengths(&self) -> Lengths {
        let own = || self.view().lexical().lengths();
        match self.index().global() {
            Some(global) => *global.lengths.get_or_init(own),
            None => own(),
        }
    }

    /// The weights of fields among the chunks of all shards; kept until the shards change.
    fn norms(&self, all: &Lengths) -> Norms {
        let own = || -> Norms { Arc::new(self.view().lexical().norms_among(all)) };
        let Some(global) = self.index().global() else {
            return own();
        };
        let Ok(mut kept) = global.norms.lock() else {
            return own();
        };
        match &*kept {
            Some((lengths, norms)) if lengths == all => Arc::clone(norms),
            _ => {
                let norms = own();
                *kept = Some((*all, Arc::clone(&norms)));
                norms
            }
        }
    }
}
