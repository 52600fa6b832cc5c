//! The facts and terms of one file, computed without any other file: in a parsing worker, or here.

use std::sync::Arc;

use rkyv::rancor;
use rkyv::util::AlignedVec;
use rkyv::with::Unshare;
use rkyv::{Archive, Deserialize, Serialize};
use search::{ChunkText, FileTerms, TermCounter};
use syntax::facts::{Chunk, FileFacts, ImportFlags, SymbolKind};

use crate::{Error, ErrorKind};

/// Facts and terms of one file.
#[derive(Debug, Clone, PartialEq, Default, Archive, Serialize, Deserialize)]
pub struct FileUnit {
    /// Definitions, references, imports and chunks of the file. Bindings that its interface has come first.
    #[rkyv(with = Unshare)]
    pub facts: Arc<FileFacts>,
    /// Terms of its chunks.
    pub terms: FileTerms,
}

impl FileUnit {
    /// Makes a unit from facts and counts the terms of their chunks. Linear in the text.
    #[must_use]
    pub fn new(path: &str, text: &str, mut facts: FileFacts) -> Self {
        facts.put_locals_last();
        let terms = terms_of_file(path, text, &facts);
        Self {
            facts: Arc::new(facts),
            terms,
        }
    }

    /// Serializes the unit, to send it between workers.
    #[must_use]
    pub fn to_bytes(&self) -> AlignedVec<16> {
        match rkyv::to_bytes::<rancor::Error>(self) {
            Ok(bytes) => bytes,
            Err(error) => unreachable!("facts hold nothing that cannot be archived: {error}"),
        }
    }

    /// Reads a unit from bytes and checks it; copies them once, so that they are aligned.
    ///
    /// # Errors
    ///
    /// `unit.damaged` for bytes that [`FileUnit::to_bytes`] of this version did not write.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut unit = rkyv::from_bytes::<Self, rancor::Error>(&aligned(bytes))
            .map_err(|error| damaged(&error.to_string()))?;
        if unit.terms.n_chunks() != unit.facts.chunks.len() {
            return Err(damaged("chunks and terms differ in number"));
        }
        if !unit.terms.is_sound() {
            return Err(damaged("terms and their counts do not fit together"));
        }
        snapshot::check_facts(&unit.facts).map_err(damaged)?;
        // Units that were kept by an earlier version have another order.
        if let Some(facts) = Arc::get_mut(&mut unit.facts) {
            facts.put_locals_last();
        }
        Ok(unit)
    }
}

/// Terms of the chunks of a file.
pub(crate) fn terms_of_file(path: &str, text: &str, facts: &FileFacts) -> FileTerms {
    let mut counter = TermCounter::new(path);
    for chunk in &facts.chunks {
        count(&mut counter, text, facts, chunk);
    }
    counter.finish()
}

fn aligned(bytes: &[u8]) -> AlignedVec<16> {
    let mut aligned = AlignedVec::with_capacity(bytes.len());
    aligned.extend_from_slice(bytes);
    aligned
}

fn damaged(what: &str) -> Error {
    Error::new(
        ErrorKind::UnitDamaged,
        format!("the facts of the file cannot be read: {what}"),
    )
}

fn count(counter: &mut TermCounter<'_>, text: &str, facts: &FileFacts, chunk: &Chunk) {
    let defined = || {
        chunk
            .defines
            .iter()
            .filter_map(|symbol| facts.symbols.get(*symbol as usize))
            // An impl block has the name of a type that is defined elsewhere.
            .filter(|symbol| symbol.kind != SymbolKind::Impl)
    };
    let names: Vec<&str> = defined().map(|symbol| symbol.name.as_str()).collect();
    let docs: Vec<&str> = defined()
        .map(|symbol| symbol.rare.doc.as_str())
        .filter(|doc| !doc.is_empty())
        .collect();
    let passed_on: Vec<&str> = facts
        .imports
        .iter()
        .filter(|import| import.is(ImportFlags::REEXPORT) && chunk.span.contains(&import.span))
        .map(|import| import.local.as_str())
        .filter(|name| !name.is_empty())
        .collect();
    counter.add(&ChunkText {
        symbols: &names,
        passed_on: &passed_on,
        doc: &docs.join("\n"),
        body: text
            .get(chunk.span.start as usize..chunk.span.end as usize)
            .unwrap_or_default(),
    });
}

#[cfg(all(test, feature = "all-languages"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unit() -> FileUnit {
        let mut parsers = syntax::Parsers::new(syntax::ParseConfig::default());
        crate::read_file(
            &mut parsers,
            "a.py",
            "import b\n\nclass A(b.B):\n    def run(self):\n        return self.run()\n",
        )
    }

    #[test]
    fn bytes_and_back() {
        let unit = unit();
        assert_eq!(FileUnit::from_bytes(&unit.to_bytes()).unwrap(), unit);
    }

    proptest! {
        #[test]
        fn changed_bytes_are_read_or_refused(at in any::<prop::sample::Index>(), flip in 1u8..=255, cut in any::<prop::sample::Index>()) {
            static UNIT: std::sync::OnceLock<FileUnit> = std::sync::OnceLock::new();
            let unit = UNIT.get_or_init(unit);
            let mut bytes = unit.to_bytes().to_vec();
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
            let _ = FileUnit::from_bytes(&bytes);
            let cut = cut.index(bytes.len());
            let _ = FileUnit::from_bytes(&bytes[..cut]);
        }
    }
}
