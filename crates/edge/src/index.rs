//! A snapshot that is open, and the model for its vectors: what questions are put to.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use api::ErrorBody;
use embed::{Embedder, StaticEmbedder};
use engine::{Incoming, Lengths, Message, Partial, ShardQuery, Wanted};

use crate::answer::answer;
use crate::sharded::unreadable_message;
use crate::{Question, Reply};

/// An open index. Nothing in it changes but the model, which may come later.
pub struct Index {
    index: engine::Index,
    /// Where sections are fetched when a question reads them.
    partial: Option<Partial>,
    model: Option<Rc<StaticEmbedder>>,
    among: RefCell<Option<(Lengths, engine::Index)>>,
    /// Whether the last answer met the graph, which a shard reads for some filters only.
    met_graph: Cell<bool>,
}

impl Index {
    /// Opens a snapshot that has arrived: its table is checked, and what it is. Sections are checked and unpacked when a question
    /// reads them.
    ///
    /// # Errors
    ///
    /// `snapshot.truncated`, `.checksum`, `.version`, `.foreign` or `.damaged`.
    pub fn open(snapshot: Incoming) -> Result<Self, ErrorBody> {
        let snapshot = snapshot.open().map_err(engine::Error::from)?;
        Ok(Self {
            index: engine::Index::new(Arc::new(snapshot))?,
            partial: None,
            model: None,
            among: RefCell::default(),
            met_graph: Cell::default(),
        })
    }

    /// Opens a snapshot of `n_bytes` of which only the start has come, [`engine::N_START`] bytes or all. Before a question what is
    /// [`Index::missing`] for it is to be provided; an answer counts only if there are no [`Index::missing_blocks`] after it.
    ///
    /// # Errors
    ///
    /// As [`Index::open`].
    pub fn open_start(start: &[u8], n_bytes: usize) -> Result<Self, ErrorBody> {
        let partial = Partial::new(start, n_bytes).map_err(engine::Error::from)?;
        Ok(Self {
            index: engine::Index::new(partial.snapshot())?,
            partial: Some(partial),
            model: None,
            among: RefCell::default(),
            met_graph: Cell::default(),
        })
    }

    /// Sections that a tool reads and that have not come, in the order in which to provide them.
    pub fn missing(&self, tool: &str, wants_vector: bool) -> Vec<Wanted> {
        let partial = self.partial.as_ref();
        partial.map_or_else(Vec::new, |partial| {
            partial.missing(&sections(tool, wants_vector))
        })
    }

    /// Pieces that the last answer met without finding them: the graph, then blocks of texts and postings.
    pub fn missing_blocks(&self) -> Vec<Wanted> {
        let Some(partial) = &self.partial else {
            return Vec::new();
        };
        self.met_graph.set(partial.met().contains(&GRAPH));
        let wanted = partial.missing(self.by_filter());
        match wanted.is_empty() {
            true => partial.missing_blocks(),
            false => wanted,
        }
    }

