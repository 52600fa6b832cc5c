//! The shards of an index as one answer finds them: what has come is read, and what has not is noted.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use api::ErrorBody;
use engine::{
    AbsentShard, ArchivedChunkTable, ArchivedJoint, Error, Held, Message, MessageError, ShardPart,
    ShardQuery, ShardSource, Snapshot, SnapshotError, Survey, unreadable,
};
use shards::Root;

use crate::sharded::unreadable_message;

/// A shard of which parts have come.
pub(crate) struct Shard {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) index: engine::Index,
}

/// The answers of shards to the searches of one question, and what was asked of them in vain.
#[derive(Default)]
pub(crate) struct Rounds {
    shards: Vec<Round>,
    /// The text of the first search that lacked something in the last answer.
    lacking: Option<String>,
}

#[derive(Default)]
struct Round {
    lacks_start: bool,
    /// A round that the last answer asked in vain.
    open: Option<Open>,
    surveys: Vec<(String, Survey)>,
    parts: Vec<(ShardQuery, ShardPart)>,
}

/// A round of a search, before its answer.
enum Open {
    /// The first, for a text.
    Survey(String),
    /// The second.
    Part(Box<ShardQuery>),
}

impl Rounds {
    pub(crate) fn new(n_shards: usize) -> Self {
        Self {
            shards: (0..n_shards).map(|_| Round::default()).collect(),
            lacking: None,
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

    /// Shards that have not been surveyed.
    pub(crate) fn surveys(&self) -> impl Iterator<Item = u16> {
        self.which(|round| matches!(round.open, Some(Open::Survey(_))))
    }

    /// Shards that have not found their candidates.
    pub(crate) fn parts(&self) -> impl Iterator<Item = u16> {
        self.which(|round| matches!(round.open, Some(Open::Part(_))))
    }

    /// The body for a shard: of the first round the text, of the second the question.
    pub(crate) fn message(&self, shard: u16) -> Result<Vec<u8>, ErrorBody> {
        let round = self.shards.get(usize::from(shard));
        match round.and_then(|round| round.open.as_ref()) {
            Some(Open::Survey(text)) => Ok(text.clone().into_bytes()),
            Some(Open::Part(asked)) => asked.to_bytes().map_err(|error| unreadable_message(&error)),
            None => Ok(Vec::new()),
        }
    }

    /// Takes the answer of a shard to [`Rounds::message`].
    pub(crate) fn put(&mut self, shard: u16, bytes: &[u8]) -> Result<(), MessageError> {
        let Some(round) = self.shards.get_mut(usize::from(shard)) else {
            return Ok(());
        };
        match &round.open {
            Some(Open::Survey(text)) => {
                let survey = Survey::from_bytes(bytes)?;
                round.surveys.push((text.clone(), survey));
            }
            Some(Open::Part(asked)) => {
                let part = ShardPart::from_bytes(bytes)?;
                round.parts.push((ShardQuery::clone(asked), part));
            }
            None => {}
        }
        round.open = None;
        Ok(())
    }

    /// Begins another answer.
    fn reopen(&mut self) {
        self.lacking = None;
        for round in &mut self.shards {
            (round.lacks_start, round.open) = (false, None);
        }
    }

    /// Notes a round that a shard is to be asked, unless an earlier search lacks something: this one may depend on its hits.
    fn note(&mut self, shard: u16, text: &str, open: impl FnOnce() -> Open) {
        let lacking = self.lacking.get_or_insert_with(|| text.to_owned());
        let round = self.shards.get_mut(usize::from(shard));
        if let Some(round) = round.filter(|_| *lacking == *text) {
            round.open.get_or_insert_with(open);
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
        rounds.reopen();
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
        let mut rounds = self.rounds();
        let round = rounds.shards.get(usize::from(part));
        let known = round.and_then(|round| found(&round.surveys, text));
        // The survey of a shard that was lost afterwards counts: else all others would be asked again with another plan.
        if known.is_none() && !self.is_absent(part) {
            rounds.note(part, text, || Open::Survey(text.to_owned()));
        }
        Held::Away(known)
    }

    fn find(&self, part: u16, asked: &ShardQuery) -> Held<ShardPart> {
        let mut rounds = self.rounds();
        let round = rounds.shards.get(usize::from(part));
        let round = round.filter(|_| !self.is_absent(part));
        let known = round.and_then(|round| found(&round.parts, asked));
        // A plan without all surveys is not the one that counts.
        let is_planned = rounds.surveys().next().is_none();
        if known.is_none() && is_planned && !self.is_absent(part) {
            rounds.note(part, &asked.text, || Open::Part(Box::new(asked.clone())));
        }
        Held::Away(known)
    }

    fn absent(&self) -> &[AbsentShard] {
        &self.absent
    }
}

/// The answer to a question that was asked before.
fn found<Q, A: Clone>(known: &[(Q, A)], asked: &(impl PartialEq<Q> + ?Sized)) -> Option<A> {
    let same = known.iter().find(|(question, _)| asked == question);
    same.map(|(_, answer)| answer.clone())
}
