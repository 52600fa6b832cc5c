//! Grammars by name, loaded when a file first needs one.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use syntax::{ParseConfig, Parsers};

use crate::Error;
use crate::input::fetch;
use crate::side_module;

/// Where grammars come from: the standard `tree-sitter-NAME.wasm` files, as grammar authors publish them on npm and as the npm package
/// `portolan` carries them in `grammars/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrammarFiles {
    pub(crate) base: Option<String>,
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

impl GrammarFiles {
    /// Returns no grammars: all code is searched as plain text.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Returns the folder at an address. `tree-sitter-python.wasm` is fetched from it when the first Python file is read.
    ///
    /// A grammar runs in the program's own memory: fetch them from where the page itself comes from.
    #[must_use]
    pub fn at(base: impl Into<String>) -> Self {
        Self {
            base: Some(base.into()),
            ..Self::default()
        }
    }

    /// Adds a grammar that the program holds, for example by `include_bytes!`. `name` is that of its file without
    /// `tree-sitter-` and `.wasm`: `python`, `tsx`.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.insert(name.into(), bytes.into());
        self
    }

    async fn bytes_of(&self, name: &str) -> Result<Vec<u8>, Error> {
        if let Some(bytes) = self.files.get(name) {
            return Ok(bytes.clone());
        }
        let base = self.base.as_deref().ok_or_else(|| Error::Grammar {
            name: name.to_owned(),
            reason: "the program has none".to_owned(),
        })?;
        let slash = if base.ends_with('/') { "" } else { "/" };
        let url = format!("{base}{slash}tree-sitter-{name}.wasm");
        fetch(&url).await.map_err(|error| Error::Grammar {
            name: name.to_owned(),
            reason: error.to_string(),
        })
    }
}

/// The parser with the grammars that were loaded so far. Keep it for the next index: loading and compiling queries takes up to 60 ms
/// for a language.
pub struct Grammars {
    files: GrammarFiles,
    provided: BTreeSet<String>,
    pub(crate) parsers: Parsers,
}

thread_local! {
    /// Grammars in this instance's memory, by the digest of their file. They are never freed, so each is loaded once.
    static LOADED: RefCell<BTreeMap<[u8; 32], tree_sitter::Language>> = const { RefCell::new(BTreeMap::new()) };
}

impl Grammars {
    /// Returns a parser that loads its grammars from `files`.
    #[must_use]
    pub fn new(files: GrammarFiles) -> Self {
        let config = ParseConfig {
            clock: Some(js_sys::Date::now),
            ..ParseConfig::default()
        };
        Self {
            files,
            provided: BTreeSet::new(),
            parsers: Parsers::new(config),
        }
    }

    /// Loads a grammar unless it is there.
    pub(crate) async fn provide(&mut self, name: &str) -> Result<(), Error> {
        if self.provided.contains(name) {
            return Ok(());
        }
        let bytes = self.files.bytes_of(name).await?;
        let digest = source::digest(&bytes);
        let known = LOADED.with_borrow(|loaded| loaded.get(&digest).cloned());
        let refused = |reason: String| Error::Grammar {
            name: name.to_owned(),
            reason,
        };
        let grammar = match known {
            Some(grammar) => grammar,
            None => side_module::load(&bytes).await.map_err(refused)?,
        };
        LOADED.with_borrow_mut(|loaded| loaded.insert(digest, grammar.clone()));
        self.parsers
            .add_grammar(name, grammar)
            .map_err(|error| refused(error.to_string()))?;
        self.provided.insert(name.to_owned());
        Ok(())
    }
}
