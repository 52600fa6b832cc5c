//! One text in, its facts out.
//!
//! [`Parsers::read`] turns a text into [`facts::FileFacts`]: definitions, uses of names, imports, what is said about
//! types, and chunks. Reading never fails: a broken file gives what could be understood and a list of problems.
//! Nothing here knows of other files, of the host or of the index.
//!
//! ```
//! # #[cfg(feature = "all-languages")] {
//! use portolan_syntax::{Language, ParseConfig, Parsers};
//!
//! let mut parsers = Parsers::new(ParseConfig::default());
//! let facts = parsers.read(Language::Rust, "/// Adds.\npub fn add(a: u32, b: u32) -> u32 { a + b }\n");
//! assert_eq!(facts.symbols[0].name, "add");
//! assert_eq!(facts.symbols[0].rare.doc, "Adds.");
//! assert_eq!(facts.chunks.len(), 1);
//! # }
//! ```
//!
//! To add a language, copy a folder of `src/languages/`: queries say what defines and what uses a name (capture names
//! are listed in `src/languages/mod.rs`), a little Rust reads imports.

mod budget;
mod counted_regex;
mod highlight_class;
mod language;
mod user;

pub mod facts;
mod lower;
pub mod order;

pub use budget::{Allowance, Budget, Spent};
pub use counted_regex::{CountedRegex, RegexCache, RegexConfig, RegexError};
pub use highlight_class::{Highlight, HighlightClass};
pub use language::Language;
pub use lower::{MAX_DEPTH as MAX_EXPRESSION_DEPTH, lower_facts};
pub use user::{UserLanguage, UserLanguageError, UserLanguages};

#[cfg(feature = "ingest")]
mod chunk;
#[cfg(feature = "ingest")]
mod config;
#[cfg(feature = "ingest")]
mod deadline;
#[cfg(feature = "ingest")]
mod documents;
#[cfg(feature = "ingest")]
mod extract;
#[cfg(feature = "ingest")]
mod fields;
#[cfg(feature = "ingest")]
mod grammar;
#[cfg(feature = "ingest")]
mod highlight;
#[cfg(feature = "ingest")]
mod languages;
#[cfg(feature = "ingest")]
mod node;
#[cfg(feature = "ingest")]
mod parsers;
#[cfg(feature = "ingest")]
mod platform;
#[cfg(feature = "ingest")]
mod query;
#[cfg(feature = "ingest")]
mod regions;
#[cfg(feature = "ingest")]
mod rules;
#[cfg(feature = "ingest")]
pub mod structural;
#[cfg(feature = "ingest")]
mod text;

#[cfg(feature = "ingest")]
pub use chunk::{ChunkConfig, ChunkConfigError};
#[cfg(feature = "ingest")]
pub use config::ParseConfig;
#[cfg(feature = "ingest")]
pub use grammar::GrammarError;
#[cfg(feature = "ingest")]
pub use parsers::{LocalKind, LocalName, Parsers, UserQueries};
