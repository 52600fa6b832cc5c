//! Snapshots with encrypted paths: sections that name paths are written again, and their originals are stored encrypted.
//!
//! Files keep their numbers, so chunks, names and vectors stay as they are, byte by byte. The caller encrypts paths
//! and originals: see the crate `seal`.

use std::collections::HashMap;

use graph::NodeKind;
use graph::frozen::{Graph, Strings};
use rkyv::rancor;
use rustc_hash::FxHashMap;
use search::Lexical;

use super::archive::{archive, archived_in};
use super::view::View;
use super::{SECTIONS, Section, SectionKind, Snapshot, container, damaged};
use crate::Error;
use crate::frozen::{Files, Info, Strings as Texts};

/// TableEntry of the closed originals. Readers pass it over.
const ORIGINALS: &str = "originals";
/// Sections that name paths, written again.
const CHANGED: [SectionKind; 6] = [
    SectionKind::Info,
    SectionKind::Files,
    SectionKind::Graph,
    SectionKind::Lexical,
    SectionKind::Postings,
    SectionKind::Rows,
];

/// A snapshot without its paths, and the sections that were taken from it.
pub struct Hidden {
    sections: Vec<(&'static str, Vec<u8>)>,
    originals: Vec<u8>,
}

impl Hidden {
    /// Returns the sections that were taken out, to be encrypted and given to [`Hidden::finish`].
    #[must_use]
    pub fn originals(&self) -> &[u8] {
        &self.originals
    }

    /// The snapshot's file, with the originals as they were closed.
    #[must_use]
    pub fn finish(&self, closed: &[u8]) -> Vec<u8> {
        let mut sections: Vec<(&str, &[u8])> = Vec::with_capacity(self.sections.len() + 1);
        for (name, bytes) in &self.sections {
            sections.push((name, bytes));
        }
        sections.push((ORIGINALS, closed));
        container::write(&sections).to_vec()
    }
}

/// Takes the paths out of a snapshot's file. Facts go with them, and texts unless they are to stay: imported paths are in
/// both.
///
/// # Errors
///
/// As [`Snapshot::open`].
pub fn hide_paths(
    file: &[u8],
    keep_texts: bool,
    encipher: &mut dyn FnMut(&str) -> String,
) -> Result<Hidden, Error> {
    let snapshot = Snapshot::open(file)?;
    let given = container::read(file)?;
    let changed = snapshot.read(|view| {
        let mut paths = Paths::of(view, encipher);
        let changed = [
            paths.info(view)?,
            paths.files(view)?,
            paths.graph(view)?,
            lexical(view)?,
        ];
        let changed = CHANGED.into_iter().zip(changed.map(Section::of));
        Ok::<_, Error>(changed.collect())
    })?;
    let hidden = Snapshot::assemble(Some(&snapshot), changed);
    let mut sections = Vec::new();
    let mut originals = Vec::new();
    for kind in SECTIONS {
        let Some(bytes) = raw(file, &given, kind) else {
            continue;
        };
        let is_left_out = matches!(kind, SectionKind::Facts | SectionKind::Scip)
            || (matches!(kind, SectionKind::Texts | SectionKind::Blocks) && !keep_texts);
        if CHANGED.contains(&kind) {
            sections.push((kind.name(), hidden.pack(kind)?.unwrap_or_default()));
        } else if !is_left_out {
            sections.push((kind.name(), bytes.to_vec()));
            continue;
        }
        originals.push((kind.name(), bytes));
    }
    Ok(Hidden {
        sections,
        originals: container::write(&originals).to_vec(),
    })
}

/// The closed originals in a snapshot's file; none where its paths were never hidden.
///
/// # Errors
///
/// As [`Snapshot::open`].
pub fn closed_originals(file: &[u8]) -> Result<Option<&[u8]>, Error> {
    let sections = container::read(file)?;
    let Some(section) = sections.iter().find(|section| section.name == ORIGINALS) else {
        return Ok(None);
    };
    let bytes = file.get(section.range.clone()).unwrap_or_default();
    container::check(bytes, section)?;
    Ok(Some(bytes))
}

/// Restores the file that [`hide_paths`] was given, from its result and the decrypted originals.
///
/// # Errors
///
/// As [`Snapshot::open`].
pub fn restore_paths(file: &[u8], originals: &[u8]) -> Result<Vec<u8>, Error> {
    let [theirs, ours] = [container::read(file)?, container::read(originals)?];
    let sections: Vec<(&str, &[u8])> = SECTIONS
        .into_iter()
        .filter_map(|kind| {
            Some((
                kind.name(),
                raw(originals, &ours, kind).or_else(|| raw(file, &theirs, kind))?,
            ))
        })
        .collect();
    let restored = container::write(&sections).to_vec();
    Snapshot::open(&restored)?;
    Ok(restored)
}

fn raw<'a>(
    file: &'a [u8],
    sections: &[container::TableEntry],
    kind: SectionKind,
) -> Option<&'a [u8]> {
    let section = sections
        .iter()
        .find(|section| section.name == kind.name())?;
    file.get(section.range.clone())
}

