//! Code intelligence for Rust programs: index a folder, then search it and ask for definitions, callers and impact.
//!
//! ```
//! # #[cfg(feature = "languages")] {
//! use portolan::{FileSet, Index, IndexOptions, SourceConfig};
//!
//! let files = [
//!     ("shop/tax.py", "def add_tax(net):\n    \"\"\"Adds value added tax.\"\"\"\n    return net * 1.2\n"),
//!     ("shop/cart.py", "from shop.tax import add_tax\n\ndef checkout(net):\n    return add_tax(net)\n"),
//! ];
//! let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
//! let set = FileSet::from_files(files, &SourceConfig::default());
//! let index = Index::from_files(set, &IndexOptions::named("shop"), &mut |_| true)?;
//!
//! let hits = index.search("where is tax added", 3)?;
//! assert_eq!(hits[0].path, "shop/tax.py");
//! let callers = index.ask("callers", r#"{ "symbol": "add_tax" }"#)?;
//! assert!(callers.contains("checkout"));
//!
//! let saved = index.to_bytes()?;
//! assert_eq!(Index::from_bytes(saved)?.reader().n_files(), 2);
//! # }
//! # Ok::<(), portolan::Error>(())
//! ```
//!
//! | to | call |
//! |---|---|
//! | index a folder or an archive | [`Index::from_folder`], [`Index::from_archive`] |
//! | index files held in memory | [`Index::from_files`] |
//! | index what does not fit the memory, in shards | [`index_in_shards`] |
//! | bring the index of a folder up to date | [`index_folder`] with [`IndexOptions::previous`] |
//! | keep a folder as its difference from the index of another one | [`difference`], [`replay`] |
//! | save and open an index | [`Index::save`], [`Index::open`], [`open_lazily`] |
//! | search by words | [`Index::search`] |
//! | ask any tool by its name, with JSON | [`Index::ask`]; [`api::answer::TOOLS`] lists the tools |
//! | ask in Rust types | [`Index::reader`] returns the engine's [`Reader`] |
//! | read a folder's git history | [`read_history`], [`blame()`] |
//! | search by meaning, too | [`IndexOptions::embedder`], [`Index::with_embedder`] |
//!
//! Whoever wants to change an index file by file uses [`engine::Engine`]. In a page the crate `portolan-browser` adds storage in
//! IndexedDB, folders that a reader picks, grammars that are fetched, and workers.

mod earlier;
mod error;
mod file_source;
mod folder;
mod git;
mod index;
mod indexing;
mod intake;
mod listing;
mod overlay;
mod queue;
mod reading;
mod sharding;
mod waiting;
mod walked;
mod workers;

pub use earlier::EarlierShards;
pub use error::Error;
pub use file_source::open_lazily;
pub use folder::read_folder;
pub use git::{HistoryOptions, blame, read_history};
pub use index::{Index, IndexOptions};
pub use indexing::{Indexed, index_folder};
pub use overlay::{Difference, difference, replay};
pub use sharding::{
    Sharded, WriteShard, index_in_shards, is_root_at, open_index, shard_path, shard_size_at,
};
pub use shards::ShardSize;
pub use walked::{EntryKind, WalkedEntry, WalkedFile, WalkedFolder};

pub use api;
pub use embed;
pub use engine;
pub use history;
pub use shards;
pub use source;
pub use syntax;

pub use api::ErrorBody;
pub use embed::{Embedder, StaticEmbedder};
pub use engine::{Phase, Progress, Reader, Snapshot};
pub use history::{BlameLines, History};
pub use source::{FileSet, SourceConfig};
pub use syntax::{ParseConfig, Parsers};

/// The example of the README, which has to compile.
#[cfg(all(doctest, feature = "languages"))]
#[doc = include_str!("../README.md")]
struct Readme;
