//! An index that answers: made of files, or opened from a snapshot.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use api::answer::{Asked, Json};
use api::{ErrorBody, Hit, SearchRequest, answer};
use embed::Embedder;
use engine::{OnProgress, Reader, Snapshot};
use source::{FileSet, SourceConfig};

use crate::Error;
use crate::earlier::EarlierShards;
use crate::indexing::{index_files, index_folder, now_millis};

/// How an index is made.
#[derive(Clone, Default)]
pub struct IndexOptions {
    /// Name of the index, shown to people. Where it is empty, that of `previous`, or of the folder.
    pub name: String,
    /// Which files are taken in.
    pub source: SourceConfig,
    /// Names of the languages to index; all if empty.
    pub languages: Vec<String>,
    /// The model that turns texts into vectors, for search by meaning. Without it search is by words.
    pub embedder: Option<Arc<dyn Embedder + Send + Sync>>,
    /// Threads that parse, embed and compress beside the caller's; 0: one for each core.
    pub threads: usize,
    /// An earlier index of the same folder, for [`crate::index_folder`]: only files that changed since are read.
    pub previous: Option<Arc<Snapshot>>,
    /// An earlier index in shards of the same folder, for [`crate::index_in_shards`]: texts that it has facts of are not parsed,
    /// and those that it has vectors of are not embedded.
    pub earlier: Option<Arc<EarlierShards>>,
    /// Read every file to see whether it changed, instead of trusting its size and time.
    pub reads_all: bool,
    /// Time of building, in milliseconds since 1970; 0 where it is unknown: no size and time of a file is kept then. [`Index::from_folder`]
    /// fills it in.
    pub now_millis: f64,
}

impl IndexOptions {
    /// Returns the defaults with a name.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }
}

/// An index that answers. Cheap to clone: its snapshot is shared.
#[derive(Clone)]
pub struct Index {
    reader: Arc<Reader>,
    embedder: Option<Arc<dyn Embedder + Send + Sync>>,
    clock: Option<fn() -> f64>,
}

impl Index {
    /// Returns an index that answers from a snapshot of the engine, by words. Reads all of it that questions read; of a snapshot that was
    /// opened lazily rather use [`engine::Index`].
    ///
    /// # Errors
    ///
    /// `snapshot.…` where it cannot be read.
    pub fn new(snapshot: Arc<Snapshot>) -> Result<Self, Error> {
        Ok(Self {
            reader: Arc::new(Reader::new(snapshot)?),
            embedder: None,
            clock: None,
        })
    }

    /// Reads and indexes a folder.
    ///
    /// # Errors
    ///
    /// `input.unreadable` if the folder cannot be listed; `index.too-large`.
    pub fn from_folder(folder: impl AsRef<Path>, options: &IndexOptions) -> Result<Self, Error> {
        let folder = folder.as_ref();
        let mut options = options.clone();
        if options.now_millis == 0.0 {
            options.now_millis = now_millis();
        }
        let indexed = index_folder(folder, &options, &mut |_| true)?;
        Ok(Self {
            embedder: options.embedder,
            ..Self::new(indexed.snapshot)?
        })
    }

    /// Reads and indexes the bytes of a zip, tar or tar.gz file.
    ///
    /// # Errors
    ///
    /// `archive.unknown`, `archive.damaged`; `index.too-large`.
    pub fn from_archive(bytes: &[u8], options: &IndexOptions) -> Result<Self, Error> {
        let files = FileSet::from_archive(bytes, &options.source)?;
        Self::from_files(files, options, &mut |_| true)
    }

    /// Indexes files with the linked grammars. `progress` hears of every step and stops indexing by returning `false`.
    ///
    /// # Errors
    ///
    /// `cancelled` if `progress` returned `false`; `index.too-large`; `vectors.mismatch` if the embedder fails.
    pub fn from_files(
        files: FileSet,
        options: &IndexOptions,
        progress: OnProgress<'_>,
    ) -> Result<Self, Error> {
        Ok(Self {
            embedder: options.embedder.clone(),
            ..Self::new(index_files(files, options, progress)?)?
        })
    }