type Archive = rkyv::util::AlignedVec<16>;

fn packed<T>(
    kind: SectionKind,
    value: Result<T, rancor::Failure>,
    write: impl Fn(&T) -> Result<Archive, super::columns::Fault>,
) -> Result<Archive, Error> {
    let value = value.map_err(|_| damaged(kind, "it cannot be read"))?;
    write(&value).map_err(|fault| damaged(kind, fault))
}

fn lexical(view: View<'_>) -> Result<Archive, Error> {
    packed(
        SectionKind::Lexical,
        rkyv::deserialize::<Lexical, rancor::Failure>(archived_in::<Lexical>(
            &*view.whole_lexical()?,
        )),
        |lexical| {
            let mut lexical = lexical.clone();
            lexical.forget_paths();
            archive(&lexical)
        },
    )
}

/// Paths and their replacements.
struct Paths<'a> {
    encipher: &'a mut dyn FnMut(&str) -> String,
    known: FxHashMap<String, String>,
}

impl<'a> Paths<'a> {
    fn of(view: View<'_>, encipher: &'a mut dyn FnMut(&str) -> String) -> Self {
        let mut known = FxHashMap::default();
        let files = view.files();
        for path in (0..files.len()).filter_map(|file| files.paths.get(file)) {
            let hidden = encipher(path);
            // A name in a comment gives away what the path does.
            if let (Some((_, name)), Some((_, other))) =
                (path.rsplit_once('/'), hidden.rsplit_once('/'))
            {
                known.insert(name.to_owned(), other.to_owned());
            }
            let mut ends = path.match_indices('/').zip(hidden.match_indices('/'));
            ends.by_ref().skip(1).for_each(|((end, _), (other, _))| {
                known.insert(path[..end].to_owned(), hidden[..other].to_owned());
            });
            known.insert(path.to_owned(), hidden);
        }
        Self { encipher, known }
    }

    fn files(&mut self, view: View<'_>) -> Result<Archive, Error> {
        let paths = &view.files().paths;
        let hidden: Vec<String> = (0..paths.len())
            .filter_map(|file| Some((self.encipher)(paths.get(file)?)))
            .collect();
        packed(
            SectionKind::Files,
            rkyv::deserialize::<Files, rancor::Failure>(view.files()),
            |files| {
                // Of the folders the root alone stays: the others have their paths, and digests of names.
                let n_roots = files.folder_digests.len().min(1);
                archive(&Files {
                    paths: hidden.iter().map(String::as_str).collect::<Texts>(),
                    folders: [""].into_iter().take(n_roots).collect(),
                    folder_digests: files.folder_digests[..n_roots].to_vec(),
                    ..files.clone()
                })
            },
        )
    }

    fn info(&self, view: View<'_>) -> Result<Archive, Error> {
        packed(
            SectionKind::Info,
            rkyv::deserialize::<Info, rancor::Failure>(view.info()),
            |info| {
                let mut info = info.clone();
                info.skipped.clear();
                info.stamps.clear();
                info.recipe.clear();
                for problem in &mut info.problems {
                    problem.message = self.hidden_in(&problem.message);
                }
                archive(&info)
            },
        )
    }

