//! Reading texts into file units: in each parsing worker one of these.

use engine::forms::Structural;
use engine::read_file;
use js_sys::Uint8Array;
use source::{SkipReason, SourceConfig};
use syntax::{
    ChunkConfig, GrammarError, Highlight, HighlightClass, Language, ParseConfig, Parsers,
    UserLanguage, UserQueries,
};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::errors::{JsResult, error};

/// The engine's function table: a grammar's functions get their slots in it.
#[wasm_bindgen(js_name = functionTable)]
#[must_use]
pub fn function_table() -> JsValue {
    wasm_bindgen::function_table()
}

/// Names of highlighting classes by their number.
#[wasm_bindgen(js_name = highlightClasses)]
#[must_use]
pub fn highlight_classes() -> Vec<String> {
    HighlightClass::ALL
        .iter()
        .map(|class| class.name().to_owned())
        .collect()
}

/// Reads texts. After a trap the whole instance is lost: replace it.
#[wasm_bindgen]
pub struct ParseWorker {
    pub(crate) parsers: Parsers,
    /// The forms that are looked for.
    pub(crate) forms: Vec<Structural>,
    /// The builder has applied the limits; here bytes are only decoded.
    no_limits: SourceConfig,
}

#[wasm_bindgen]
impl ParseWorker {
    /// Without grammars: code is read as plain text until they are added. Sizes of chunks are in characters that are not
    /// white space; those not given are the usual ones. Throws `options.invalid` where they contradict each other.
    #[wasm_bindgen(constructor)]
    pub fn new(target: Option<u32>, max: Option<u32>, min: Option<u32>) -> JsResult<Self> {
        let chunk = ChunkConfig::new(target, max, min)
            .map_err(|reason| error("options.invalid", reason))?;
        let config = ParseConfig {
            chunk,
            clock: Some(js_sys::Date::now),
            ..ParseConfig::default()
        };
        let no_limits = SourceConfig {
            max_file_bytes: u32::MAX,
            max_line_bytes: u32::MAX,
            include_generated: true,
            ..SourceConfig::default()
        };
        Ok(Self {
            parsers: Parsers::new(config),
            forms: Vec::new(),
            no_limits,
        })
    }

    /// Adds a grammar that was loaded into this instance; `address` is that of its `TSLanguage`. Throws
    /// `grammar.unusable` where it is of another version than this engine reads.
    #[wasm_bindgen(js_name = addGrammar)]
    pub fn add_grammar(&mut self, name: &str, address: usize) -> JsResult<()> {
        // SAFETY: the loader got the address from the grammar's own `tree_sitter_…` function, and neither its memory nor its
        // table slots are ever freed.
        #[expect(unsafe_code, reason = "a grammar's address comes from outside")]
        let language = unsafe { tree_sitter::Language::from_raw(address as *const _) };
        let added = self.parsers.add_grammar(name, language);
        added.map_err(|reason| grammar_error(&reason))?;
        let mut users = Language::USER.into_iter();
        match users.find(|user| user.grammar() == Some(name)) {
            // Ours fit their grammars; a user's may not.
            Some(user) => self
                .parsers
                .compile(user)
                .map_err(|reason| grammar_error(&reason)),
            None => Ok(()),
        }
    }

    /// Adds a user's language: its name, its file extensions, its queries. Returns the name under which its grammar
    /// must be added. Throws `grammar.name` if the name is taken or invalid.
    #[wasm_bindgen(js_name = addLanguage)]
    pub fn add_language(
        &mut self,
        name: String,
        extensions: Vec<String>,
        symbols: String,
        references: String,
        highlights: String,
    ) -> JsResult<String> {
        let queries = UserQueries {
            symbols,
            references,
            highlights,
        };
        let language = self
            .parsers
            .add_language(UserLanguage { name, extensions }, queries)
            .map_err(|reason| grammar_error(&reason))?;
        Ok(language.grammar().unwrap_or_default().to_owned())
    }

