//! Search over shards, which equals search over one index of all their files.
//!
//! 1. Each shard is surveyed: how often it has the terms of the query, and whether it has its names. From all surveys
//!    follows the [`GlobalPlan`](search::GlobalPlan).
//! 2. Each shard finds its best chunks, scored with the statistics of all. They get the numbers that they have in one
//!    index, and are merged.
//! 3. From there on it is the search of one index: ranking, folding, and the page, whose chunks are read in their shards.
//!
//! Definitions of the query's names, their uses and neighbours, and the graph's signals come from the joined graph.

use graph::NodeId;
use search::{
    Candidates, ChunkId, Explanation, GlobalPlan, Known, LexicalView, Part, Plan, Query, Raise,
    Scored, Signal, Signals, Survey,
};
use snapshot::{SectionKind, View};
use source::FileId;

use super::SearchQuery;
use super::plan::Planned;
use crate::ask::parts::ShardSource;
use crate::{Error, Index, Reader};

/// The numbers in the whole index of what a shard has.
struct Lift<'a> {
    shards: &'a dyn ShardSource,
    part: u16,
    own: View<'a>,
}

impl Lift<'_> {
    fn file(&self, own: FileId) -> Option<FileId> {
        let files = self.shards.joint().files_of(self.part);
        Some(FileId(files.get(own.index())?.to_native()))
    }

    fn hit(&self, hit: &Scored) -> Option<Scored> {
        let file = self.file(hit.file)?;
        let chunk = self.chunk(hit.chunk, hit.file, file)?;
        Some(Scored {
            chunk,
            file,
            ..*hit
        })
    }

    fn chunk(&self, chunk: ChunkId, own: FileId, file: FileId) -> Option<ChunkId> {
        let first = self.own.lexical().chunks_of(own).start;
        let chunks = self.shards.chunks().chunks_of(file);
        let lifted = chunks.start.checked_add(chunk.0.checked_sub(first)?)?;
        chunks.contains(&lifted).then_some(ChunkId(lifted))
    }

    fn part(&self, part: &Part) -> Part {
        let chunk = |chunk: &ChunkId| {
            let own = self.own.lexical().file_of(*chunk)?;
            self.chunk(*chunk, own, self.file(own)?)
        };
        let lifted = |chunks: &Vec<ChunkId>| chunks.iter().filter_map(chunk).collect();
        Part {
            found: part.found.iter().filter_map(|hit| self.hit(hit)).collect(),
            defining: part.defining.iter().map(lifted).collect(),
        }
    }
}

impl Reader {
    /// Asks every shard in turn.
    fn of_shards<T>(
        &self,
        question: impl Fn(u16, &Reader) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let Some(shards) = self.index().shards() else {
            return Ok(Vec::new());
        };
        let n_shards = shards.joint().n_parts() as u16;
        let ask = |part| shards.index(part)?.ask(|reader| question(part, reader));
        (0..n_shards).map(ask).collect()
    }

    pub(super) fn survey_shards(&self, plan: &Plan) -> Result<Survey, Error> {
        let own = |_, shard: &Reader| Ok(Survey::of(shard.view().words(), plan));
        let mut all = Survey::default();
        all.statistics.frequencies = vec![0; plan.terms.len()];
        for survey in self.of_shards(own)? {
            all.add(&survey);
        }
        Ok(all)
    }

    pub(super) fn have_vectors(&self) -> Result<bool, Error> {
        let own = |_, shard: &Reader| Ok(shard.snapshot().has(SectionKind::Vectors));
        Ok(self.of_shards(own)?.contains(&true))
    }

    pub(super) fn have_word(&self, name: &str) -> bool {
        let own = self.of_shards(|_, shard| Ok(shard.has_word(name)));
        own.is_ok_and(|own| own.contains(&true))
    }

