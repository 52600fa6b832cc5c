//! Helpers of every test here: an index of a few texts.

use std::sync::Arc;

use embed::{EmbedError, Embedder};
use engine::{Engine, EngineConfig, FileUnit, Reader, Snapshot};
use fixture::Fixture;
use serde_json::json;
use source::{FileSet, SourceConfig};
use syntax::{ParseConfig, Parsers};

/// One parser for a test: grammars are loaded once.
pub fn parsers() -> Parsers {
    Parsers::new(ParseConfig::default())
}

/// Files with their bytes.
pub fn bytes_of(files: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
        .collect()
}

/// The files of a fixture, admitted.
pub fn files_of(fixture: &Fixture) -> FileSet {
    let files = fixture
        .files
        .iter()
        .map(|file| (file.path.clone(), file.text.clone().into_bytes()));
    FileSet::from_files(files, &SourceConfig::default())
}

/// An index of admitted files, with vectors of [`Letters`].
pub fn index(files: FileSet) -> (Engine, Snapshot) {
    let config = EngineConfig {
        name: "fixture".to_owned(),
        ..EngineConfig::default()
    };
    let Ok((mut engine, _)) = Engine::index(config, files, &mut parsers(), None, &mut |_| true)
    else {
        panic!("indexing does not fail");
    };
    embed(&mut engine);
    let snapshot = engine.build(0.0).expect("a snapshot");
    (engine, snapshot)
}

/// Give every chunk that has none a vector.
pub fn embed(engine: &mut Engine) {
    engine.embed(&Letters, &mut |_| true).expect("vectors");
}

/// A reader of an index of admitted files, saved and opened again.
pub fn reader(files: FileSet) -> Reader {
    let (_, snapshot) = index(files);
    let opened = Snapshot::open(snapshot.to_bytes().unwrap()).expect("what was saved opens");
    Reader::new(Arc::new(opened)).unwrap()
}

/// The unit of one file.
pub fn unit(parsers: &mut Parsers, path: &str, text: &str) -> FileUnit {
    engine::read_file(parsers, path, text)
}

/// The subject of the requests of [`request`].
pub struct Topic<'a> {
    /// A function.
    pub symbol: &'a str,
    /// It is found in the text.
    pub word: &'a str,
    /// A file with the function.
    pub path: &'a str,
    /// A line in it with a name, counted from 0, and at least six characters.
    pub line: u32,
    /// The end of a way from the function.
    pub target: &'a str,
}

/// A request for each tool by what it is about.
pub fn request(tool: &str, about: &Topic<'_>) -> String {
    let Topic {
        symbol,
        word,
        path,
        line,
        target,
    } = about;
    let request = match tool {
        "search" | "assemble" | "query" => json!({ "query": word }),
        "rename" => json!({ "symbol": symbol, "new_name": "reduce" }),
        "trace" | "paths" => json!({ "from": symbol, "to": target }),
        "traverse" => json!({ "from": symbol }),
        "subgraph" => json!({ "around": symbol }),
        "cypher" => json!({ "query": "MATCH (f:Function) RETURN f.name ORDER BY f.name" }),
        "export" => json!({ "format": "json" }),
        "regex" => json!({ "pattern": word }),
        "outline" | "chunks" | "file_text" => json!({ "path": path }),
        "definition" => json!({ "path": path, "line": line, "character": 6 }),
        "link_lsp_to_chunk" => json!({ "path": path, "line": line + 1 }),
        "code_intelligence" => json!({ "command": "find", "symbol": symbol }),
        "detect_changes" => json!({ "after": [{ "path": path, "text": null }] }),
        "files" | "status" | "map" | "cycles" | "processes" | "communities" => json!({}),
        _ => json!({ "symbol": symbol }),
    };
    request.to_string()
}

/// A model for tests: counts of letters in a text.
pub struct Letters;

impl Embedder for Letters {
    fn name(&self) -> &str {
        "letters"
    }

    fn dim(&self) -> usize {
        26
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<f32>, EmbedError> {
        let mut vectors = vec![0.0; texts.len() * 26];
        for (text, vector) in texts.iter().zip(vectors.chunks_exact_mut(26)) {
            for byte in text.bytes().filter(u8::is_ascii_alphabetic) {
                vector[usize::from(byte.to_ascii_lowercase() - b'a')] += 1.0;
            }
            let norm = vector
                .iter()
                .map(|x| x * x)
                .sum::<f32>()
                .sqrt()
                .max(f32::MIN_POSITIVE);
            vector.iter_mut().for_each(|x| *x /= norm);
        }
        Ok(vectors)
    }
}
