//! The texts that have no vector yet, for a host that embeds them here or in other threads.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use snapshot::Text;
use syntax::facts::{Chunk, FileFacts};

use crate::change::index::{Engine, Entry};
use crate::contextual::Contextual;

/// A text to embed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddingTask {
    /// Key to pass to [`Engine::set_vectors`] with the vector.
    pub key: u64,
    /// The text to embed.
    pub text: String,
}

/// Chunks of a file that have no vector yet. Shares text and facts with the engine, so it takes no memory until its texts are made,
/// in any thread.
#[derive(Debug, Clone)]
pub struct PendingFile {
    path: String,
    text: Text,
    facts: Arc<FileFacts>,
    /// Key and number of each chunk.
    chunks: Vec<(u64, u32)>,
}

impl PendingFile {
    /// Keys to pass to [`Engine::set_rows`], in the order of [`PendingFile::texts`].
    pub fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        self.chunks.iter().map(|(key, _)| *key)
    }

    /// Number of chunks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Bytes of the chunks.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        let length = |chunk: &Chunk| chunk.span.end.saturating_sub(chunk.span.start) as usize;
        self.chunks().map(length).sum()
    }

    /// Makes the texts to embed.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        let contextual = Contextual::new(&self.path, &self.text, &self.facts);
        self.chunks().map(|chunk| contextual.text(chunk)).collect()
    }

    fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        let numbers = self.chunks.iter();
        numbers.filter_map(|(_, number)| self.facts.chunks.get(*number as usize))
    }
}

impl Engine {
    /// Up to `limit` texts that have no vector yet, in file order, each once.
    #[must_use]
    pub fn pending_embeddings(&self, limit: usize) -> Vec<EmbeddingTask> {
        let mut tasks = Vec::new();
        for (path, entry, chunks) in self.pending() {
            let contextual = Contextual::new(path, &entry.text, &entry.unit.facts);
            for (key, number) in chunks {
                if tasks.len() >= limit {
                    return tasks;
                }
                let chunk = entry.unit.facts.chunks.get(number as usize);
                tasks.extend(chunk.map(|chunk| EmbeddingTask {
                    key,
                    text: contextual.text(chunk),
                }));
            }
        }
        tasks
    }

    /// The chunks of [`Engine::pending_embeddings`], up to `max_chunks` of a file together.
    #[must_use]
    pub fn pending_files(&self, max_chunks: usize) -> Vec<PendingFile> {
        let mut files = Vec::new();
        for (path, entry, chunks) in self.pending() {
            files.extend(chunks.chunks(max_chunks.max(1)).map(|chunks| PendingFile {
                path: path.to_owned(),
                text: entry.text.clone(),
                facts: Arc::clone(&entry.unit.facts),
                chunks: chunks.to_owned(),
            }));
        }
        files
    }

    /// Number of texts that have no vector yet.
    #[must_use]
    pub fn n_pending_embeddings(&self) -> usize {
        self.pending().map(|(_, _, chunks)| chunks.len()).sum()
    }

    /// Each file with key and number of its chunks whose texts have no vector and are not of a chunk before them.
    fn pending(&self) -> impl Iterator<Item = (&str, &Entry, Vec<(u64, u32)>)> {
        let mut asked = FxHashSet::default();
        self.files.iter().map(move |(path, entry)| {
            let keys = entry.keys.iter().copied().zip(0..);
            let chunks = keys.filter(|(key, _)| !self.vectors.has(*key) && asked.insert(*key));
            (path.as_str(), entry, chunks.collect())
        })
    }
}

#[cfg(all(test, feature = "all-languages"))]
mod tests {
    use crate::{Engine, EngineConfig, read_file};

    #[test]
    fn pieces_of_files_have_the_texts_of_the_list() {
        let mut parsers = syntax::Parsers::new(syntax::ParseConfig::default());
        let mut engine = Engine::new(EngineConfig::default());
        let section = |n: usize| format!("# Heading {n}\n\n{}\n\n", "words ".repeat(400));
        let text: String = (0..9).map(section).collect();
        // The second file has texts of its own, since the path is part of them.
        for path in ["a.md", "b.md"] {
            let unit = read_file(&mut parsers, path, &text);
            engine.put(path, text.as_str(), unit);
        }
        let tasks = engine.pending_embeddings(usize::MAX);
        assert!(tasks.len() > 4, "{}", tasks.len());
        let files = engine.pending_files(2);
        assert!(files.iter().all(|file| (1..=2).contains(&file.len())));
        assert!(files.iter().all(|file| file.n_bytes() > 0));
        let keys = files.iter().flat_map(|file| file.keys());
        let texts = files.iter().flat_map(|file| file.texts());
        let made: Vec<_> = keys.zip(texts).collect();
        let listed: Vec<_> = tasks
            .into_iter()
            .map(|task| (task.key, task.text))
            .collect();
        assert_eq!(made, listed);
        assert_eq!(engine.n_pending_embeddings(), made.len());
    }
}
