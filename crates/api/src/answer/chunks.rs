//! Chunks of a file.

use std::fmt::Write;

use engine::{ChunkDetail, Reader, UsedImport};

use super::symbol_ref;
use crate::{ChunkImport, ChunkInfo, ChunksRequest, ChunksResponse, ErrorBody};

/// The chunks of a file with all that is known of each.
///
/// # Errors
///
/// `file.not-found`, `snapshot.damaged`.
pub fn chunks(reader: &Reader, request: &ChunksRequest) -> Result<ChunksResponse, ErrorBody> {
    let file = reader.file(&request.path)?;
    let mut texts = match request.embedding_text {
        Some(true) => reader.embedding_texts(&request.path)?,
        _ => Vec::new(),
    }
    .into_iter();
    let chunks = reader.chunks(&request.path)?.into_iter();
    Ok(ChunksResponse {
        path: reader.path(file).to_owned(),
        language: reader.language(file).name().to_owned(),
        chunks: chunks
            .map(|chunk| info(reader, chunk, texts.next()))
            .collect(),
    })
}

fn info(reader: &Reader, chunk: ChunkDetail, embedding_text: Option<String>) -> ChunkInfo {
    let names = chunk.scope.iter().map(|node| reader.graph().name(*node));
    ChunkInfo {
        id: chunk.id.0,
        start_line: chunk.meta.start_line.saturating_add(1),
        end_line: chunk.meta.end_line.saturating_add(1),
        symbol: chunk.symbol.map(|node| symbol_ref(reader, node)),
        scope: names.map(str::to_owned).collect(),
        defines: chunk
            .defines
            .iter()
            .map(|node| symbol_ref(reader, *node))
            .collect(),
        imports: chunk.imports.into_iter().map(import).collect(),
        node_kind: chunk.node_kind,
        complexity: u32::from(chunk.complexity),
        n_chars: chunk.n_chars,
        hash: chunk.hash.as_ref().map(hex).unwrap_or_default(),
        embedding_text,
    }
}

fn import(used: UsedImport) -> ChunkImport {
    ChunkImport {
        module: used.module,
        name: used.name,
        local: used.local,
    }
}

fn hex(digest: &[u8; 32]) -> String {
    digest.iter().fold(String::new(), |mut out, byte| {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}
