//! Places of areas, files and symbols on a plane: the same for everyone who opens the same index.
//!
//! Areas are the communities: a file belongs to the one that most of its definitions are in; files without such
//! definitions form an area for each folder at the root. Three steps give the places: the symbols of a file fill a disc,
//! the discs of files that use one another are packed beside each other into the disc of their area, and so are the areas.
//!
//! Only additions, products, quotients and square roots in a fixed order, which IEEE 754 rounds alike everywhere, so a
//! page, Node and a server get equal places. Linear but for a sort: not stored, since 50,000 symbols take less time than
//! unpacking the section would (decision 24).

mod pack;

use rustc_hash::FxHashMap;
use source::FileId;
use syntax::order::InOrder;

use crate::kinds::{EdgeKind, NodeId};
use crate::view::{Edge, GraphView};

/// Space around a file, and around an area, in radii of a symbol.
const FILE_GAP: f64 = 0.6;
const AREA_GAP: f64 = 4.0;
/// Share of a file's radius that its symbols fill.
const FILLED: f64 = 0.9;
/// Cosine and sine of the golden angle: symbols fill a disc evenly (Vogel, "A better way to construct the sunflower
/// head", 1979).
const GOLDEN: (f64, f64) = (-0.737_368_878_078_319_7, 0.675_490_294_261_523_8);

/// Kinds of edges by which code depends on code, which draw files and areas together.
pub const USES: [EdgeKind; 7] = [
    EdgeKind::Calls,
    EdgeKind::References,
    EdgeKind::Imports,
    EdgeKind::Extends,
    EdgeKind::Implements,
    EdgeKind::Aliases,
    EdgeKind::Dispatch,
];

/// A place on the plane, which is 65,536 units wide and high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Disc {
    /// From the left.
    pub x: u16,
    /// From the top.
    pub y: u16,
    /// Radius.
    pub r: u16,
}

/// An area: files whose code belongs together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Area {
    /// Its community; none for the files of a folder that are in no community.
    pub community: Option<NodeId>,
    /// Name of the community, or of the folder.
    pub label: String,
    /// Where it is.
    pub disc: Disc,
    /// Its files, by number.
    pub files: Vec<FileId>,
}

/// Where everything is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Atlas {
    /// The areas: communities, the largest first, then folders by name.
    pub areas: Vec<Area>,
    /// Area of each file.
    pub area_of_file: Vec<u32>,
    /// Place of each file.
    pub files: Vec<Disc>,
    /// Place of each symbol, from the first symbol on; their radius is 1.
    pub symbols: Vec<Disc>,
    /// Node of the first symbol.
    pub first_symbol: u32,
}

impl Atlas {
    /// The place of a symbol.
    #[must_use]
    pub fn symbol(&self, symbol: NodeId) -> Option<Disc> {
        let at = symbol.0.checked_sub(self.first_symbol)?;
        self.symbols.get(at as usize).copied()
    }
}

