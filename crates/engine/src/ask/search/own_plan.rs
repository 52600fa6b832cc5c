//! A search by a plan that does not follow from the text of its query, so that a shard elsewhere could not make it: all shards are asked
//! here.

use std::sync::Arc;

use search::{Candidates, ChunkId, GlobalPlan, Plan, ShardPart, ShardQuery, Survey};
use source::FileId;

use super::SearchQuery;
use crate::ask::parts::ShardSource;
use crate::ask::subject::Subject;
use crate::{Error, Reader};

/// Whether a file may answer.
pub(crate) type KeepFile<'a> = &'a dyn Fn(FileId) -> bool;

impl Reader {
    /// The candidates of a plan, in files that may answer. Of the query only vector and weights count.
    ///
    /// # Errors
    ///
    /// Where a shard cannot be read.
    pub(crate) fn candidates_of_plan(
        &self,
        query: &SearchQuery<'_>,
        plan: Plan,
        subject: &Subject,
        keep: KeepFile<'_>,
    ) -> Result<Candidates, Error> {
        let survey = self.survey_here(&plan)?;
        let global = self.global_plan(plan, survey, false, &query.config);
        if self.index().shards().is_none() {
            let keep = |chunk: ChunkId| self.file_of_chunk(chunk).is_some_and(keep);
            return Ok(self.candidates_where(query, &global, subject, &[], &keep));
        }
        self.merged(query, &global, subject, &[], &|shards, part, asked| {
            found_here(shards, part, (query, &global, asked), keep)
        })
    }

    /// How often the index, or all its shards, have the terms of a plan.
    fn survey_here(&self, plan: &Plan) -> Result<Survey, Error> {
        let Some(shards) = self.index().shards() else {
            return Ok(self.own_survey(plan));
        };
        let mut all = Survey::nothing(plan);
        for part in 0..shards.joint().n_parts() as u16 {
            let own = |shard: &Reader| Ok::<_, Error>(shard.own_survey(plan));
            all.add(&shards.index(part)?.ask(own)?);
        }
        Ok(all)
    }
}

/// The candidates of a shard in files that may answer; `keep` takes their numbers in the whole index.
fn found_here(
    shards: &dyn ShardSource,
    part: u16,
    (query, global, asked): (&SearchQuery<'_>, &Arc<GlobalPlan>, &ShardQuery),
    keep: KeepFile<'_>,
) -> Result<ShardPart, Error> {
    let files = shards.joint().files_of(part);
    shards.index(part)?.ask(|shard| {
        let keep = |chunk: ChunkId| {
            let own = shard.view().lexical().file_of(chunk);
            let file = own.and_then(|own| files.get(own.index()));
            file.is_some_and(|file| keep(FileId(file.to_native())))
        };
        Ok(shard.part_where(query, global, asked, &keep))
    })
}
