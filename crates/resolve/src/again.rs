//! Resolves a program again after an edit that changed no interface: only the files that were edited.
//!
//! A file's uses depend on its own facts and on the interfaces of all files ([`FileFacts::interface`]). Where the
//! interfaces are those of the last resolution, the uses of all other files are, too. Supertypes and the members that
//! they declare are related anew, which is a small part of the work.
//!
//! [`FileFacts::interface`]: syntax::facts::FileFacts::interface

use graph::{FileId, Layout, RawEdge, RawUse, Resolution};
use syntax::order::InOrder;

use crate::modules::{Manifest, Modules};
use crate::program::Program;
use crate::resolver::Resolver;

/// Maximum number of uses that are kept: 32 bytes each.
const MAX_KEPT: usize = 4_000_000;

/// The uses and imports of each file, kept for the next resolution.
#[derive(Default)]
pub struct Resolved {
    uses: Vec<Vec<RawUse>>,
    imports: Vec<Vec<RawEdge>>,
    /// The numbers of external packages: all that were named, in the order in which they were found.
    externals: Vec<String>,
    /// Whether a limit cut an answer short. Such an answer depends on what was asked before it.
    was_cut_short: bool,
}

impl Resolved {
    /// Resolves the files of a layout in the given order, each once; all others have what `last` has.
    pub(crate) fn new(
        layout: &Layout<'_>,
        manifests: &[Manifest<'_>],
        order: impl IntoIterator<Item = FileId>,
        last: Option<Resolved>,
    ) -> (Resolved, Vec<RawEdge>) {
        let mut manifests = manifests.to_vec();
        manifests.order_by(|a, b| a.path.cmp(b.path));
        let program = Program::new(layout);
        let modules = Modules::new(&program, &manifests);
        let mut resolver = Resolver::new(&program, &modules, &crate::languages::LANGUAGES);
        let mut resolved = last.unwrap_or_default();
        resolver.externals = std::mem::take(&mut resolved.externals).into();
        resolver.read_heritage();
        resolver.relate_types();
        resolved.uses.resize_with(layout.files.len(), Vec::new);
        resolved.imports.resize_with(layout.files.len(), Vec::new);
        for file in order {
            let mut uses = resolver.uses_of_file(file);
            let mut imports = Vec::new();
            resolver.import_edges(file, &mut imports, &mut uses);
            resolved.uses[file.index()] = uses;
            resolved.imports[file.index()] = imports;
        }
        let mut types = Vec::new();
        resolver.type_edges(&mut types);
        resolved.was_cut_short |= resolver.was_cut_short();
        resolved.externals = std::mem::take(&mut resolver.externals.names);
        (resolved, types)
    }

    /// Resolves files again whose interfaces are as they were, and nothing else has changed; none where the result
    /// might differ from that of resolving all.
    #[must_use]
    pub fn again(
        self,
        layout: &Layout<'_>,
        manifests: &[Manifest<'_>],
        changed: &[FileId],
    ) -> Option<(Resolution, Resolved)> {
        if self.was_cut_short || self.uses.len() != layout.files.len() {
            return None;
        }
        let (resolved, types) =
            Resolved::new(layout, manifests, changed.iter().copied(), Some(self));
        (!resolved.was_cut_short).then(|| (resolved.resolution(layout, types), resolved))
    }

    /// Whether it is small enough to be kept, and may be reused.
    pub(crate) fn is_worth_keeping(&self) -> bool {
        !self.was_cut_short && self.uses.iter().map(Vec::len).sum::<usize>() <= MAX_KEPT
    }

    /// A copy for the graph.
    pub(crate) fn resolution(&self, layout: &Layout<'_>, types: Vec<RawEdge>) -> Resolution {
        Resolved {
            uses: self.uses.clone(),
            imports: self.imports.clone(),
            externals: self.externals.clone(),
            was_cut_short: self.was_cut_short,
        }
        .into_resolution(layout, types)
    }

    /// All uses and edges. Of the external packages it has those that an import leads to, by name, so that they do not
    /// depend on the order in which files were resolved.
    pub(crate) fn into_resolution(self, layout: &Layout<'_>, types: Vec<RawEdge>) -> Resolution {
        let first = layout.end();
        let mut edges: Vec<RawEdge> = self.imports.into_iter().flatten().collect();
        let outside = |edge: &RawEdge| edge.target.checked_sub(first);
        let mut used: Vec<u32> = edges.iter().filter_map(outside).collect();
        used.sort_unstable();
        used.dedup();
        let name = |id: &u32| self.externals.get(*id as usize).map_or("", String::as_str);
        used.order_by(|a, b| name(a).cmp(name(b)));
        let mut numbers = vec![0; self.externals.len()];
        for (number, id) in (first..).zip(&used) {
            if let Some(place) = numbers.get_mut(*id as usize) {
                *place = number;
            }
        }
        for edge in &mut edges {
            if let Some(id) = outside(edge) {
                edge.target = numbers.get(id as usize).copied().unwrap_or(edge.target);
            }
        }
        edges.extend(types);
        Resolution {
            uses: self.uses,
            edges,
            externals: used.iter().map(|id| name(id).to_owned()).collect(),
        }
    }
}
