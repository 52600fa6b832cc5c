//! The map of the repository.

use engine::{AtlasPart, AtlasQuery, FileFilter, Reader, Ways};

use super::{limit, percent};
use crate::paging::Paged;
use crate::{
    AtlasArea, AtlasEdges, AtlasFile, AtlasLevel, AtlasRequest, AtlasResponse, AtlasSymbols,
    ErrorBody, Page,
};

const MOST_THINGS: u32 = 100_000;
const MOST_EDGES: u32 = 200_000;

/// A part of the map.
///
/// # Errors
///
/// `query.invalid`, `query.empty`, `glob.syntax`.
pub fn atlas(reader: &Reader, request: &AtlasRequest) -> Result<AtlasResponse, ErrorBody> {
    let query = AtlasQuery {
        level: match request.level {
            AtlasLevel::Areas => engine::AtlasLevel::Areas,
            AtlasLevel::Files => engine::AtlasLevel::Files,
            AtlasLevel::Symbols => engine::AtlasLevel::Symbols,
        },
        area: request.area.as_deref(),
        files: &FileFilter::new(&request.paths, &[])?,
        words: engine::WalkWords {
            ways: Ways::Out,
            edges: &request.edges,
            nodes: &[],
            depth: 1,
            min_confidence: percent(request.min_confidence)?,
            max_nodes: usize::MAX,
        },
        offset: request.offset(),
        limit: limit(request.limit, 1_000, MOST_THINGS)?,
        max_edges: request.max_edges.unwrap_or(2_000).min(MOST_EDGES) as usize,
    };
    let part = reader.atlas(&query)?;
    let n_shown = match request.level {
        AtlasLevel::Areas => part.areas.len(),
        AtlasLevel::Files => part.files.len(),
        AtlasLevel::Symbols => part.symbols.len(),
    };
    Ok(AtlasResponse {
        areas: part
            .areas
            .iter()
            .filter_map(|at| area(reader, &part, *at))
            .collect(),
        files: files(reader, &part),
        symbols: symbols(reader, &part),
        edges: edges(&part),
        page: Page {
            total: part.total as u32,
            offset: query.offset as u32,
            truncated: query.offset.saturating_add(n_shown) < part.total,
        },
    })
}

fn area(reader: &Reader, part: &AtlasPart, at: u32) -> Option<AtlasArea> {
    let area = part.atlas.areas.get(at as usize)?;
    let figures = reader.figures_of_area(area);
    Some(AtlasArea {
        area: at,
        label: area.label.clone(),
        is_community: area.community.is_some(),
        x: area.disc.x,
        y: area.disc.y,
        r: area.disc.r,
        n_files: area.files.len() as u32,
        n_tests: figures.n_tests,
        n_symbols: figures.n_symbols,
        n_lines: figures.n_lines,
        complexity: figures.complexity,
    })
}

fn files(reader: &Reader, part: &AtlasPart) -> Vec<AtlasFile> {
    let file = |file: &engine::FileId| {
        let (disc, figures) = (part.file(*file), reader.figures(*file));
        AtlasFile {
            path: reader.path(*file).to_owned(),
            language: reader.language_name(*file).to_owned(),
            area: part
                .atlas
                .area_of_file
                .get(file.index())
                .copied()
                .unwrap_or(0),
            x: disc.x,
            y: disc.y,
            r: disc.r,
            n_symbols: figures.n_symbols,
            n_lines: figures.n_lines,
            complexity: figures.complexity,
            is_test: figures.n_tests > 0,
        }
    };
    part.files.iter().map(file).collect()
}

fn symbols(reader: &Reader, part: &AtlasPart) -> AtlasSymbols {
    let graph = reader.graph();
    let mut columns = AtlasSymbols::default();
    for id in &part.symbols {
        let node = graph.node(*id);
        let disc = part.atlas.symbol(*id).unwrap_or_default();
        let file = node
            .file
            .and_then(|file| part.files.binary_search(&file).ok());
        let kind = node.symbol_kind.map_or("", engine::kind_name);
        columns.kind.push(number(&mut columns.kinds, kind));
        columns.name.push(node.name.to_owned());
        columns.file.push(file.unwrap_or(0) as u32);
        columns
            .line
            .push(node.name_span.start_line.saturating_add(1));
        columns.complexity.push(node.complexity);
        columns.x.push(disc.x);
        columns.y.push(disc.y);
    }
    columns
}

fn edges(part: &AtlasPart) -> AtlasEdges {
    let mut columns = AtlasEdges {
        total: part.n_edges as u32,
        ..AtlasEdges::default()
    };
    for edge in &part.edges {
        columns.source.push(edge.source);
        columns.target.push(edge.target);
        columns
            .kind
            .push(number(&mut columns.kinds, edge.kind.name()));
        columns.count.push(edge.n);
        columns.confidence.push(edge.confidence);
    }
    columns
}

/// The place of a name in a short list, to which new names are added.
fn number(names: &mut Vec<String>, name: &str) -> u8 {
    let known = names.iter().position(|known| known == name);
    let at = known.unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    });
    at as u8
}
