//! Indexes a folder as the command line does, and asks it for a name.

use std::path::Path;
use std::sync::Arc;

use embed::{Embedder, StaticEmbedder};
use engine::{Engine, EngineConfig, NodeId, Reader, SearchQuery};
use source::{FileId, FileSet, SourceConfig};
use syntax::{ParseConfig, Parsers};

use crate::flags::Failure;
use crate::retrieval::index::shipped_model;

/// The parsers and the model, loaded once for all folders.
pub(crate) struct Indexer {
    parsers: Parsers,
    embedder: Option<StaticEmbedder>,
}

impl Indexer {
    pub(crate) fn new(by_meaning: bool) -> Result<Indexer, Failure> {
        Ok(Indexer {
            parsers: Parsers::new(ParseConfig::default()),
            embedder: by_meaning.then(shipped_model).transpose()?,
        })
    }

    /// Indexes a folder.
    pub(crate) fn read(&mut self, folder: &Path, name: &str) -> Result<Reader, Failure> {
        let files = crate::folder::read(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let set = FileSet::from_files(files, &SourceConfig::default());
        if set.files.is_empty() {
            return Err(format!("{}: no files", folder.display()).into());
        }
        let config = EngineConfig {
            name: name.to_owned(),
            ..EngineConfig::default()
        };
        let embedder = self.embedder.as_ref().map(|model| model as &dyn Embedder);
        let (_, snapshot) = Engine::index(config, set, &mut self.parsers, embedder, &mut |_| true)?;
        Ok(Reader::new(Arc::new(snapshot))?)
    }

    /// The vector of a query, if vectors are searched.
    pub(crate) fn vector(&self, text: &str) -> Result<Option<Vec<f32>>, Failure> {
        let vector = self.embedder.as_ref().map(|model| model.embed(&[text]));
        Ok(vector.transpose()?)
    }
}

/// The first hit of a search.
pub(crate) struct Asked {
    pub(crate) file: FileId,
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
    pub(crate) symbol: Option<NodeId>,
}

/// Searches for a name as a user would, with the usual weights.
pub(crate) fn first_hit(
    reader: &Reader,
    name: &str,
    vector: Option<&[f32]>,
) -> Result<Option<Asked>, Failure> {
    let query = SearchQuery {
        text: name,
        vector,
        limit: 1,
        grouped: true,
        ..SearchQuery::default()
    };
    let answer = reader.search(&query)?;
    Ok(answer.hits.first().map(|hit| Asked {
        file: hit.chunk.file,
        start_line: hit.chunk.start_line,
        end_line: hit.chunk.end_line,
        symbol: hit.symbol,
    }))
}
