//! Messages between a front and a shard that is elsewhere, as bytes: the numbers and conditions of a search, and the candidates of a
//! shard. A survey ([`crate::Survey`]) is the third.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `PTLNSRCH` |
//! | 4 | version |
//! | 4 | which message |
//! | … | an archive |
//!
//! A message is data of a stranger: it has a limit, its archive is checked before it is read, and its numbers are compared with
//! what they count. A plan is not in it, but follows from the text of the query on both sides.

use rkyv::api::high::{HighSerializer, HighValidator};
use rkyv::bytecheck::CheckBytes;
use rkyv::de::Pool;
use rkyv::rancor::{Failure, Strategy};
use rkyv::ser::allocator::ArenaHandle;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Deserialize, Portable, Serialize};

use crate::conditions::Conditions;
use crate::config::N_SIGNALS;
use crate::global::{GlobalPlan, Survey};
use crate::plan::plan;
use crate::statistics::{Lengths, Statistics};

/// Version of the form of messages. Both sides must have the same.
pub const MESSAGE_VERSION: u32 = 3;
/// Maximum number of bytes of a message: a query of a megabyte with its vector, and the candidates for it, are shorter.
pub const MAX_MESSAGE: usize = 8 << 20;

const MAGIC: [u8; 8] = *b"PTLNSRCH";
const HEAD: usize = 16;
/// Maximum number of candidates of a shard, and of names of a query.
const MAX_CHUNKS: usize = 1 << 14;
/// Maximum number of dimensions of a vector.
const MAX_DIMENSIONS: usize = 1 << 14;

/// Why a message cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageError(&'static str);

impl MessageError {
    /// Returns the fault in words.
    #[must_use]
    pub fn fault(self) -> &'static str {
        self.0
    }
}

impl std::fmt::Display for MessageError {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "the message between shards cannot be read: {}", self.0)
    }
}

impl std::error::Error for MessageError {}

/// A chunk of a shard by its place, which is the same in one index of all files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct ChunkPlace {
    /// Number of the file in the shard.
    pub file: u32,
    /// Number of the chunk in the file, from 0.
    pub within: u32,
}

/// The question of the second round to one shard: what all shards have of a query, and chunks that are known outside.
#[derive(Debug, Clone, PartialEq, Default, Archive, Serialize, Deserialize)]
pub struct ShardQuery {
    /// The query, from which its plan follows.
    pub text: String,
    /// Importance of each term of the plan.
    pub importance: Vec<f32>,
    /// Numbers of all chunks, and of the plan's terms in them.
    pub statistics: Statistics,
    /// As [`GlobalPlan::definitions`].
    pub definitions: Vec<(u64, f32)>,
    /// Lengths of all chunks.
    pub lengths: Lengths,
    /// Filters and weights of the search, which are those of the tool that searches.
    pub conditions: Conditions,
    /// The query as a vector; empty without one.
    pub vector: Vec<f32>,
    /// Chunks of this shard that come first.
    pub raised: Vec<ChunkPlace>,
    /// Further candidates in this shard.
    pub related: Vec<ChunkPlace>,
}

/// A candidate of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Archive, Serialize, Deserialize)]
pub struct FoundChunk {
    /// The chunk.
    pub place: ChunkPlace,
    /// Number of the symbol that it mainly consists of among those of the shard, if it consists of one.
    pub main: Option<u32>,
    /// As in [`crate::Scored`].
    pub lexical_score: f32,
    /// As in [`crate::Scored`].
    pub lexical_rank: Option<u32>,
    /// As in [`crate::Scored`].
    pub vector_score: Option<f32>,
    /// As in [`crate::Scored`].
    pub vector_rank: Option<u32>,
    /// As in [`crate::Scored`].
    pub signals: [f32; N_SIGNALS],
    /// Bits of [`crate::PathClass`].
    pub class: u16,
}

/// The candidates of a shard.
#[derive(Debug, Clone, PartialEq, Default, Archive, Serialize, Deserialize)]
pub struct ShardPart {
    /// In chunk order.
    pub found: Vec<FoundChunk>,
    /// For each of [`ShardQuery::definitions`]: chunks that define it, in order.
    pub defining: Vec<Vec<ChunkPlace>>,
}

impl ShardQuery {
    /// Takes from `global` the numbers that belong to this text.
    #[must_use]
    pub fn of(text: &str, global: &GlobalPlan) -> Self {
        let terms = global.plan.terms.iter();
        Self {
            text: text.to_owned(),
            importance: terms.map(|term| term.importance).collect(),
            statistics: global.statistics.clone(),
            definitions: global.definitions.clone(),
            ..Self::default()
        }
    }

    /// The plan of the text, with what all shards have of it. Names that are nearly those of the query are left out: no shard
    /// needs them.
    ///
    /// # Errors
    ///
    /// Where there are not as many numbers as terms.
    pub fn global(&self) -> Result<GlobalPlan, MessageError> {
        let mut plan = plan(&self.text);
        let n_terms = plan.terms.len();
        if self.importance.len() != n_terms || self.statistics.frequencies.len() != n_terms {
            return Err(MessageError("its terms are not those of its text"));
        }
        for (term, importance) in plan.terms.iter_mut().zip(&self.importance) {
            term.importance = *importance;
        }
        Ok(GlobalPlan {
            plan,
            statistics: self.statistics.clone(),
            definitions: self.definitions.clone(),
            near: Vec::new(),
        })
    }
}

