//! Search over shards, which equals search over one index of all their files.
//!
//! 1. Each shard is surveyed: how often it has the terms of the query, and whether it has its names. From all surveys
//!    follows the [`GlobalPlan`](search::GlobalPlan).
//! 2. Each shard finds its best chunks, scored with the statistics of all. They get the numbers that they have in one
//!    index, and are merged.
//! 3. From there on it is the search of one index: ranking, folding, and the page, whose chunks are read in their shards.
//!
//! Both rounds are asked of a shard that is elsewhere, or answered here. Definitions of the query's names, their uses and
//! neighbours, and the graph's signals come from the joined graph.

use std::sync::Arc;

use graph::NodeId;
use rustc_hash::FxHashMap;
use search::{
    Candidates, ChunkId, ChunkPlace, Explanation, GlobalPlan, Known, Part, PathClass, Plan, Scored,
    ShardPart, ShardQuery, Signal, Signals, Survey,
};
use source::FileId;

use super::SearchQuery;
use super::in_shard::{among, conditions_of};
use super::plan::Planned;
use crate::ask::parts::{Held, ShardSource};
use crate::ask::subject::Subject;
use crate::{Error, Reader};

/// Finds the candidates of a shard.
type FindIn<'a> = &'a dyn Fn(&dyn ShardSource, u16, &ShardQuery) -> Result<ShardPart, Error>;

impl Reader {
    pub(super) fn survey_shards(&self, text: &str, plan: &Plan) -> Result<Survey, Error> {
        let mut all = Survey::nothing(plan);
        let Some(shards) = self.index().shards() else {
            return Ok(all);
        };
        for part in 0..shards.joint().n_parts() as u16 {
            match shards.survey(part, text) {
                Held::Away(survey) => all.add(&survey.unwrap_or_default()),
                Held::Here => {
                    let own = |shard: &Reader| Ok::<_, Error>(shard.own_survey(plan));
                    all.add(&shards.index(part)?.ask(own)?);
                }
            }
        }
        Ok(all)
    }

    pub(super) fn candidates_in_shards(&self, planned: &Planned<'_>) -> Result<Candidates, Error> {
        let (query, global) = (&planned.query, &planned.global);
        let (subject, related) = (&planned.subject, &planned.related);
        self.merged(
            query,
            global,
            subject,
            related,
            &|shards, part, asked| match shards.find(part, asked) {
                Held::Away(found) => Ok(found.unwrap_or_default()),
                Held::Here => {
                    let own = |shard: &Reader| shard.part_of(query, global, asked);
                    shards.index(part)?.ask(own)
                }
            },
        )
    }

    /// Merges the candidates that `find` has of each shard.
    pub(super) fn merged(
        &self,
        query: &SearchQuery<'_>,
        global: &Arc<GlobalPlan>,
        subject: &Subject,
        related: &[ChunkId],
        find: FindIn<'_>,
    ) -> Result<Candidates, Error> {
        let raised = &subject.chunks;
        let mut mains = FxHashMap::default();
        let mut parts = Vec::new();
        if let Some(shards) = self.index().shards() {
            let mut asked = ShardQuery {
                lengths: shards.chunks().lengths(),
                conditions: conditions_of(query),
                vector: query.vector.unwrap_or_default().to_vec(),
                ..ShardQuery::of(query.text, global)
            };
            for part in 0..shards.joint().n_parts() as u16 {
                asked.raised = places(shards, part, raised);
                asked.related = places(shards, part, related);
                let found = find(shards, part, &asked)?;
                parts.push(Lift::of(shards, part).part(&found, &mut mains));
            }
        }
        let known = Known {
            raised,
            all_raised: !subject.users.is_empty(),
            related,
        };
        let global = Arc::clone(global);
        let main = |chunk: ChunkId| mains.get(&chunk).copied();
        Ok(self.with_measures(&main, |centrality, cohesion| {
            let signals = Signals {
                values: &[
                    (Signal::Centrality, centrality),
                    (Signal::Cohesion, cohesion),
                ],
            };
            search::merge(global, parts, known, &signals, &query.config)
        }))
    }