    fn by_filter(&self) -> &'static [&'static str] {
        match self.met_graph.get() {
            true => &[GRAPH],
            false => &[],
        }
    }

    /// Takes a missing part.
    ///
    /// # Errors
    ///
    /// `snapshot.checksum` or `.damaged` if the bytes are not those that were written.
    pub fn provide(&mut self, name: &str, bytes: &[u8]) -> Result<(), ErrorBody> {
        if let Some(partial) = &mut self.partial {
            partial.provide(name, bytes).map_err(engine::Error::from)?;
            self.index = engine::Index::new(partial.snapshot())?;
            self.among.take();
        }
        Ok(())
    }

    /// Bytes in memory of the parts that were provided.
    pub fn n_bytes(&self) -> usize {
        self.partial.as_ref().map_or(0, Partial::n_bytes)
    }

    /// Frees the sections that neither a tool nor the last answer reads, and all blocks.
    ///
    /// # Errors
    ///
    /// `snapshot.damaged` where the sections that stay cannot be read.
    pub fn forget_but(&mut self, tool: &str, wants_vector: bool) -> Result<(), ErrorBody> {
        let mut kept = sections(tool, wants_vector);
        kept.extend(self.by_filter());
        if let Some(partial) = &mut self.partial {
            partial.forget_but(&kept);
            self.index = engine::Index::new(partial.snapshot())?;
            self.among.take();
        }
        Ok(())
    }

    /// Name of the model that the vectors in here were made with; none where there are no vectors.
    pub fn embedder(&self) -> Option<&str> {
        self.index.embedder()
    }

    /// Returns true if it has the model for query vectors.
    pub fn has_model(&self) -> bool {
        self.model.is_some()
    }

    /// Gives the model for query vectors.
    ///
    /// # Errors
    ///
    /// `model.other` if it is not the one the vectors were made with: their numbers would mean nothing to each other.
    pub fn set_model(&mut self, model: Rc<StaticEmbedder>) -> Result<(), ErrorBody> {
        let wanted = self.embedder().unwrap_or_default();
        if wanted != model.name() {
            return Err(other_model(model.name(), wanted));
        }
        self.model = Some(model);
        Ok(())
    }

    /// The first round of a search over an index of which this is a shard: the survey for a text, as a message.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where the shard cannot be read; `shard.message`.
    pub fn survey(&self, text: &str) -> Result<Vec<u8>, ErrorBody> {
        let survey = self
            .index
            .ask(|reader| Ok::<_, ErrorBody>(reader.survey_of(text)))?;
        survey
            .to_bytes()
            .map_err(|error| unreadable_message(&error))
    }

    /// The second round: the candidates for a question that is a message, as a message.
    ///
    /// # Errors
    ///
    /// `shard.message` for what is no question to a shard, `query.…` and `glob.…` for the conditions in it.
    pub fn part(&self, asked: &[u8]) -> Result<Vec<u8>, ErrorBody> {
        let asked = ShardQuery::from_bytes(asked).map_err(|error| unreadable_message(&error))?;
        let index = self.among(&asked.lengths);
        let part = index.ask(|reader| reader.part(&asked))?;
        part.to_bytes().map_err(|error| unreadable_message(&error))
    }

    /// The index as one of shards with chunks of these lengths, which are the same for every question.
    fn among(&self, lengths: &Lengths) -> engine::Index {
        let mut kept = self.among.borrow_mut();
        match &*kept {
            Some((known, index)) if known == lengths => index.clone(),
            _ => {
                let index = self.index.clone().among(*lengths);
                *kept = Some((*lengths, index.clone()));
                index
            }
        }
    }

    /// The answer, whatever the question; a refusal where it met what cannot be read.
    pub fn answer(&self, question: &Question) -> Reply {
        answer(&self.index, self.model.as_deref(), question)
    }
}

/// The name for both rounds of a search, which no tool has.
const SHARD: &str = "shard";
/// The section that a shard reads for filters by complexity only: it is most of a snapshot in memory.
const GRAPH: &str = "graph";
/// Sections that both rounds always read.
const SHARD_SECTIONS: [&str; 6] = ["info", "files", "chunks", "lexical", "postings", "vectors"];

/// The refusal of a model that is not the one of the vectors.
pub(crate) fn other_model(name: &str, wanted: &str) -> ErrorBody {
    ErrorBody {
        code: "model.other".to_owned(),
        message: format!("the model is {name}, the vectors of the index were made with {wanted}"),
        help: "put the files of that model into the bucket under its name".to_owned(),
    }
}

/// Sections that a tool reads: all but `facts`, which only indexing reads, and `vectors` where the query has none.
fn sections(tool: &str, wants_vector: bool) -> Vec<&'static str> {
    if tool == SHARD {
        return SHARD_SECTIONS.to_vec();
    }
    let names = api::answer::sections_of(tool).iter().copied();
    names
        .filter(|name| *name != "facts" && (wants_vector || *name != "vectors"))
        .collect()
}

/// Reads a model from its ONNX file and its tokenizer.
///
/// # Errors
///
/// `model.damaged` with the fault.
pub fn read_model(onnx: &[u8], tokenizer: &[u8]) -> Result<StaticEmbedder, ErrorBody> {
    StaticEmbedder::from_onnx(onnx, tokenizer).map_err(|error| ErrorBody {
        code: "model.damaged".to_owned(),
        message: format!("the model cannot be read: {error}"),
        help: "put its ONNX file and its tokenizer.json into the bucket again".to_owned(),
    })
}
