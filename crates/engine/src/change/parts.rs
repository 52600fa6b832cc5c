//! Builds an index in parts, each of which is a snapshot of some of the files: [`AllFiles`] keeps of every file what the
//! others resolve their names with, [`Engine::build_part`] makes the snapshot of a part.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use ::graph::frozen::Graph;
use ::graph::{
    Each, FileId, InputFile, Joint, JointBuilder, Layout, LayoutShape, PartResolution, in_turn,
};
use resolve::{Declared, Manifest, is_manifest, resolve_files};
use search::{Lexical, NamesBuilder, classify};
use snapshot::{
    Chunks, Counts, Files, Info, Packers, ProblemEntry, Section, SectionKind, by_number,
};
use source::Skipped;
use syntax::facts::{FileFacts, SymbolKind};

use crate::change::build::{build_of, freeze, freeze_sized};
use crate::change::index::{Engine, EngineConfig, Stamp};
use crate::change::info::{info_of, problems_of};
use crate::merkle::with_folders;
use crate::{Error, ErrorKind, Snapshot};

/// The kept data of the files of all parts: their interfaces ([`FileFacts::only_interface`]) and what lists of files say.
#[derive(Default)]
pub struct AllFiles {
    config: EngineConfig,
    files: BTreeMap<String, Kept>,
    skipped: BTreeMap<String, Skipped>,
    /// The declarations of all interfaces, and the numbers of all nodes: made for the first part.
    declared: Option<Box<(Declared, LayoutShape)>>,
    /// Model and dimensions of the vectors, if parts have any.
    model: Option<(String, usize)>,
    n_vectors: u32,
}

/// The kept data of one file.
struct Kept {
    interface: FileFacts,
    digest: [u8; 32],
    n_bytes: u32,
    n_chunks: u32,
    stamp: Option<Stamp>,
    /// The text of a project file, which says where modules are.
    manifest: Option<String>,
    problems: Vec<ProblemEntry>,
}

impl AllFiles {
    /// Creates an empty list for an index of this name and options.
    #[must_use]
    pub fn new(config: EngineConfig) -> Self {
        Self {
            config,
            ..Self::default()
        }
    }

    /// Adds the files of a part. Linear in their facts.
    ///
    /// # Errors
    ///
    /// `query.unsupported` for an engine with documents of a compiler's index.
    pub fn add(&mut self, engine: &Engine) -> Result<(), Error> {
        if !engine.scip.is_empty() {
            let message = "an index in shards cannot take in a compiler's index";
            return Err(Error::new(ErrorKind::QueryUnsupported, message)
                .with_help("index without it, or with a larger memory budget in one piece"));
        }
        self.declared = None;
        for (path, entry) in &engine.files {
            let facts = &entry.unit.facts;
            let kept = Kept {
                interface: facts.only_interface(),
                digest: entry.digest,
                n_bytes: entry.text.len() as u32,
                n_chunks: facts.chunks.len() as u32,
                stamp: entry.stamp,
                manifest: is_manifest(path).then(|| entry.text.to_string()),
                problems: problems_of(0, facts).collect(),
            };
            self.files.insert(path.clone(), kept);
        }
        Ok(())
    }

    /// Notes that a file or folder was left out, and why.
    pub fn skip(&mut self, skipped: Skipped) {
        self.skipped.insert(skipped.path.clone(), skipped);
    }

    /// Paths of all files, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Path, bytes and imported modules of each file, in order.
    pub fn imports(&self) -> impl Iterator<Item = (&str, u64, Vec<&str>)> {
        self.files.iter().map(|(path, kept)| {
            let imports = kept.interface.imports.iter();
            let modules = imports.map(|import| import.module.as_str()).collect();
            (path.as_str(), u64::from(kept.n_bytes), modules)
        })
    }

    /// The facts that are kept of each file, in order.
    pub fn interfaces(&self) -> impl Iterator<Item = (&str, &FileFacts)> {
        let files = self.files.iter();
        files.map(|(path, kept)| (path.as_str(), &kept.interface))
    }

