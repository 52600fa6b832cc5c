//! The shards of an index as one answer finds them: what has come is read, and what has not is noted.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use api::ErrorBody;
use engine::{
    AbsentShard, ArchivedChunkTable, ArchivedJoint, Error, Held, Message, ShardPart, ShardQuery,
    ShardSource, Snapshot, SnapshotError, Survey, unreadable,
};
use shards::Root;

use crate::sharded::unreadable_message;

/// A shard of which parts have come.
pub(crate) struct Shard {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) index: engine::Index,
}

/// The answers of shards to one question, and what was asked of them in vain.
#[derive(Default)]
pub(crate) struct Rounds {
    shards: Vec<Round>,
    /// The text of the search.
    text: String,
}

#[derive(Clone, Default)]
struct Round {
    lacks_start: bool,
    lacks_survey: bool,
    survey: Option<Survey>,
    /// The question of the second round, and the answer to that question.
    asked: Option<ShardQuery>,
    part: Option<(ShardQuery, ShardPart)>,
}

impl Rounds {
    pub(crate) fn new(n_shards: usize) -> Self {
        Self {
            shards: vec![Round::default(); n_shards],
            text: String::new(),
        }
    }

    fn which(&self, is_wanted: impl Fn(&Round) -> bool) -> impl Iterator<Item = u16> {
        let rounds = (0..).zip(&self.shards);
        rounds
            .filter(move |(_, round)| is_wanted(round))
            .map(|(shard, _)| shard)
    }

    /// Shards whose start has not come.
    pub(crate) fn starts(&self) -> impl Iterator<Item = u16> {
        self.which(|round| round.lacks_start)
    }

    /// Whether the last answer asked shards for words or candidates.
    pub(crate) fn is_search(&self) -> bool {
        self.surveys().chain(self.parts()).next().is_some()
    }

    /// Shards that have not been surveyed.
    pub(crate) fn surveys(&self) -> impl Iterator<Item = u16> {
        self.which(|round| round.lacks_survey)
    }

    /// Shards that have not found their candidates.
    pub(crate) fn parts(&self) -> impl Iterator<Item = u16> {
        self.which(|round| round.asked.is_some())
    }

    pub(crate) fn is_surveyed(&self, shard: u16) -> bool {
        let round = self.shards.get(usize::from(shard));
        round.is_some_and(|round| round.survey.is_some())
    }

    /// The body for a shard: of the first round the text, of the second the question with the request of the host.
    pub(crate) fn message(&self, shard: u16, request: &str) -> Result<Vec<u8>, ErrorBody> {
        let round = self.shards.get(usize::from(shard));
        let Some(asked) = round.and_then(|round| round.asked.as_ref()) else {
            return Ok(self.text.clone().into_bytes());
        };
        let asked = ShardQuery {
            request: request.to_owned(),
            ..asked.clone()
        };
        asked.to_bytes().map_err(|error| unreadable_message(&error))
    }

    pub(crate) fn put_survey(&mut self, shard: u16, survey: Survey) {
        if let Some(round) = self.shards.get_mut(usize::from(shard)) {
            round.survey = Some(survey);
        }
    }

    pub(crate) fn put_part(&mut self, shard: u16, part: ShardPart) {
        let round = self.shards.get_mut(usize::from(shard));
        if let Some((round, asked)) = round.and_then(|round| {
            let asked = round.asked.take()?;
            Some((round, asked))
        }) {
            round.part = Some((asked, part));
        }
    }
}

/// The shards of one answer.
pub(crate) struct Source {
    root: Arc<Root>,
    shards: Vec<Option<Shard>>,
    rounds: Mutex<Rounds>,
    absent: Vec<AbsentShard>,
}

impl Source {
    pub(crate) fn new(
        root: Arc<Root>,
        shards: Vec<Option<Shard>>,
        mut rounds: Rounds,
        absent: Vec<AbsentShard>,
    ) -> Self {
        for round in &mut rounds.shards {
            (round.lacks_start, round.lacks_survey, round.asked) = (false, false, None);
        }
        Self {
            root,
            shards,
            rounds: Mutex::new(rounds),
            absent,
        }
    }

    /// Gives the rounds back, with what was noted.
    pub(crate) fn into_rounds(self: Arc<Self>) -> Rounds {
        std::mem::take(&mut self.rounds())
    }

    fn rounds(&self) -> MutexGuard<'_, Rounds> {
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_absent(&self, part: u16) -> bool {
        self.absent.iter().any(|absent| absent.shard == part)
    }

    fn opened(&self, part: u16) -> Result<&Shard, SnapshotError> {
        let shard = self.shards.get(usize::from(part)).and_then(Option::as_ref);
        shard.ok_or_else(|| {
            if let Some(round) = self.rounds().shards.get_mut(usize::from(part)) {
                round.lacks_start = true;
            }
            unreadable("a shard has not come")
        })
    }
}

impl ShardSource for Source {
    fn joint(&self) -> &ArchivedJoint {
        self.root.joint()
    }

    fn shard(&self, part: u16) -> Result<&Snapshot, SnapshotError> {
        self.opened(part).map(|shard| &*shard.snapshot)
    }

    fn index(&self, part: u16) -> Result<&engine::Index, Error> {
        Ok(&self.opened(part)?.index)
    }

    fn chunks(&self) -> &ArchivedChunkTable {
        self.root.chunks()
    }

    fn survey(&self, part: u16, text: &str) -> Held<Survey> {
        let is_absent = self.is_absent(part);
        let mut rounds = self.rounds();
        if rounds.text != text {
            text.clone_into(&mut rounds.text);
        }
        let round = rounds.shards.get_mut(usize::from(part));
        Held::Away(round.and_then(|round| {
            // The survey of a shard that was lost afterwards counts: else all others would be asked again with another plan.
            round.lacks_survey = round.survey.is_none() && !is_absent;
            round.survey.clone()
        }))
    }

    fn find(&self, part: u16, asked: &ShardQuery) -> Held<ShardPart> {
        let is_absent = self.is_absent(part);
        let mut rounds = self.rounds();
        // A plan without all surveys is not the one that counts.
        let is_planned = !rounds.shards.iter().any(|round| round.lacks_survey);
        let round = rounds.shards.get_mut(usize::from(part));
        Held::Away(
            round
                .filter(|_| is_planned && !is_absent)
                .and_then(|round| match &round.part {
                    Some((known, part)) if known == asked => Some(part.clone()),
                    _ => {
                        round.asked = Some(asked.clone());
                        None
                    }
                }),
        )
    }

    fn absent(&self) -> &[AbsentShard] {
        &self.absent
    }
}
