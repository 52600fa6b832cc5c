//! Map of the repository: areas, files and symbols with their places, and the edges between them, summed up.

use graph::{Area, Atlas, Disc, EdgeKind, NodeId, NodeKind};
use rustc_hash::FxHashMap;
use source::FileId;

use crate::ask::walks::WalkWords;
use crate::{Error, FileFilter, Reader};
use syntax::order::InOrder;

/// The finest things that a map shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AtlasLevel {
    /// Areas alone.
    Areas,
    /// Files in their areas.
    #[default]
    Files,
    /// Symbols in their files.
    Symbols,
}

/// Which part of the map to return.
#[derive(Debug, Clone, Copy)]
pub struct AtlasQuery<'a> {
    /// The finest things.
    pub level: AtlasLevel,
    /// Only the files of this area: its label or its place in the list of areas.
    pub area: Option<&'a str>,
    /// Only these files.
    pub files: &'a FileFilter,
    /// Kinds and confidence of edges; direction, depth and nodes do not count.
    pub words: WalkWords<'a>,
    /// Number of the finest things to skip.
    pub offset: usize,
    /// Maximum number of the finest things.
    pub limit: usize,
    /// Maximum number of edges; those with the most uses are kept.
    pub max_edges: usize,
}

/// A part of the map. Edges are between places in the finest list.
#[derive(Debug, Clone, PartialEq)]
pub struct AtlasPart {
    /// Everything's place.
    pub atlas: Atlas,
    /// Numbers of the areas; all of them unless one was asked for.
    pub areas: Vec<u32>,
    /// Files, by number.
    pub files: Vec<FileId>,
    /// Symbols, by number.
    pub symbols: Vec<NodeId>,
    /// Number of the finest things without offset and limit.
    pub total: usize,
    /// The edges with the most uses, by source, target and kind.
    pub edges: Vec<AtlasEdge>,
    /// Number of edges before they were limited.
    pub n_edges: usize,
}

/// Edges of one kind between two things of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtlasEdge {
    /// Place of the source in the list.
    pub source: u32,
    /// Place of the target in the list.
    pub target: u32,
    /// Their kind.
    pub kind: EdgeKind,
    /// Number of edges.
    pub n: u32,
    /// Mean confidence in percent.
    pub confidence: u8,
}

/// Figures of files or symbols by which a map is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AtlasFigures {
    /// Definitions.
    pub n_symbols: u32,
    /// Lines.
    pub n_lines: u32,
    /// Sum of the cyclomatic complexity of the functions.
    pub complexity: u32,
    /// Files of tests.
    pub n_tests: u32,
}

impl Reader {
    /// Returns a part of the map. Linear in the graph; the places do not depend on the query.
    ///
    /// # Errors
    ///
    /// `query.invalid` for an area that there is not, and for unknown kinds of edges.
    pub fn atlas(&self, query: &AtlasQuery<'_>) -> Result<AtlasPart, Error> {
        let graph = self.graph();
        let atlas = graph.atlas();
        let areas = match query.area {
            Some(area) => vec![self.select_area(&atlas, area)?],
            None => (0..atlas.areas.len() as u32).collect(),
        };
        let passes = |file: &FileId| {
            query.files.is_open() || query.files.passes(self.path(*file), self.language(*file))
        };
        let mut part = AtlasPart {
            areas,
            atlas,
            files: Vec::new(),
            symbols: Vec::new(),
            total: 0,
            edges: Vec::new(),
            n_edges: 0,
        };
        if query.level != AtlasLevel::Areas {
            let areas = part
                .areas
                .iter()
                .filter_map(|area| part.atlas.areas.get(*area as usize));
            part.files = areas
                .flat_map(|area| area.files.iter().copied())
                .filter(passes)
                .collect();
            part.files.order_by_key(|file| file.0);
        }
        match query.level {
            AtlasLevel::Areas => part.total = cut(&mut part.areas, query),
            AtlasLevel::Files => part.total = cut(&mut part.files, query),
            AtlasLevel::Symbols => {
                let symbols = part.files.iter().flat_map(|file| graph.symbols_of(*file));
                part.symbols = symbols.collect();
                part.total = cut(&mut part.symbols, query);
            }
        }
        self.sum_edges(&mut part, query)?;
        Ok(part)
    }

