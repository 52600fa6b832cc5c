//! Resolves a program again after an edit that changed no interface: only the files that were edited.
//!
//! A file's uses depend on its own facts and on the interfaces of all files ([`FileFacts::interface`]). Where the
//! interfaces are those of the last resolution, the uses of all other files are, too. Supertypes and the members that
//! they declare are related anew, which is a small part of the work.
//!
//! [`FileFacts::interface`]: syntax::facts::FileFacts::interface

use graph::{EdgeKind, FileId, Layout, RawEdge, Resolution};
use syntax::order::InOrder;

use crate::modules::{Manifest, Modules};
use crate::program::{Declared, Program};
use crate::resolver::Resolver;

/// Resolves the names in some files of a layout; all others have the uses and imports of `last`. Its other edges are made
/// anew. The layout has the numbers of nodes that `last` has.
///
/// Returns none where the result might differ from that of resolving all: where a limit cut an answer short.
#[must_use]
pub fn resolve_again(
    layout: &Layout<'_>,
    manifests: &[Manifest<'_>],
    last: Resolution,
    files: &[FileId],
) -> Option<Resolution> {
    if last.was_cut_short || last.uses.len() != layout.files.len() {
        return None;
    }
    let mut last = last;
    let mut is_resolved = vec![false; layout.files.len()];
    for file in files {
        *is_resolved.get_mut(file.index())? = true;
    }
    let is_kept = |edge: &RawEdge| {
        edge.kind == EdgeKind::Imports && is_resolved.get(edge.source as usize) == Some(&false)
    };
    last.edges.retain(is_kept);
    let declared = Declared::new(layout);
    let files = files.iter().copied();
    let resolution = resolve_on(layout, &declared, manifests, files, last);
    (!resolution.was_cut_short).then_some(resolution)
}

/// Resolves the files of a layout in the given order, each once, in addition to `before`: uses and imports of other files.
pub(crate) fn resolve_on(
    layout: &Layout<'_>,
    declared: &Declared,
    manifests: &[Manifest<'_>],
    order: impl IntoIterator<Item = FileId>,
    before: Resolution,
) -> Resolution {
    let mut manifests = manifests.to_vec();
    manifests.order_by(|a, b| a.path.cmp(b.path));
    let program = Program::new(layout, declared);
    let modules = Modules::new(&program, &manifests);
    let mut resolver = Resolver::new(&program, &modules, &crate::languages::LANGUAGES);
    let mut resolution = before;
    resolver.externals = std::mem::take(&mut resolution.externals).into();
    resolver.read_heritage();
    resolver.relate_types();
    resolution.uses.resize_with(layout.files.len(), Vec::new);
    for file in order {
        let mut uses = resolver.uses_of_file(file);
        resolver.import_edges(file, &mut resolution.edges, &mut uses);
        resolution.uses[file.index()] = uses;
    }
    let mut types = Vec::new();
    resolver.type_edges(&mut types);
    resolution.was_cut_short |= resolver.was_cut_short();
    let found = std::mem::take(&mut resolver.externals.names);
    resolution.externals = number_externals(layout.end(), &found, &mut resolution.edges);
    resolution.edges.extend(types);
    resolution
}

/// Numbers the external packages that an import leads to by name, so that they do not depend on the order in which files
/// were resolved; `found` has all that were named. Returns their names.
fn number_externals(first: u32, found: &[String], imports: &mut [RawEdge]) -> Vec<String> {
    let outside = |edge: &RawEdge| edge.target.checked_sub(first);
    let mut used: Vec<u32> = imports.iter().filter_map(outside).collect();
    used.sort_unstable();
    used.dedup();
    let name = |id: &u32| found.get(*id as usize).map_or("", String::as_str);
    used.order_by(|a, b| name(a).cmp(name(b)));
    let mut numbers = vec![0; found.len()];
    for (number, id) in (first..).zip(&used) {
        if let Some(place) = numbers.get_mut(*id as usize) {
            *place = number;
        }
    }
    for edge in imports {
        if let Some(id) = outside(edge) {
            edge.target = numbers.get(id as usize).copied().unwrap_or(edge.target);
        }
    }
    used.iter().map(|id| name(id).to_owned()).collect()
}