    pub(super) fn candidates_in_shards(&self, planned: &Planned<'_>) -> Result<Candidates, Error> {
        let (query, subject) = (&planned.query, &planned.subject);
        let (related, raised) = (&planned.related, &subject.chunks);
        let parts = self.of_shards(|part, shard| {
            shard.check_conditions(&query.only)?;
            let (raised, related) = (
                self.own_chunks(part, raised),
                self.own_chunks(part, related),
            );
            let found = shard.scatter(query, &planned.global, &raised, &related);
            let lift = self.index().shards().map(|shards| Lift {
                shards,
                part,
                own: shard.view(),
            });
            Ok(lift.map(|lift| lift.part(&found)).unwrap_or_default())
        })?;
        let known = Known {
            raised,
            all_raised: !subject.users.is_empty(),
            related,
        };
        let global = planned.global.clone();
        Ok(self.with_measures(|centrality, cohesion| {
            let signals = Signals {
                values: &[
                    (Signal::Centrality, centrality),
                    (Signal::Cohesion, cohesion),
                ],
            };
            search::merge(global, parts, known, &signals, &query.config)
        }))
    }

    /// The candidates of this index as one of several shards; chunks have its own numbers.
    fn scatter(
        &self,
        query: &SearchQuery<'_>,
        global: &std::sync::Arc<GlobalPlan>,
        raised: &[ChunkId],
        related: &[ChunkId],
    ) -> Part {
        let keep = self.chunk_filter(query);
        let asked = Query {
            text: query.text,
            global: Some(global),
            vector: query.vector,
            signs: Some(self.sign_codes()),
            raise: Raise::InOrder(raised),
            related,
            keep: &keep,
        };
        let vectors = query.vector.and_then(|_| self.view().vectors());
        let intent = self.definition_intent(&global.plan);
        let signals = Signals {
            values: &[(Signal::DefinitionIntent, &intent)],
        };
        let view = self.view();
        let words = among(self.index(), view.words());
        Part::scatter(words, vectors, &asked, global, &signals, &query.config)
    }

    /// Those of some chunks that a shard has, by its own numbers.
    fn own_chunks(&self, part: u16, chunks: &[ChunkId]) -> Vec<ChunkId> {
        let Some(shards) = self.index().shards() else {
            return Vec::new();
        };
        let own = chunks.iter().filter_map(|&chunk| {
            let file = shards.chunks().file_of(chunk)?;
            let of = shards.joint().part_of_file.get(file.index())?;
            let chunk = (of.to_native() == part).then(|| self.part_of_chunk(chunk))?;
            Some(chunk?.1)
        });
        own.collect()
    }

    pub(super) fn main_in_shard(&self, chunk: ChunkId) -> Option<NodeId> {
        let (view, own, file) = self.part_of_chunk(chunk)?;
        let main = view.chunks().symbols.get(own.index())?.to_native();
        let own_file = view.lexical().file_of(own)?;
        let start = |offsets: &[rkyv::rend::u32_le], file: FileId| {
            offsets.get(file.index()).map(|start| start.to_native())
        };
        let within = main.checked_sub(start(&view.graph().symbol_offsets, own_file)?)?;
        let joint = self.index().shards()?.joint();
        let first = start(&joint.symbol_offsets, file)?;
        let end = start(&joint.symbol_offsets, FileId(file.0 + 1))?;
        let lifted = first.checked_add(within).filter(|node| *node < end)?;
        Some(NodeId(lifted))
    }

    pub(super) fn explained_in_shard(
        &self,
        query: &SearchQuery<'_>,
        global: &GlobalPlan,
        hit: &Scored,
    ) -> Option<Explanation> {
        let shards = self.index().shards()?;
        let (view, chunk, file) = self.part_of_chunk(hit.chunk)?;
        let part = shards.joint().part_of_file.get(file.index())?.to_native();
        let words = among(shards.index(part).ok()?, view.words());
        let own = Scored { chunk, ..*hit };
        Some(search::explain(words, global, &query.config, &own))
    }
}

/// The words of a shard, with lengths normalised by those of all shards.
fn among<'a>(index: &'a Index, words: LexicalView<'a>) -> LexicalView<'a> {
    match index.norms(words.columns) {
        Some(norms) => LexicalView { norms, ..words },
        None => words,
    }
}
