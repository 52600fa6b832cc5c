//! What a model should read of a chunk: its text, and where it comes from.

use crate::paths::embedding_words;
use crate::terms::ChunkText;

/// How often the words of the path stand before the text. A static model takes the mean over all tokens, so this is their weight: at
/// 1 a long chunk drowns them, at 3 chunks are found by their file's name.
const PATH_REPEATS: usize = 3;

/// The text to embed for a chunk. Queries are embedded as they are.
#[must_use]
pub fn embedding_text(chunk: &ChunkText<'_>) -> String {
    let path = embedding_words(chunk.path);
    let mut text = String::with_capacity((path.len() + 1) * PATH_REPEATS + chunk.body.len());
    for _ in 0..PATH_REPEATS {
        text.push_str(&path);
        text.push('\n');
    }
    text.push_str(chunk.body);
    text
}