    /// Opens an index that [`Index::save`] wrote.
    ///
    /// # Errors
    ///
    /// `input.unreadable`; `snapshot.…` where the file is damaged, of another version or no index.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|source| Error::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        Self::from_bytes(&bytes)
    }

    /// Opens an index from the bytes of a snapshot.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where the bytes are damaged, of another version or no index.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let snapshot = Snapshot::open(bytes).map_err(engine::Error::from)?;
        Self::new(Arc::new(snapshot))
    }

    /// Saves the index to a file. A file of that name is replaced at the end, so that it is never half written.
    ///
    /// # Errors
    ///
    /// `output.unwritable`; `snapshot.…` where the snapshot that was opened cannot be read on.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let bytes = self.to_bytes()?;
        let mut unfinished = path.as_os_str().to_owned();
        unfinished.push(".unfinished");
        let _ = std::fs::remove_file(&unfinished);
        // A new file: a link that somebody put there is not followed.
        let created = File::create_new(&unfinished);
        let written = created.and_then(|mut file| file.write_all(bytes));
        let replaced = written.and_then(|()| std::fs::rename(&unfinished, path));
        replaced.map_err(|source| Error::Unwritable {
            path: path.to_owned(),
            source,
        })
    }

    /// Returns the bytes of the snapshot. The first call compresses it: some 100 MB a second.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where the snapshot that was opened cannot be read on.
    pub fn to_bytes(&self) -> Result<&[u8], Error> {
        let bytes = self.reader.snapshot().to_bytes();
        Ok(bytes.map_err(engine::Error::from)?)
    }

    /// Returns the engine's reader, which has every question as a method.
    #[must_use]
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Searches by meaning from now on, too: `embedder` is the model that the index was made with.
    ///
    /// # Errors
    ///
    /// `vectors.mismatch` where it is another one.
    pub fn with_embedder(
        mut self,
        embedder: Arc<dyn Embedder + Send + Sync>,
    ) -> Result<Self, Error> {
        self.reader.check_model(embedder.name(), embedder.dim())?;
        self.embedder = Some(embedder);
        Ok(self)
    }

    /// Limits the time of expensive questions, too: `clock` returns milliseconds from any fixed moment. Without it they are limited by
    /// counts.
    #[must_use]
    pub fn with_clock(mut self, clock: fn() -> f64) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Returns the best `limit` (1 to 200) pieces of code for words, a question or an identifier.
    ///
    /// # Errors
    ///
    /// `query.empty`; `query.invalid` where `limit` is out of bounds.
    pub fn search(&self, query: &str, limit: u32) -> Result<Vec<Hit>, Error> {
        let request = SearchRequest {
            query: query.to_owned(),
            limit: Some(limit),
            ..SearchRequest::default()
        };
        let vector = self.vector_of(query)?;
        let answer = answer::search(&self.reader, &request, vector.as_deref())?;
        Ok(answer.hits)
    }

    /// Asks a tool by its name. Request and answer are JSON, with the fields of the types in [`api`].
    ///
    /// # Errors
    ///
    /// `request.tool` for an unknown tool, `request.invalid` for a request that it cannot read, and the errors of the tool itself.
    pub fn ask(&self, tool: &str, request: &str) -> Result<String, Error> {
        let asked = Asked {
            index: self.reader.index(),
            embed: &|text| self.vector_of(text),
            clock: self.clock.as_ref().map(|clock| clock as &dyn Fn() -> f64),
        };
        Ok(answer::ask(asked, tool, &Json(request))?)
    }

    /// Returns the query as a vector, where the index has vectors and the model is there.
    fn vector_of(&self, text: &str) -> Result<Option<Vec<f32>>, ErrorBody> {
        let embedder = self.embedder.as_ref();
        let embedder = embedder.filter(|_| self.reader.embedder().is_some());
        let vector = embedder.map(|embedder| embedder.embed_query(text));
        vector.transpose().map_err(|error| ErrorBody {
            code: "model.unusable".to_owned(),
            message: format!("the embedder failed: {error}"),
            help: String::new(),
        })
    }
}