impl GraphView<'_> {
    /// Places areas, files and symbols. O(nodes + edges × log edges), and files × square root of the files of an area.
    #[must_use]
    pub fn atlas(self) -> Atlas {
        let n_files = self.n_files();
        let (mut areas, area_of_file) = self.areas();
        let bonds = self.bonds(n_files);
        let radius = |file: usize| ((self.symbols_of(FileId(file as u32)).len() + 1) as f64).sqrt();
        let radii: Vec<f64> = (0..n_files).map(|file| radius(file) + FILE_GAP).collect();
        let mut at = vec![(0.0, 0.0); n_files];
        let mut area_radii = Vec::with_capacity(areas.len());
        let inner = pack::by_group(&bonds, &area_of_file, areas.len());
        for (area, bonds) in areas.iter().zip(&inner) {
            let sizes: Vec<f64> = area.files.iter().map(|file| radii[file.index()]).collect();
            let local = |file: u32| area.files.partition_point(|other| other.0 < file) as u32;
            let bonds: Vec<(u32, u32, u32)> = bonds
                .iter()
                .map(|(a, b, weight)| (local(*a), local(*b), *weight))
                .collect();
            let packed = pack::pack(&sizes, &bonds);
            for (file, place) in area.files.iter().zip(packed.places) {
                at[file.index()] = place;
            }
            area_radii.push(packed.radius + AREA_GAP);
        }
        let between = pack::between_groups(&bonds, &area_of_file);
        let world = pack::pack(&area_radii, &between);
        let plane = Plane(world.radius);
        for ((area, centre), radius) in areas.iter_mut().zip(&world.places).zip(&area_radii) {
            area.disc = plane.disc(*centre, radius - AREA_GAP / 2.0);
        }
        let mut atlas = Atlas {
            first_symbol: (n_files + self.folders().count()) as u32,
            ..Atlas::default()
        };
        for (file, (area, (x, y))) in area_of_file.iter().zip(&at).enumerate() {
            let centre = world.places[*area as usize];
            let centre = (centre.0 + x, centre.1 + y);
            let radius = radii[file] - FILE_GAP;
            atlas.files.push(plane.disc(centre, radius));
            let n = self.symbols_of(FileId(file as u32)).len();
            plane.sunflower(centre, radius, n, &mut atlas.symbols);
        }
        Atlas {
            areas,
            area_of_file,
            ..atlas
        }
    }

    /// The areas with their files, and the area of each file.
    fn areas(self) -> (Vec<Area>, Vec<u32>) {
        let mut groups: Vec<Result<NodeId, &str>> = (0..self.n_files())
            .map(|file| {
                let file = FileId(file as u32);
                let path = self.path(file);
                let folder = path.split_once('/').map_or("", |(folder, _)| folder);
                self.community_of_file(file).ok_or(folder)
            })
            .collect();
        let of_file = groups.clone();
        groups.order_by(Ord::cmp);
        groups.dedup();
        let mut areas: Vec<Area> = groups
            .iter()
            .map(|group| Area {
                community: group.ok(),
                label: match group {
                    Ok(community) => self.name(*community).to_owned(),
                    Err("") => "Other files".to_owned(),
                    Err(folder) => format!("{folder}/"),
                },
                disc: Disc::default(),
                files: Vec::new(),
            })
            .collect();
        let mut area_of_file = Vec::with_capacity(of_file.len());
        for (file, group) in (0..).zip(of_file) {
            let area = groups.binary_search(&group).unwrap_or(0);
            area_of_file.push(area as u32);
            areas[area].files.push(FileId(file));
        }
        (areas, area_of_file)
    }

    /// The community of most of a file's definitions; of several the first.
    fn community_of_file(self, file: FileId) -> Option<NodeId> {
        let members = self
            .symbols_of(file)
            .filter_map(|symbol| self.community_of(symbol));
        let mut members: Vec<NodeId> = members.collect();
        members.order_by(Ord::cmp);
        let runs = members.chunk_by(|a, b| a == b);
        let most = runs.max_by_key(|run| (run.len(), std::cmp::Reverse(run[0])));
        most.map(|run| run[0])
    }

    /// How many uses of each other pairs of files have.
    fn bonds(self, n_files: usize) -> Vec<(u32, u32, u32)> {
        let mut pairs: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for edge in self.edges().filter(|edge| USES.contains(&edge.kind)) {
            let Some((a, b)) = self.files_of(&edge) else {
                continue;
            };
            if a != b && (a.max(b) as usize) < n_files {
                *pairs.entry((a.min(b), a.max(b))).or_default() += 1;
            }
        }
        let mut bonds: Vec<(u32, u32, u32)> = pairs
            .into_iter()
            .map(|((a, b), weight)| (a, b, weight))
            .collect();
        bonds.order_by(Ord::cmp);
        bonds
    }

    /// The files at both ends of an edge.
    fn files_of(self, edge: &Edge) -> Option<(u32, u32)> {
        let (source, target) = (self.file_of(edge.source)?, self.file_of(edge.target)?);
        Some((source.0, target.0))
    }
}

/// Turns places around an origin into units of the plane; holds the radius of everything.
struct Plane(f64);

impl Plane {
    fn disc(&self, (x, y): (f64, f64), r: f64) -> Disc {
        let scale = 32_767.0 / self.0.max(1.0);
        // Casts of floats to integers saturate, so no place leaves the plane.
        let unit = |value: f64| (32_768.0 + value * scale).round() as u16;
        Disc {
            x: unit(x),
            y: unit(y),
            r: (r * scale).round().max(1.0) as u16,
        }
    }

    /// Adds the places of `n` symbols of a file.
    fn sunflower(&self, centre: (f64, f64), radius: f64, n: usize, symbols: &mut Vec<Disc>) {
        let (mut x, mut y) = (1.0, 0.0);
        for place in 0..n {
            let away = radius * FILLED * ((place as f64 + 0.5) / n as f64).sqrt();
            let disc = self.disc((centre.0 + x * away, centre.1 + y * away), 0.0);
            symbols.push(disc);
            (x, y) = (x * GOLDEN.0 - y * GOLDEN.1, x * GOLDEN.1 + y * GOLDEN.0);
        }
    }
}