    /// Resolves the names in the files of a part, which are those of `engine`, and returns what its graph is made of.
    pub fn resolved(
        &mut self,
        engine: &Engine,
        part: u16,
        joint: &mut JointBuilder,
    ) -> PartResolution {
        let keys = engine.files.values().flat_map(|entry| &entry.keys);
        self.n_vectors += keys.filter(|key| engine.vectors.has(**key)).count() as u32;
        if self.n_vectors > 0 {
            self.model = Some((engine.vectors.model.clone(), engine.vectors.dim));
        }
        let declared = self.declared.take();
        // Both lists are in order: the next file of the part is found without a search.
        let mut of_part = engine.files.iter();
        let mut next = of_part.next();
        let files: Vec<InputFile<'_>> = (self.files.iter())
            .map(|(path, kept)| InputFile {
                path,
                facts: match next {
                    Some((own, entry)) if own == path => {
                        next = of_part.next();
                        &entry.unit.facts
                    }
                    _ => &kept.interface,
                },
            })
            .collect();
        let mut declared = declared.unwrap_or_else(|| declared_in(&files));
        let (names, shape) = &mut *declared;
        let layout = Layout::of_shape(&files, shape);
        let own: Vec<FileId> = joint.files_of(part).collect();
        names.set_locals(&layout, own.iter().copied());
        let resolution = resolve_files(&layout, names, &self.manifests(), own);
        let resolution = joint.add(part, &layout, resolution);
        drop(files);
        self.declared = Some(declared);
        resolution
    }

    /// Makes the tables of all names before the first part needs them. Else that part makes them.
    pub fn declare(&mut self) {
        self.declared = Some(declared_in(&self.interfaces_in_order()));
    }

    /// The files with the facts that are kept of them.
    fn interfaces_in_order(&self) -> Vec<InputFile<'_>> {
        let files = self.interfaces();
        files
            .map(|(path, facts)| InputFile { path, facts })
            .collect()
    }

    /// Makes the joint of all parts. No part can be resolved afterwards: what only that reads is forgotten first, since this
    /// takes as much memory again.
    #[must_use]
    pub fn joint(&mut self, joint: JointBuilder) -> Joint {
        self.joint_beside(joint, &mut in_turn, &|_| {})
    }

    /// As [`AllFiles::joint`]; `each` as in [`JointBuilder::finish`]. The section of names is made beside it, from copies, so it takes more
    /// memory.
    ///
    /// # Errors
    ///
    /// `index.too-large` where the section would pass 2 GiB.
    pub fn joint_and_names(
        &mut self,
        joint: JointBuilder,
        each: Each<'_>,
    ) -> Result<(Joint, Option<Names>), Error> {
        let names = OnceLock::new();
        let joint = self.joint_beside(joint, each, &|layout| {
            names.get_or_init(|| named(layout));
        });
        Ok((joint, names.into_inner().transpose()?.map(Names)))
    }

    fn joint_beside(
        &mut self,
        joint: JointBuilder,
        each: Each<'_>,
        then: &(dyn Fn(&Layout<'_>) + Sync),
    ) -> Joint {
        self.declared = None;
        for kept in self.files.values_mut() {
            kept.interface.forget_values();
        }
        let files = self.interfaces_in_order();
        let layout = Layout::new(&files);
        joint.finish(&layout, each, &|| then(&layout))
    }

    fn manifests(&self) -> Vec<Manifest<'_>> {
        let files = self.files.iter();
        files
            .filter_map(|(path, kept)| {
                let text = kept.manifest.as_deref()?;
                Some(Manifest { path, text })
            })
            .collect()
    }

    /// Makes the sections that are of no part: what the index is, its files and its names, if they are not made yet. The sections of chunks, words
    /// and graph are there and empty.
    ///
    /// # Errors
    ///
    /// `index.too-large` where a section would pass 2 GiB.
    pub fn root(
        self,
        joint: &Joint,
        names: Option<Names>,
        now_millis: f64,
    ) -> Result<Snapshot, Error> {
        let sections = vec![
            section(SectionKind::Info, &self.info(joint, now_millis))?,
            section(SectionKind::Files, &self.list())?,
            section(SectionKind::Graph, &Graph::default())?,
            section(SectionKind::Chunks, &Chunks::default())?,
            section(SectionKind::Lexical, &Lexical::default())?,
            match names {
                Some(Names(names)) => (SectionKind::Names, names),
                None => self.names(joint)?,
            },
        ];
        Ok(Snapshot::assemble(None, sections))
    }

    fn info(&self, joint: &Joint, now_millis: f64) -> Info {
        let symbols = || {
            let files = self.files.values();
            files.flat_map(|kept| &kept.interface.symbols)
        };
        let counts = Counts {
            n_symbols: symbols().count() as u32,
            n_chunks: self.files.values().map(|kept| kept.n_chunks).sum(),
            n_vectors: self.n_vectors,
            n_edges: joint.n_edges,
            kinds: by_number(symbols().map(|symbol| symbol.kind as u8)),
            edges: joint.edge_kinds.clone(),
        };
        let model = self.model.as_ref();
        let stamps: Vec<Option<Stamp>> = self.files.values().map(|kept| kept.stamp).collect();
        let problems = (0..).zip(self.files.values()).flat_map(|(file, kept)| {
            let problems = kept.problems.iter().cloned();
            problems.map(move |problem| ProblemEntry { file, ..problem })
        });
        Info {
            counts,
            problems: problems.collect(),
            ..info_of(
                &self.config,
                model.map(|(name, dim)| (name.as_str(), *dim)),
                &stamps,
                self.skipped.values(),
                now_millis,
            )
        }
    }

    fn list(&self) -> Files {
        let files = || self.files.values();
        with_folders(Files {
            paths: self.paths().collect(),
            languages: files().map(|kept| kept.interface.language).collect(),
            digests: files().map(|kept| kept.digest).collect(),
            n_bytes: files().map(|kept| kept.n_bytes).collect(),
            n_lines: files().map(|kept| kept.interface.n_lines).collect(),
            classes: self.paths().map(|path| classify(path).bits()).collect(),
            ..Files::default()
        })
    }

    /// The names of all symbols. An interface is freed when its names are taken, which are moved rather than copied.
    fn names(self, joint: &Joint) -> Result<(SectionKind, Section), Error> {
        let mut names = NamesBuilder::default();
        for (kept, first) in self.files.into_values().zip(&joint.symbol_offsets) {
            for (node, symbol) in (*first..).zip(kept.interface.symbols) {
                if symbol.kind != SymbolKind::Impl {
                    names.add(symbol.name, node);
                }
            }
        }
        Ok((SectionKind::Names, frozen(names)?))
    }
}