    pub(super) fn main_in_shard(&self, chunk: ChunkId) -> Option<NodeId> {
        let (view, own, file) = self.part_of_chunk(chunk)?;
        let main = view.chunks().symbols.get(own.index())?.to_native();
        let own_file = view.lexical().file_of(own)?;
        let start = view.graph().symbol_offsets.get(own_file.index())?;
        let within = main.checked_sub(start.to_native())?;
        symbol_of_file(self.index().shards()?, file, within)
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

/// Those of some chunks that a shard has, by their places in it.
fn places(shards: &dyn ShardSource, part: u16, chunks: &[ChunkId]) -> Vec<ChunkPlace> {
    let (joint, table) = (shards.joint(), shards.chunks());
    let place = |chunk: &ChunkId| {
        let file = table.file_of(*chunk)?;
        let of = joint.part_of_file.get(file.index())?.to_native();
        let files = joint.files_of(part);
        let own = files.binary_search_by_key(&file.0, |other| other.to_native());
        let within = chunk.0.checked_sub(table.chunks_of(file).start)?;
        let file = own.ok().filter(|_| of == part)? as u32;
        Some(ChunkPlace { file, within })
    };
    chunks.iter().filter_map(place).collect()
}

/// The symbol of this number among those of a file.
fn symbol_of_file(shards: &dyn ShardSource, file: FileId, within: u32) -> Option<NodeId> {
    let offsets = &shards.joint().symbol_offsets;
    let start = |file: usize| offsets.get(file).map(|start| start.to_native());
    let lifted = start(file.index())?.checked_add(within)?;
    (lifted < start(file.index() + 1)?).then_some(NodeId(lifted))
}

/// The numbers in the whole index of what a shard has found.
struct Lift<'a> {
    shards: &'a dyn ShardSource,
    part: u16,
    /// For each file of the shard: how many symbols of the shard come before those of the file.
    first_symbols: Vec<u32>,
}

impl<'a> Lift<'a> {
    /// Linear in the files of the shard.
    fn of(shards: &'a dyn ShardSource, part: u16) -> Self {
        let joint = shards.joint();
        let symbols_before = |file: usize| {
            let start = joint.symbol_offsets.get(file);
            start.map_or(0, |start| start.to_native())
        };
        let mut n_symbols = 0_u32;
        let files = joint.files_of(part).iter();
        let first_symbols = files.map(|file| {
            let file = file.to_native() as usize;
            let first = n_symbols;
            let n_own = symbols_before(file + 1).wrapping_sub(symbols_before(file));
            n_symbols = n_symbols.wrapping_add(n_own);
            first
        });
        Self {
            shards,
            part,
            first_symbols: first_symbols.collect(),
        }
    }

    /// The symbol with this number among those of the shard, if it is in the file with this place in the shard.
    fn symbol(&self, place: u32, file: FileId, number: u32) -> Option<NodeId> {
        let first = self.first_symbols.get(place as usize)?;
        symbol_of_file(self.shards, file, number.checked_sub(*first)?)
    }

    fn chunk(&self, place: ChunkPlace) -> Option<(ChunkId, FileId)> {
        let files = self.shards.joint().files_of(self.part);
        let file = FileId(files.get(place.file as usize)?.to_native());
        let chunks = self.shards.chunks().chunks_of(file);
        let chunk = chunks.start.checked_add(place.within)?;
        chunks.contains(&chunk).then_some((ChunkId(chunk), file))
    }

    /// The candidates with the numbers of one index; `mains` takes the symbol that each mainly consists of.
    fn part(&self, part: &ShardPart, mains: &mut FxHashMap<ChunkId, NodeId>) -> Part {
        let mut found = Vec::with_capacity(part.found.len());
        for hit in &part.found {
            let Some((chunk, file)) = self.chunk(hit.place) else {
                continue;
            };
            let main = hit.main;
            let main = main.and_then(|number| self.symbol(hit.place.file, file, number));
            mains.extend(main.map(|main| (chunk, main)));
            found.push(Scored {
                chunk,
                file,
                score: 0.0,
                lexical_score: hit.lexical_score,
                lexical_rank: hit.lexical_rank,
                vector_score: hit.vector_score,
                vector_rank: hit.vector_rank,
                fused_score: 0.0,
                signals: hit.signals,
                class: PathClass::from_bits_retain(hit.class),
                raised: 0.0,
                raised_as: "",
            });
        }
        let lifted = |places: &Vec<ChunkPlace>| {
            let chunks = places.iter().filter_map(|place| self.chunk(*place));
            chunks.map(|(chunk, _)| chunk).collect()
        };
        Part {
            found,
            defining: part.defining.iter().map(lifted).collect(),
        }
    }
}