/// A message between a front and a shard.
pub trait Message: Sized {
    /// The message as bytes.
    ///
    /// # Errors
    ///
    /// Where it has more than [`MAX_MESSAGE`] of them.
    fn to_bytes(&self) -> Result<Vec<u8>, MessageError>;

    /// Reads a message. Takes memory in proportion to the bytes only.
    ///
    /// # Errors
    ///
    /// For bytes that [`Message::to_bytes`] of this version did not write.
    fn from_bytes(bytes: &[u8]) -> Result<Self, MessageError>;
}

impl Message for Survey {
    fn to_bytes(&self) -> Result<Vec<u8>, MessageError> {
        written(Kind::Survey, self)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, MessageError> {
        let survey: Self = read(Kind::Survey, bytes)?;
        let lengths = [survey.statistics.frequencies.len(), survey.spellings.len()];
        is_few(&lengths).then_some(survey).ok_or(TOO_MANY)
    }
}

impl Message for ShardQuery {
    fn to_bytes(&self) -> Result<Vec<u8>, MessageError> {
        written(Kind::Query, self)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, MessageError> {
        let query: Self = read(Kind::Query, bytes)?;
        let conditions = &query.conditions;
        let lengths = [
            query.definitions.len(),
            query.raised.len(),
            query.related.len(),
            conditions.paths.len(),
            conditions.languages.len(),
            conditions.kinds.len(),
            conditions.node_types.len(),
            conditions.penalties.len(),
            conditions.candidates as usize,
        ];
        if !is_few(&lengths) || query.vector.len() > MAX_DIMENSIONS {
            return Err(TOO_MANY);
        }
        let values = query.definitions.iter().map(|(_, value)| value);
        let numbers = values.chain(&query.importance).chain(&query.vector);
        are_finite(numbers.chain([&conditions.joined_words]))?;
        Ok(query)
    }
}

impl Message for ShardPart {
    fn to_bytes(&self) -> Result<Vec<u8>, MessageError> {
        written(Kind::Part, self)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, MessageError> {
        let part: Self = read(Kind::Part, bytes)?;
        let defining = part.defining.iter().map(Vec::len);
        let lengths: Vec<usize> = defining
            .chain([part.found.len(), part.defining.len()])
            .collect();
        if !is_few(&lengths) {
            return Err(TOO_MANY);
        }
        for hit in &part.found {
            let scores = [&hit.lexical_score].into_iter().chain(&hit.vector_score);
            are_finite(scores.chain(&hit.signals))?;
        }
        Ok(part)
    }
}

const TOO_MANY: MessageError = MessageError("it has too many entries");

/// The messages, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Survey = 1,
    Query = 2,
    Part = 3,
}

fn is_few(lengths: &[usize]) -> bool {
    lengths.iter().all(|length| *length <= MAX_CHUNKS)
}

/// No sum or comparison meets what is not a number.
fn are_finite<'n>(mut numbers: impl Iterator<Item = &'n f32>) -> Result<(), MessageError> {
    let all = numbers.all(|number| number.is_finite());
    all.then_some(()).ok_or(MessageError("a number is none"))
}

fn written<T>(kind: Kind, message: &T) -> Result<Vec<u8>, MessageError>
where
    T: for<'a> Serialize<HighSerializer<AlignedVec<16>, ArenaHandle<'a>, Failure>>,
{
    let archive = rkyv::api::high::to_bytes_in::<_, Failure>(message, AlignedVec::new());
    let archive = archive.map_err(|_| TOO_LONG)?;
    if HEAD + archive.len() > MAX_MESSAGE {
        return Err(TOO_LONG);
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&MESSAGE_VERSION.to_le_bytes());
    bytes.extend_from_slice(&(kind as u32).to_le_bytes());
    bytes.extend_from_slice(&archive);
    Ok(bytes)
}

const TOO_LONG: MessageError = MessageError("it is too long");

fn read<T>(kind: Kind, bytes: &[u8]) -> Result<T, MessageError>
where
    T: Archive,
    T::Archived: Portable
        + for<'a> CheckBytes<HighValidator<'a, Failure>>
        + Deserialize<T, Strategy<Pool, Failure>>,
{
    if bytes.len() > MAX_MESSAGE {
        return Err(TOO_LONG);
    }
    let (head, packed) = bytes
        .split_at_checked(HEAD)
        .ok_or(MessageError("it is cut off"))?;
    let number = |at: usize| {
        head.get(at..at + 4)
            .and_then(|four| four.first_chunk().copied())
    };
    if !head.starts_with(&MAGIC) {
        return Err(MessageError("it is none"));
    }
    if number(8).map(u32::from_le_bytes) != Some(MESSAGE_VERSION) {
        return Err(MessageError("it is of another version"));
    }
    if number(12).map(u32::from_le_bytes) != Some(kind as u32) {
        return Err(MessageError("it is another message"));
    }
    let mut archive = AlignedVec::<16>::with_capacity(packed.len());
    archive.extend_from_slice(packed);
    const DAMAGED: MessageError =
        MessageError("its contents are not those that this version writes");
    let archived = rkyv::access::<T::Archived, Failure>(&archive).map_err(|_| DAMAGED)?;
    rkyv::deserialize::<T, Failure>(archived).map_err(|_| DAMAGED)
}
