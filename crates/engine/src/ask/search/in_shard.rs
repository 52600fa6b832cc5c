//! The part of a search that one shard answers: its survey, and its candidates with the numbers of its own files. A shard that is
//! elsewhere has the conditions of the search from the question ([`ShardQuery::conditions`]).

use std::sync::Arc;

use graph::NodeId;
use search::{
    ChunkId, ChunkPlace, Conditions, FoundChunk, GlobalPlan, LexicalView, MessageError, Part,
    Query, Raise, Scored, ShardPart, ShardQuery, Signal, Signals, Survey,
};
use source::FileId;

use super::SearchQuery;
use super::chunk_filter::ChunkConditions;
use crate::words::{kind_from_name, kind_name};
use crate::{Error, ErrorKind, Index, Reader};

impl Reader {
    /// Surveys this index as a shard: how often it has the terms of a query, and whether it has its names.
    #[must_use]
    pub fn survey_of(&self, text: &str) -> Survey {
        self.own_survey(&search::plan(text))
    }

    /// Finds the candidates of this index as a shard that is asked from elsewhere.
    ///
    /// # Errors
    ///
    /// `shard.message` where `asked` does not fit itself, `query.invalid` and `glob.syntax` for its filters, `query.unsupported`
    /// where the shard lacks what a filter reads.
    pub fn part(&self, asked: &ShardQuery) -> Result<ShardPart, Error> {
        let unread = |error: MessageError| {
            let message = format!("the question to a shard cannot be read: {}", error.fault());
            Error::new(ErrorKind::ShardMessage, message)
                .with_help("let the same version of Portolan ask and answer")
        };
        let global = asked.global().map_err(unread)?;
        let query = self.query_of(asked)?;
        self.part_of(&query, &Arc::new(global), asked)
    }

    /// The query whose conditions are those of a question.
    fn query_of<'a>(&self, asked: &'a ShardQuery) -> Result<SearchQuery<'a>, Error> {
        let conditions = &asked.conditions;
        let kinds = conditions.kinds.iter().map(|kind| kind_from_name(kind));
        Ok(SearchQuery {
            text: &asked.text,
            vector: (!asked.vector.is_empty()).then_some(&asked.vector),
            files: self.filter(&conditions.paths, &conditions.languages)?,
            kinds: kinds.collect::<Result<_, _>>()?,
            only: ChunkConditions {
                node_types: conditions.node_types.clone(),
                min_complexity: conditions.min_complexity,
                max_complexity: conditions.max_complexity,
            },
            config: conditions.config(),
            ..SearchQuery::default()
        })
    }

    /// As [`Reader::part`], of a query that is here.
    pub(super) fn part_of(
        &self,
        query: &SearchQuery<'_>,
        global: &Arc<GlobalPlan>,
        asked: &ShardQuery,
    ) -> Result<ShardPart, Error> {
        self.check_conditions(&query.only)?;
        Ok(self.part_where(query, global, asked, &self.chunk_filter(query)))
    }

    /// The candidates among the chunks that `keep` lets pass.
    pub(super) fn part_where(
        &self,
        query: &SearchQuery<'_>,
        global: &Arc<GlobalPlan>,
        asked: &ShardQuery,
        keep: &dyn Fn(ChunkId) -> bool,
    ) -> ShardPart {
        let own = |places: &[ChunkPlace]| -> Vec<ChunkId> {
            let places = places.iter();
            places.filter_map(|place| self.own_chunk(*place)).collect()
        };
        let (raised, related) = (own(&asked.raised), own(&asked.related));
        self.placed(&self.scatter(query, global, (&raised, &related), keep))
    }

    fn scatter(
        &self,
        query: &SearchQuery<'_>,
        global: &Arc<GlobalPlan>,
        (raised, related): (&[ChunkId], &[ChunkId]),
        keep: &dyn Fn(ChunkId) -> bool,
    ) -> Part {
        let asked = Query {
            text: query.text,
            global: Some(global),
            vector: query.vector,
            signs: Some(self.sign_codes()),
            raise: Raise::InOrder(raised),
            related,
            keep,
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

    fn own_chunk(&self, place: ChunkPlace) -> Option<ChunkId> {
        let chunks = self.view().lexical().chunks_of(FileId(place.file));
        let chunk = chunks.start.checked_add(place.within)?;
        chunks.contains(&chunk).then_some(ChunkId(chunk))
    }

    /// The candidates with their places instead of numbers.
    fn placed(&self, part: &Part) -> ShardPart {
        let lexical = self.view().lexical();
        let place = |chunk: &ChunkId| {
            let file = lexical.file_of(*chunk)?;
            let within = chunk.0.checked_sub(lexical.chunks_of(file).start)?;
            let file = file.0;
            Some(ChunkPlace { file, within })
        };
        let found = |hit: &Scored| {
            Some(FoundChunk {
                place: place(&hit.chunk)?,
                main: self.main_among_symbols(hit.chunk),
                lexical_score: hit.lexical_score,
                lexical_rank: hit.lexical_rank,
                vector_score: hit.vector_score,
                vector_rank: hit.vector_rank,
                signals: hit.signals,
                class: hit.class.bits(),
            })
        };
        let places = |chunks: &Vec<ChunkId>| chunks.iter().filter_map(place).collect();
        ShardPart {
            found: part.found.iter().filter_map(found).collect(),
            defining: part.defining.iter().map(places).collect(),
        }
    }

    /// The number, among the symbols of the shard, of the one that a chunk mainly consists of. Nodes are files, then folders, then
    /// symbols, so this needs no graph, which would be half of the memory of a shard.
    fn main_among_symbols(&self, chunk: ChunkId) -> Option<u32> {
        let NodeId(main) = self.main_symbol(chunk)?;
        let files = self.view().files();
        // The folder at the root has no node.
        let n_folders = files.folders.len().saturating_sub(1);
        let within = main.checked_sub((files.len() + n_folders) as u32)?;
        (main != u32::MAX).then_some(within)
    }
}

/// The conditions of a query whose layers are limited, as [`Reader::part`] takes them.
pub(super) fn conditions_of(query: &SearchQuery<'_>) -> Conditions {
    let (paths, languages) = query.files.made_from();
    let kinds = query.kinds.iter().map(|kind| kind_name(*kind).to_owned());
    Conditions {
        paths: paths.to_vec(),
        languages: languages.to_vec(),
        kinds: kinds.collect(),
        node_types: query.only.node_types.clone(),
        min_complexity: query.only.min_complexity,
        max_complexity: query.only.max_complexity,
        ..Conditions::of(&query.config)
    }
}

/// The words of a shard, with lengths normalised by those of all shards.
pub(super) fn among<'a>(index: &'a Index, words: LexicalView<'a>) -> LexicalView<'a> {
    match index.norms(words.columns) {
        Some(norms) => LexicalView { norms, ..words },
        None => words,
    }
}
