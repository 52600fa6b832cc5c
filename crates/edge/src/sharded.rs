//! An index in shards as the Worker has it: its root in memory, sections of its shards where a question reads them, and both
//! rounds of a search asked of the shards elsewhere.
//!
//! A question is answered again and again: [`Sharded::wanted`] says after each answer what it lacked, and an answer counts only
//! if that is nothing. Sections and blocks of shards are kept for later questions; the answers of shards are the question's own.
//!
//! Any tool may search, and more than once: shards are sent the conditions of that search, not the request of the tool. They are
//! asked for the first search that lacks something, since later ones may depend on its hits.

use std::rc::Rc;
use std::sync::Arc;

use api::ErrorBody;
use embed::{Embedder, StaticEmbedder};
use engine::{AbsentShard, Error, Partial, Wanted};
use serde::Serialize;
use shards::Root;

use crate::answer::answer;
use crate::index::other_model;
use crate::source::{Rounds, Shard, Source};
use crate::{Question, Reply};

/// Sections of a shard that are compared with the root before anything of the shard counts.
const CHECKED: [&str; 3] = ["info", "files", "graph"];

/// An open index in shards.
pub struct Sharded {
    root: Arc<Root>,
    shards: Vec<Option<Opened>>,
    model: Option<Rc<StaticEmbedder>>,
}

/// A shard whose start has come.
struct Opened {
    partial: Partial,
    index: engine::Index,
    /// Whether it was compared with the root.
    is_checked: bool,
}

/// A question on its way, with the answers of shards to it.
pub struct Asked {
    question: Question,
    rounds: Rounds,
    /// Names of the sections of each shard that it has met.
    met: Vec<Vec<&'static str>>,
    absent: Vec<AbsentShard>,
}

/// Parts and answers of shards that an answer lacked. All of them are fetched and asked for before the question is answered again.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lacking {
    /// Shards whose start is to be fetched.
    pub starts: Vec<u16>,
    /// Pieces of the files of shards: shard, name, first byte, end.
    pub pieces: Vec<(u16, String, u64, u64)>,
    /// Shards to be surveyed: the body is the text of the query.
    pub surveys: Vec<u16>,
    /// Shards to be asked for candidates: the body is [`Asked::message`].
    pub parts: Vec<u16>,
}

impl Sharded {
    /// Opens a root, all of whose bytes have come.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where it cannot be read.
    pub fn open(root: &[u8]) -> Result<Self, ErrorBody> {
        let root = Root::from_bytes(root).map_err(Error::from)?;
        Ok(Self {
            shards: root.shards().iter().map(|_| None).collect(),
            root: Arc::new(root),
            model: None,
        })
    }

