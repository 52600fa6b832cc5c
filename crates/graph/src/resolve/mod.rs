//! From names to definitions.
//!
//! The rules, in order; each leaves its [`crate::Reason`] on what it finds:
//! 1. the scopes around a use, innermost first: variables (which hide, and are no definitions), nested definitions,
//!    type parameters, members where a language lets them be named bare;
//! 2. imports of those scopes, followed through re-exports, barrels, globs and aliases to the definition (`follow.rs`,
//!    `written_module.rs`, `exported.rs`, where modules lie: `modules/`; scopes: `scope.rs`, `declare.rs`);
//! 3. for `x.f()` and `a::f()` the value of what stands before the name — a module, a type, or a value whose type is
//!    written, constructed or follows from results of other calls or from who is handed it (`infer.rs`, `values.rs`, `evaluate.rs`,
//!    `callbacks.rs`) — and its members, then those of its supertypes (`inherited.rs`, `heritage.rs`);
//! 4. the other files of the same package;
//! 5. the only definition of a name, where nothing speaks against it (`uses.rs`).
//!
//! What leads out of the repository stays unresolved, whatever else has the same name.

mod callbacks;
mod cpp;
mod declare;
mod edges;
mod elixir;
mod evaluate;
mod exported;
mod expr;
mod family;
mod follow;
mod global;
mod go;
mod haskell;
mod heritage;
mod infer;
mod inherited;
mod java;
mod lua;
mod members;
mod modules;
mod names;
mod packages;
mod program;
mod ruby;
mod ruby_values;
mod rust_path;
mod scope;
mod structural;
mod tokens;
mod type_text;
mod uses;
mod values;
mod wrappers;
mod written_module;
mod zig;

pub(crate) use family::is_test_path;

use crate::build::Manifest;
use crate::freeze::Resolution;
use crate::layout::Layout;

/// Resolves every use, import and supertype.
pub(crate) fn resolve(layout: &Layout<'_>, manifests: &[Manifest<'_>]) -> Resolution {
    let program = program::Program::new(layout);
    let modules = modules::Modules::new(&program, manifests);
    let mut resolver = follow::Resolver::new(&program, &modules);
    resolver.read_heritage();
    resolver.read_structural_types();
    let mut resolution = Resolution::default();
    for file in 0..layout.files.len() as u32 {
        let mut uses = resolver.uses_of_file(file);
        resolver.import_edges(file, &mut resolution.edges, &mut uses);
        resolution.uses.push(uses);
    }
    resolver.type_edges(&mut resolution.edges);
    resolution.externals = std::mem::take(&mut resolver.externals.names);
    resolution
}