/// The tables of all names, and the numbers of all nodes.
fn declared_in(files: &[InputFile<'_>]) -> Box<(Declared, LayoutShape)> {
    let layout = Layout::new(files);
    Box::new((Declared::of_interfaces(&layout), layout.shape()))
}

/// The section of names of an index in parts.
pub struct Names(Section);

/// The names of all symbols of a layout.
fn named(layout: &Layout<'_>) -> Result<Section, Error> {
    let mut names = NamesBuilder::default();
    for (node, (_, symbol)) in (layout.first_symbol()..).zip(layout.symbols()) {
        if symbol.kind != SymbolKind::Impl {
            names.add(symbol.name.clone(), node);
        }
    }
    frozen(names)
}

fn frozen(names: NamesBuilder) -> Result<Section, Error> {
    let names = names.build();
    freeze_sized(&names, SectionKind::Names, names.n_bytes())
}

fn section<T>(kind: SectionKind, value: &T) -> Result<(SectionKind, Section), Error>
where
    T: for<'a> rkyv::Serialize<
            rkyv::api::high::HighSerializer<
                rkyv::util::AlignedVec,
                rkyv::ser::allocator::ArenaHandle<'a>,
                rkyv::rancor::Error,
            >,
        >,
{
    Ok((kind, freeze(value, kind)?))
}

impl Engine {
    /// Name and options.
    #[must_use]
    pub fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// Builds the snapshot of a part from what [`AllFiles::resolved`] says of it.
    ///
    /// # Errors
    ///
    /// As [`Engine::build`].
    pub fn build_part(
        &self,
        resolution: PartResolution,
        now_millis: f64,
        packers: &mut dyn Packers,
    ) -> Result<Snapshot, Error> {
        let files: Vec<InputFile<'_>> = (self.files.iter())
            .map(|(path, entry)| InputFile {
                path,
                facts: &entry.unit.facts,
            })
            .collect();
        build_of(self, resolution.graph(&files), now_millis, packers)
    }
}
