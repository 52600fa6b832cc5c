//! Code intelligence for Rust programs that run in a page: read a folder or an archive, index it, keep the index, ask it.
//!
//! It is the engine of the crate `portolan` with a page's means around it, for programs made with Leptos, Yew, Dioxus or plain
//! wasm-bindgen. Everything runs in the page; nothing is sent anywhere.
//!
//! ```no_run
//! use portolan_browser::{Cancel, GrammarFiles, Grammars, IndexOptions, Input, Snapshots, index};
//!
//! # async fn run(files: web_sys::FileList) -> Result<(), portolan_browser::Error> {
//! // `/grammars/tree-sitter-python.wasm` and its like are fetched when a file needs them.
//! let mut grammars = Grammars::new(GrammarFiles::at("/grammars/"));
//! let input = Input::from_files(&files);
//! let options = IndexOptions::named("shop");
//! let made = index(input, &mut grammars, &options, &Cancel::new(), &mut |_| {}).await?;
//! let hits = made.index.search("where is tax added", 5)?;
//!
//! let snapshots = Snapshots::open("my-page").await?;
//! snapshots.save("shop", &made.index).await?;
//! let again = snapshots.load("shop").await?;
//! assert_eq!(again.search("where is tax added", 5)?, hits);
//! # Ok(())
//! # }
//! ```
//!
//! | to | use |
//! |---|---|
//! | read files that a reader picks, drops or that are fetched | [`Input`] |
//! | load grammars | [`GrammarFiles`], [`Grammars`] |
//! | index on the main thread, with pauses | [`index()`] |
//! | index in a worker | [`IndexWorker`], [`serve`] |
//! | ask | [`Index`], [`engine::Reader`] |
//! | keep indexes in IndexedDB | [`Snapshots`] |
//!
//! Grammars are loaded into the program's own instance, so its function table must be able to grow. Add to `.cargo/config.toml`:
//!
//! ```toml
//! [target.wasm32-unknown-unknown]
//! rustflags = ["-Clink-arg=--growable-table"]
//! ```

mod error;
mod folder;
mod grammars;
mod indexing;
mod input;
mod message;
mod run;
mod scanner_libc;
mod side_module;
mod storage;
mod worker;

pub use error::Error;
pub use grammars::{GrammarFiles, Grammars};
pub use indexing::{IndexOptions, Indexed, index, index_files};
pub use input::Input;
pub use run::{Cancel, Phase, Progress};
pub use storage::{SavedSnapshot, Snapshots};
pub use worker::{IndexWorker, is_worker, serve};

pub use api;
pub use engine;
pub use portolan::Index;
pub use source::{FileSet, SourceConfig};