    /// Sums the edges between the finest things, and keeps those with the most uses.
    fn sum_edges(&self, part: &mut AtlasPart, query: &AtlasQuery<'_>) -> Result<(), Error> {
        let graph = self.graph();
        let config = query.words.config()?;
        let place = |node: NodeId| -> Option<u32> {
            let file = || graph.file_of(node);
            let found = match query.level {
                AtlasLevel::Areas => {
                    let area = part.atlas.area_of_file.get(file()?.index())?;
                    part.areas.binary_search(area)
                }
                AtlasLevel::Files => part.files.binary_search(&file()?),
                AtlasLevel::Symbols => part.symbols.binary_search(&node),
            };
            found.ok().map(|place| place as u32)
        };
        let mut sums: FxHashMap<(u32, u32, EdgeKind), (u32, u64)> = FxHashMap::default();
        for edge in graph.edges().filter(|edge| config.follows(edge)) {
            let (Some(source), Some(target)) = (place(edge.source), place(edge.target)) else {
                continue;
            };
            if source != target {
                let (n, sum) = sums.entry((source, target, edge.kind)).or_default();
                *n += 1;
                *sum += u64::from(edge.confidence);
            }
        }
        let mut edges: Vec<AtlasEdge> = sums
            .into_iter()
            .map(|((source, target, kind), (n, sum))| AtlasEdge {
                source,
                target,
                kind,
                n,
                confidence: (sum / u64::from(n.max(1))) as u8,
            })
            .collect();
        let by_place = |edge: &AtlasEdge| (edge.source, edge.target, edge.kind);
        edges.order_by_key(|edge| (std::cmp::Reverse((edge.n, edge.confidence)), by_place(edge)));
        part.n_edges = edges.len();
        edges.truncate(query.max_edges);
        edges.order_by_key(by_place);
        part.edges = edges;
        Ok(())
    }

    /// The area with this label, or at this place of the list.
    fn select_area(&self, atlas: &Atlas, selector: &str) -> Result<u32, Error> {
        let by_label = atlas.areas.iter().position(|area| area.label == selector);
        let by_place = || selector.parse().ok().filter(|at| *at < atlas.areas.len());
        if let Some(at) = by_label.or_else(by_place) {
            return Ok(at as u32);
        }
        // A community without files of its own is an error with the words of every other one.
        let community = self.select_group(NodeKind::Community, selector)?;
        let of = |area: &Area| area.community == Some(community);
        let at = atlas.areas.iter().position(of);
        at.map(|at| at as u32).ok_or_else(|| {
            let message = format!("no file belongs mostly to the community {selector:?}");
            Error::new(crate::ErrorKind::QueryInvalid, message)
                .with_help("its definitions are in files of other areas: ask for their area")
        })
    }

    /// The figures of one file.
    #[must_use]
    pub fn figures(&self, file: FileId) -> AtlasFigures {
        let graph = self.graph();
        let symbols = graph.symbols_of(file);
        AtlasFigures {
            n_symbols: symbols.len() as u32,
            n_lines: self.n_lines(file),
            complexity: symbols
                .map(|symbol| u32::from(graph.node(symbol).complexity))
                .sum(),
            n_tests: u32::from(self.is_test(NodeId(file.0))),
        }
    }

    /// The figures of an area: the sums of its files.
    #[must_use]
    pub fn figures_of_area(&self, area: &Area) -> AtlasFigures {
        let add = |sum: AtlasFigures, file: &FileId| {
            let file = self.figures(*file);
            AtlasFigures {
                n_symbols: sum.n_symbols + file.n_symbols,
                n_lines: sum.n_lines.saturating_add(file.n_lines),
                complexity: sum.complexity.saturating_add(file.complexity),
                n_tests: sum.n_tests + file.n_tests,
            }
        };
        area.files.iter().fold(AtlasFigures::default(), add)
    }
}

impl AtlasPart {
    /// The place of a file.
    #[must_use]
    pub fn file(&self, file: FileId) -> Disc {
        self.atlas
            .files
            .get(file.index())
            .copied()
            .unwrap_or_default()
    }
}

/// Keeps the part of a list that was asked for; returns the length of the whole list.
fn cut<T>(list: &mut Vec<T>, query: &AtlasQuery<'_>) -> usize {
    let total = list.len();
    list.drain(..query.offset.min(total));
    list.truncate(query.limit);
    total
}
