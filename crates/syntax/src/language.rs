//! Which language a file is written in.

use rkyv::{Archive, Deserialize, Serialize};

/// A language or document format. The numbers are stored in snapshots: append, never reorder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Archive, Serialize, Deserialize)]
#[rkyv(derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash))]
#[repr(u8)]
pub enum Language {
    /// Text in no known language: chunked by blocks of lines.
    #[default]
    Text,
    /// Rust.
    Rust,
    /// Python.
    Python,
    /// JavaScript and JSX.
    JavaScript,
    /// TypeScript.
    TypeScript,
    /// TypeScript with JSX.
    Tsx,
    /// Go.
    Go,
    /// Java.
    Java,
    /// C.
    C,
    /// C++.
    Cpp,
    /// Markdown.
    Markdown,
    /// TOML.
    Toml,
    /// JSON.
    Json,
    /// YAML.
    Yaml,
}