    /// The grammar that a text needs, if it needs one.
    #[wasm_bindgen(js_name = grammarOf)]
    #[must_use]
    pub fn grammar_of(&self, path: &str, text: &str) -> Option<String> {
        self.parsers
            .language_of(path, text)
            .grammar_for(text)
            .map(str::to_owned)
    }

    /// Reads a file; `bytes` are those that the builder admitted.
    pub fn read(&mut self, path: &str, bytes: &[u8]) -> JsResult<Uint8Array> {
        let text = source::admit(path, bytes, &self.no_limits)
            .map_err(|reason| undecodable(path, &reason))?;
        Ok(Uint8Array::from(
            read_file(&mut self.parsers, path, &text)
                .to_bytes()
                .as_slice(),
        ))
    }

    /// Reads a file as plain text, after the parser broke on it.
    #[wasm_bindgen(js_name = readAfterCrash)]
    pub fn read_after_crash(
        &mut self,
        path: &str,
        bytes: &[u8],
        message: &str,
    ) -> JsResult<Uint8Array> {
        let text = source::admit(path, bytes, &self.no_limits)
            .map_err(|reason| undecodable(path, &reason))?;
        let unit = engine::read_file_after_crash(&mut self.parsers, path, &text, message);
        Ok(Uint8Array::from(unit.to_bytes().as_slice()))
    }

    /// Triples of start, end (UTF-16 units) and class number; sorted, none overlapping.
    #[must_use]
    pub fn highlights(&mut self, path: &str, text: &str) -> Vec<u32> {
        let language = self.parsers.language_of(path, text);
        in_utf16(text, &self.parsers.highlights(language, text))
    }

    /// Rows of the local names in source order: start and end of the name and of its binding, the kind (0 variable, 1 parameter,
    /// 2 import), start and end of the module that it is imported from. Positions are UTF-16 units.
    #[must_use]
    pub fn locals(&mut self, path: &str, text: &str) -> Vec<u32> {
        let language = self.parsers.language_of(path, text);
        let locals = self.parsers.locals(language, text);
        let units = units_of(text);
        let at = |byte: u32| units.get(byte as usize).copied().unwrap_or_default();
        let row = |local: syntax::LocalName| {
            let (range, bound, module) = (local.range, local.bound, local.module);
            [
                at(range.0),
                at(range.1),
                at(bound.0),
                at(bound.1),
                local.kind as u32,
                at(module.0),
                at(module.1),
            ]
        };
        locals.into_iter().flat_map(row).collect()
    }
}

/// UTF-16 units before each byte of a text, and before its end.
fn units_of(text: &str) -> Vec<u32> {
    let mut units = Vec::with_capacity(text.len() + 1);
    let mut before = 0;
    for letter in text.chars() {
        units.extend(std::iter::repeat_n(before, letter.len_utf8()));
        before += letter.len_utf16() as u32;
    }
    units.push(before);
    units
}

fn grammar_error(reason: &GrammarError) -> JsValue {
    let code = match reason {
        GrammarError::Language(_) => "grammar.name",
        GrammarError::Query { .. } => "grammar.query",
        GrammarError::UnknownName(_) | GrammarError::Abi { .. } => "grammar.unusable",
    };
    error(code, reason)
}

fn undecodable(path: &str, reason: &SkipReason) -> JsValue {
    error(reason.code(), format!("{path}: {reason}"))
}

/// Byte offsets become UTF-16 units in one pass: highlights are sorted.
fn in_utf16(text: &str, highlights: &[Highlight]) -> Vec<u32> {
    let mut triples = Vec::with_capacity(highlights.len() * 3);
    let (mut at, mut units) = (0, 0);
    let mut units_to = |byte: u32| {
        let byte = byte as usize;
        units += text
            .get(at..byte)
            .map_or(0, |piece| piece.encode_utf16().count() as u32);
        at = byte.max(at);
        units
    };
    for highlight in highlights {
        let (start, end) = (units_to(highlight.start), units_to(highlight.end));
        triples.extend([start, end, highlight.class as u32]);
    }
    triples
}
