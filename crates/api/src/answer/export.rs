//! The graph for other tools.

use engine::{ExportQuery, FileFilter, Reader, WalkWords};

use super::percent;
use super::walk::ways;
use crate::{ErrorBody, ExportRequest, ExportResponse, ExportedFile};

/// A piece of the graph as files.
///
/// # Errors
///
/// `export.too-large`, `query.invalid`, `glob.syntax`, `symbol.not-found`, `file.not-found`.
pub fn export(reader: &Reader, request: &ExportRequest) -> Result<ExportResponse, ErrorBody> {
    let query = ExportQuery {
        format: &request.format,
        from: request.from.as_deref(),
        to: request.to.as_deref(),
        process: request.process.as_deref(),
        link: request.link.as_deref(),
        words: WalkWords {
            ways: ways(request.direction),
            edges: &request.edges,
            nodes: &request.nodes,
            depth: request
                .depth
                .unwrap_or(if request.to.is_some() { 10 } else { 2 }),
            min_confidence: percent(request.min_confidence)?,
            max_nodes: request.max_nodes.map_or(usize::MAX, |most| most as usize),
        },
        files: &FileFilter::new(&request.paths, &[])?,
    };
    let exported = reader.export(&query)?;
    let file = |file: engine::ExportedFile| ExportedFile {
        name: file.name.to_owned(),
        text: file.text,
    };
    Ok(ExportResponse {
        files: exported.files.into_iter().map(file).collect(),
        n_nodes: exported.n_nodes as u32,
        n_edges: exported.n_edges as u32,
    })
}
