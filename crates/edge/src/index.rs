//! A snapshot that is open, and the model for its vectors: what questions are put to.

use std::rc::Rc;
use std::sync::Arc;

use api::ErrorBody;
use embed::{Embedder, StaticEmbedder};
use engine::{Incoming, Reader};

use crate::answer::answer;
use crate::{Question, Reply};

/// An open index. Nothing in it changes but the model, which may come later.
pub struct Index {
    reader: Reader,
    model: Option<Rc<StaticEmbedder>>,
}

impl Index {
    /// Opens a snapshot that has arrived: its table is checked, and what it is. Sections are checked and unpacked when a question
    /// reads them.
    ///
    /// # Errors
    ///
    /// `snapshot.truncated`, `.checksum`, `.version`, `.foreign` or `.damaged`.
    pub fn open(snapshot: Incoming) -> Result<Self, ErrorBody> {
        let snapshot = snapshot.open().map_err(ErrorBody::from)?;
        let reader = Reader::new(Arc::new(snapshot));
        reader.check_read()?;
        Ok(Self {
            reader,
            model: None,
        })
    }

    /// Name of the model that the vectors in here were made with; none where there are no vectors.
    pub fn embedder(&self) -> Option<&str> {
        self.reader.embedder()
    }

    /// Gives the model for query vectors.
    ///
    /// # Errors
    ///
    /// `model.other` if it is not the one the vectors were made with: their numbers would mean nothing to each other.
    pub fn set_model(&mut self, model: Rc<StaticEmbedder>) -> Result<(), ErrorBody> {
        let wanted = self.embedder().unwrap_or_default();
        if wanted != model.name() {
            return Err(ErrorBody {
                code: "model.other".to_owned(),
                message: format!(
                    "the model is {}, the vectors of the index were made with {wanted}",
                    model.name()
                ),
                help: "put the files of that model into the bucket under its name".to_owned(),
            });
        }
        self.model = Some(model);
        Ok(())
    }

    /// The answer, whatever the question; a refusal where it met what cannot be read.
    pub fn answer(&self, question: &Question) -> Reply {
        let reply = answer(&self.reader, self.model.as_deref(), question);
        match self.reader.check_read() {
            Ok(()) => reply,
            Err(error) => Reply::error(&error.into()),
        }
    }
}

/// Reads a model from its ONNX file and its tokenizer.
///
/// # Errors
///
/// `model.damaged` with what was wrong.
pub fn read_model(onnx: &[u8], tokenizer: &[u8]) -> Result<StaticEmbedder, ErrorBody> {
    StaticEmbedder::from_onnx(onnx, tokenizer).map_err(|error| ErrorBody {
        code: "model.damaged".to_owned(),
        message: format!("the model cannot be read: {error}"),
        help: "put its ONNX file and its tokenizer.json into the bucket again".to_owned(),
    })
}