    fn graph(&mut self, view: View<'_>) -> Result<Archive, Error> {
        let graph = rkyv::deserialize::<Graph, rancor::Failure>(view.graph());
        let mut graph = graph.map_err(|_| damaged(SectionKind::Graph, "it cannot be read"))?;
        let old = std::mem::take(&mut graph.strings);
        let mut new = Table::default();
        let mut area = 0;
        for node in 0..graph.nodes.kind.len() {
            let kind = graph
                .nodes
                .kind
                .get(node)
                .and_then(|kind| NodeKind::from_byte(*kind));
            let text = |column: &[u32]| column.get(node).map_or("", |id| text_of(&old, *id));
            let [name, signature, doc] = [
                text(&graph.nodes.name),
                text(&graph.nodes.signature),
                text(&graph.nodes.doc),
            ];
            let texts = match kind {
                Some(NodeKind::File | NodeKind::Folder) => {
                    let path = (self.encipher)(signature);
                    let last = path
                        .rsplit('/')
                        .find(|kind| !kind.is_empty())
                        .unwrap_or_default()
                        .to_owned();
                    [last, path, String::new()]
                }
                // Named after the folders of its members.
                Some(NodeKind::Community) => {
                    area += 1;
                    [format!("area {area}"), String::new(), String::new()]
                }
                Some(NodeKind::External) if name.contains('/') => {
                    [(self.encipher)(name), signature.to_owned(), doc.to_owned()]
                }
                Some(NodeKind::Process) => [
                    self.hidden_in(name),
                    self.hidden_in(signature),
                    self.hidden_in(doc),
                ],
                _ => [
                    name.to_owned(),
                    self.hidden_in(signature),
                    self.hidden_in(doc),
                ],
            };
            let ids = texts.map(|text| new.add(&text));
            for (column, id) in [
                &mut graph.nodes.name,
                &mut graph.nodes.signature,
                &mut graph.nodes.doc,
            ]
            .into_iter()
            .zip(ids)
            {
                if let Some(slot) = column.get_mut(node) {
                    *slot = id;
                }
            }
        }
        graph.strings = new.strings;
        archive(&graph).map_err(|fault| damaged(SectionKind::Graph, fault))
    }

    /// A text in which known paths, and names of files, are as they are shown. Linear.
    fn hidden_in(&self, text: &str) -> String {
        let mut hidden = String::with_capacity(text.len());
        let mut rest = text;
        while !rest.is_empty() {
            let is_path =
                |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '/' | '_' | '-');
            let n_path = rest.find(|letter| !is_path(letter)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(n_path);
            hidden.push_str(&self.word(word));
            let n_between = after.find(is_path).unwrap_or(after.len());
            let (between, next) = after.split_at(n_between);
            hidden.push_str(between);
            rest = next;
        }
        hidden
    }

    /// A word that is a path or ends in one. Dots and slashes around it are a sentence's, or `./`.
    fn word(&self, word: &str) -> String {
        let bare = word.trim_matches(['.', '/']);
        if !bare.contains(['.', '/']) {
            return word.to_owned();
        }
        let ends = std::iter::once(0).chain(bare.match_indices('/').map(|(at, _)| at + 1));
        for start in ends {
            if let Some(hidden) = self.known.get(&bare[start..]) {
                return hidden.clone();
            }
        }
        word.to_owned()
    }
}

fn text_of(strings: &Strings, id: u32) -> &str {
    let at = |id: usize| strings.offsets.get(id).map(|at| *at as usize);
    let range = at(id as usize).zip(at(id as usize + 1));
    range
        .and_then(|(start, end)| strings.text.get(start..end))
        .unwrap_or_default()
}

/// Strings, each once; string 0 is empty.
struct Table {
    strings: Strings,
    ids: HashMap<String, u32>,
}

impl Default for Table {
    fn default() -> Self {
        let strings = Strings {
            text: String::new(),
            offsets: vec![0, 0],
        };
        Self {
            strings,
            ids: HashMap::from([(String::new(), 0)]),
        }
    }
}

impl Table {
    fn add(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.strings.offsets.len() as u32 - 1;
        self.strings.text.push_str(text);
        self.strings.offsets.push(self.strings.text.len() as u32);
        self.ids.insert(text.to_owned(), id);
        id
    }
}
