//! Resolves names to definitions: takes the facts of many files, returns resolved uses and edges.
//!
//! | a name is looked for | reasons | percent |
//! |---|---|--:|
//! | in the scopes around it, then at the top of the file | `lexical-scope`, `same-file` | 96, 99 |
//! | where an import leads: directly, through re-exports, by a star or include | `import`, `re-export`, `glob-import` | 99, 99, 96 |
//! | in the module, package or crate before it | `module-member`, `path` | 98, 89 |
//! | in the type around it, or the type before it | `self-type`, `type-member` | 99, 98 |
//! | in its receiver's type: written or constructed, from results of calls, from bounds | `receiver-type`, `inferred-type`, `trait-bound` | 98, 98, 93 |
//! | in supertypes of these | `inherited` | 95 |
//! | in the other files of a package (Go, Java) | `same-package` | 98 |
//! | in the type that parameters of the receiver's name nearly always have | `usual-type` | 98 |
//! | anywhere, if there is only one, and nothing says that it is external | `unique-member`, `unique-name` | 58, 80 |
//!
//! Where the share of a rule differs by language, `confidence.rs` has it.
//!
//! A name that is known to come from outside the repository stays unresolved, and tests are no targets of product code.
//!
//! ```
//! use graph::GraphBuilder;
//! use portolan_resolve::resolve;
//! use syntax::{Language, ParseConfig, Parsers};
//!
//! let facts = Parsers::new(ParseConfig::default()).read(Language::Python, "def a():\n    b()\n\ndef b(): pass\n");
//! let mut builder = GraphBuilder::new();
//! builder.add_file(source::FileId(0), "a.py", &facts);
//! let graph = builder.build(|layout| {
//!     let resolution = resolve(layout, &[]);
//!     assert_eq!(resolution.uses[0][0].reason.name(), "same-file");
//!     resolution
//! });
//! # drop(graph);
//! ```
//!
//! The rules, in order; each leaves its [`graph::Reason`] on what it finds:
//! 1. the scopes around a use, innermost first: variables (which hide, and are no definitions), nested definitions,
//!    type parameters, members where a language lets them be named bare;
//! 2. imports of those scopes, followed through re-exports, barrels, globs and aliases to the definition (`follow.rs`,
//!    `written_module.rs`, `exported.rs`; places of modules: `modules/`; scopes: `scope.rs`, `declare.rs`);
//! 3. for `x.f()` and `a::f()` the receiver or path before the name — a module, a type, or a value whose type is
//!    written, constructed, or inferred from results of calls or from the function that calls the closure (`infer.rs`,
//!    `values.rs`, `evaluate.rs`, `callbacks.rs`) — and its members, then those of its supertypes (`inherited.rs`,
//!    `heritage.rs`);
//! 4. the other files of the same package;
//! 5. the only definition of a name, where nothing speaks against it (`uses.rs`).
//!
//! A name that leads out of the repository stays unresolved, whatever else has the same name.

mod again;
mod confidence;
mod languages;
mod modules;
#[cfg(test)]
mod order;
mod program;
mod resolver;
mod types;

use graph::{FileId, Layout, Resolution};

pub use again::resolve_again;
pub use modules::{Manifest, is_manifest};
pub use program::Declared;

/// Resolves every use, import and supertype. The order of `manifests` does not matter; they need not be files of the
/// layout.
#[must_use]
pub fn resolve(layout: &Layout<'_>, manifests: &[Manifest<'_>]) -> Resolution {
    resolve_in_order(layout, manifests, all_files(layout))
}

/// As [`resolve`], for the uses and imports of these files only. Of the other files it reads the interfaces
/// ([`syntax::facts::FileFacts::only_interface`]); their supertypes are among the edges, too. `declared` is of the interfaces of
/// these files, so it serves every part of them.
#[must_use]
pub fn resolve_files(
    layout: &Layout<'_>,
    declared: &Declared,
    manifests: &[Manifest<'_>],
    files: impl IntoIterator<Item = FileId>,
) -> Resolution {
    again::resolve_on(layout, declared, manifests, files, Resolution::default())
}

/// Resolves the files of a layout in the given order, each once.
fn resolve_in_order(
    layout: &Layout<'_>,
    manifests: &[Manifest<'_>],
    order: impl IntoIterator<Item = FileId>,
) -> Resolution {
    let declared = Declared::new(layout);
    again::resolve_on(layout, &declared, manifests, order, Resolution::default())
}

fn all_files(layout: &Layout<'_>) -> impl Iterator<Item = FileId> + use<> {
    (0..layout.files.len() as u32).map(FileId)
}
