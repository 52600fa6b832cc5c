//! One text in, what it says out.

pub mod facts;
mod language;

pub use language::Language;