    /// The names of the files of its shards.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let shards = self.root.shards().iter();
        shards.map(shards::ShardEntry::name).collect()
    }

    /// Name of the model that the vectors were made with.
    #[must_use]
    pub fn embedder(&self) -> Option<String> {
        let name = self.root.snapshot().read(|view| {
            let name = view.info().embedder.as_str().to_owned();
            Ok::<_, Error>(name)
        });
        name.ok().filter(|name| !name.is_empty())
    }

    /// Returns true if it has the model for query vectors.
    #[must_use]
    pub fn has_model(&self) -> bool {
        self.model.is_some()
    }

    /// Gives the model for query vectors.
    ///
    /// # Errors
    ///
    /// `model.other` if it is not the one the vectors were made with.
    pub fn set_model(&mut self, model: Rc<StaticEmbedder>) -> Result<(), ErrorBody> {
        let wanted = self.embedder().unwrap_or_default();
        if wanted != model.name() {
            return Err(other_model(model.name(), &wanted));
        }
        self.model = Some(model);
        Ok(())
    }

    /// Bytes in memory: the root, and the parts of shards that have come.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        let opened = self.shards.iter().flatten();
        self.root.n_bytes() + opened.map(|shard| shard.partial.n_bytes()).sum::<usize>()
    }

    /// Begins a question.
    #[must_use]
    pub fn begin(&self, question: Question) -> Asked {
        Asked {
            question,
            rounds: Rounds::new(self.shards.len()),
            met: vec![Vec::new(); self.shards.len()],
            absent: Vec::new(),
        }
    }

    /// Answers a question from what has come.
    #[must_use]
    pub fn answer(&self, asked: &mut Asked) -> Reply {
        let shard = |opened: &Opened| Shard {
            snapshot: opened.partial.snapshot(),
            index: opened.index.clone(),
        };
        let shards = self.shards.iter();
        let source = Arc::new(Source::new(
            Arc::clone(&self.root),
            shards.map(|opened| opened.as_ref().map(shard)).collect(),
            std::mem::take(&mut asked.rounds),
            asked.absent.clone(),
        ));
        let reply = match engine::Index::over_shards(
            Arc::clone(self.root.snapshot()),
            Arc::clone(&source) as _,
        ) {
            Ok(index) => answer(&index, self.model.as_deref(), &asked.question),
            Err(error) => Reply::error(&error.into()),
        };
        asked.rounds = source.into_rounds();
        reply
    }

    /// Returns the parts that the last answer to a question lacked: first sections, which decide what shards are asked; then their answers.
    ///
    /// # Errors
    ///
    /// `snapshot.damaged` for a shard that does not belong to the root.
    pub fn wanted(&mut self, asked: &mut Asked) -> Result<Lacking, ErrorBody> {
        let mut lacking = Lacking {
            starts: asked.rounds.starts().collect(),
            surveys: asked.rounds.surveys().collect(),
            ..Lacking::default()
        };
        let root = &self.root;
        for (number, (opened, met)) in (0..).zip(self.shards.iter_mut().zip(&mut asked.met)) {
            let Some(opened) = opened else { continue };
            met.extend(opened.partial.met());
            if met.is_empty() || asked.absent.iter().any(|absent| absent.shard == number) {
                continue;
            }
            met.extend(CHECKED);
            met.sort_unstable();
            met.dedup();
            let mut pieces = opened.partial.missing(met);
            if pieces.is_empty() {
                opened.check(root, number)?;
                pieces = opened.partial.missing_blocks();
            }
            let piece = |Wanted { name, range }| (number, name, range.start, range.end);
            lacking.pieces.extend(pieces.into_iter().map(piece));
        }
        if lacking == Lacking::default() {
            lacking.parts = asked.rounds.parts().collect();
        }
        Ok(lacking)
    }

    /// Takes the start of the file of a shard, which has `n_bytes`.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where it is no snapshot.
    pub fn start(&mut self, shard: u16, start: &[u8], n_bytes: usize) -> Result<(), ErrorBody> {
        let partial = Partial::new(start, n_bytes).map_err(Error::from)?;
        let index = index_among(&self.root, &partial)?;
        if let Some(opened @ None) = self.shards.get_mut(usize::from(shard)) {
            *opened = Some(Opened {
                index,
                partial,
                is_checked: false,
            });
        }
        Ok(())
    }

    /// Takes a piece of the file of a shard.
    ///
    /// # Errors
    ///
    /// `snapshot.checksum` or `.damaged` if the bytes are not those that were written.
    pub fn provide(&mut self, shard: u16, name: &str, bytes: &[u8]) -> Result<(), ErrorBody> {
        let Some(Some(opened)) = self.shards.get_mut(usize::from(shard)) else {
            return Ok(()); // freed meanwhile: it is missing again
        };
        // Another question may have had the same fetched.
        if !name.contains(' ') && opened.partial.missing(&[name]).is_empty() {
            return Ok(());
        }
        opened.partial.provide(name, bytes).map_err(Error::from)?;
        if !name.contains(' ') {
            opened.is_checked &= !CHECKED.contains(&name);
            opened.index = index_among(&self.root, &opened.partial)?;
        }
        Ok(())
    }

    /// Frees what a question has not met: sections of shards, and all blocks.
    ///
    /// # Errors
    ///
    /// `snapshot.damaged` where what stays cannot be read.
    pub fn forget_but_met(&mut self, asked: &Asked) -> Result<(), ErrorBody> {
        for (place, met) in self.shards.iter_mut().zip(&asked.met) {
            if met.is_empty() {
                *place = None;
            } else if let Some(opened) = place {
                opened.partial.forget_but(met);
                opened.index = index_among(&self.root, &opened.partial)?;
            }
        }
        Ok(())
    }
}

fn index_among(root: &Root, partial: &Partial) -> Result<engine::Index, ErrorBody> {
    let index = engine::Index::new(partial.snapshot())?;
    Ok(index.among(root.chunks().lengths()))
}

impl Opened {
    fn check(&mut self, root: &Root, number: u16) -> Result<(), ErrorBody> {
        if !self.is_checked {
            let snapshot = self.partial.snapshot();
            root.check_shard(number, &snapshot).map_err(Error::from)?;
            self.is_checked = true;
        }
        Ok(())
    }
}

impl Asked {
    /// The body for a shard of [`Lacking::surveys`] or [`Lacking::parts`].
    ///
    /// # Errors
    ///
    /// `shard.message` where it would be too long.
    pub fn message(&self, shard: u16) -> Result<Vec<u8>, ErrorBody> {
        self.rounds.message(shard)
    }

    /// Takes the answer of a shard to [`Asked::message`].
    ///
    /// # Errors
    ///
    /// `shard.message` where it cannot be read.
    pub fn take(&mut self, shard: u16, bytes: &[u8]) -> Result<(), ErrorBody> {
        let taken = self.rounds.put(shard, bytes);
        taken.map_err(|error| unreadable_message(&error))
    }

    /// Goes on without a shard: the answer will be partial.
    pub fn lose(&mut self, shards: &Sharded, shard: u16, error: ErrorBody) {
        let entry = shards.root.shards().get(usize::from(shard));
        let is_new = self.absent.iter().all(|absent| absent.shard != shard);
        if let Some(entry) = entry.filter(|_| is_new) {
            self.absent.push(AbsentShard {
                shard,
                n_files: entry.n_files,
                code: error.code,
                message: error.message,
            });
            self.absent.sort_unstable_by_key(|absent| absent.shard);
        }
    }

    /// Number of shards that are absent.
    #[must_use]
    pub fn n_absent(&self) -> usize {
        self.absent.len()
    }
}

/// A message between shards that cannot be read.
pub(crate) fn unreadable_message(error: &engine::MessageError) -> ErrorBody {
    ErrorBody {
        code: "shard.message".to_owned(),
        message: error.to_string(),
        help: "let the same version of Portolan ask and answer".to_owned(),
    }
}
