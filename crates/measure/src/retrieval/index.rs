//! A repository on disk, read and indexed in memory.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use embed::{Embedder, StaticEmbedder};
use rkyv::rancor::Error;
use rkyv::util::AlignedVec;
use search::{
    ArchivedLexical, ArchivedVectors, ChunkFlags, ChunkId, ChunkMeta, ChunkText, IndexBuilder,
    LexicalConfig, Ranked, VectorsBuilder,
};
use source::{FileSet, SourceConfig, SourceFile};
use syntax::facts::{Chunk, FileFacts, LocalSymbol, Modifiers};
use syntax::{Language, ParseConfig, Parsers};

use super::score;
use crate::Failure;

const MODEL: &[u8] = include_bytes!("../../../embed/model/code-embed-128.int8.onnx");
const TOKENIZER: &[u8] = include_bytes!("../../../embed/model/tokenizer.json");

/// The index of one repository.
pub(crate) struct RepositoryIndex {
    pub(crate) name: String,
    pub(crate) language: String,
    paths: Vec<String>,
    lexical: AlignedVec,
    vectors: AlignedVec,
}

impl RepositoryIndex {
    pub(crate) fn lexical(&self) -> &ArchivedLexical {
        rkyv::access::<ArchivedLexical, Error>(&self.lexical).expect("just written")
    }

    pub(crate) fn vectors(&self) -> &ArchivedVectors {
        rkyv::access::<ArchivedVectors, Error>(&self.vectors).expect("just written")
    }

    pub(crate) fn n_chunks(&self) -> usize {
        self.lexical().n_chunks()
    }

    /// The best chunk of each of the first `limit` files.
    pub(crate) fn results(&self, ranked: &Ranked, limit: usize) -> Vec<score::Result> {
        let lexical = self.lexical();
        let result = |chunk: ChunkId| {
            let meta = lexical.chunk(chunk)?;
            let path = self.paths.get(meta.file.index())?.clone();
            Some(score::Result {
                path,
                start_line: meta.start_line + 1,
                end_line: meta.end_line + 1,
            })
        };
        ranked
            .by_file()
            .iter()
            .take(limit)
            .filter_map(|file| result(ranked.hits[file.hits[0]].chunk))
            .collect()
    }
}

/// Reads repositories, and says how long each step took.
pub(crate) struct Reader {
    parsers: Parsers,
    embedder: StaticEmbedder,
    parsing: Duration,
    terms: Duration,
    embedding: Duration,
    building: Duration,
    n_chunks: usize,
}

impl Reader {
    pub(crate) fn new() -> Result<Reader, Failure> {
        let embedder = StaticEmbedder::from_onnx(MODEL, TOKENIZER)?;
        let zero = Duration::ZERO;
        Ok(Reader {
            parsers: Parsers::new(ParseConfig::default()),
            embedder,
            parsing: zero,
            terms: zero,
            embedding: zero,
            building: zero,
            n_chunks: 0,
        })
    }

    pub(crate) fn times(&self) -> String {
        let rate = self.n_chunks as f64 / self.embedding.as_secs_f64().max(1e-9);
        format!(
            "parsing {:.2?}, terms {:.2?}, embedding {:.2?} = {rate:.0} chunks/s, building {:.2?}",
            self.parsing, self.terms, self.embedding, self.building
        )
    }

    pub(crate) fn embed(&self, text: &str) -> Result<Vec<f32>, Failure> {
        Ok(self.embedder.embed(&[text])?)
    }

    pub(crate) fn read(
        &mut self,
        folder: &Path,
        name: &str,
        language: &str,
    ) -> Result<RepositoryIndex, Failure> {
        let set = FileSet::from_files(files_in(folder)?, &SourceConfig::default());
        if set.files.is_empty() {
            return Err(format!("{}: no files", folder.display()).into());
        }
        let mut builder = IndexBuilder::new(LexicalConfig::default());
        let mut vectors = Vec::new();
        for file in &set.files {
            self.add_file(file, &mut builder, &mut vectors)?;
        }
        let started = Instant::now();
        let n_chunks = builder.n_chunks();
        let mut table = VectorsBuilder::new(self.embedder.dim(), n_chunks);
        for (chunk, vector) in (0..)
            .map(ChunkId)
            .zip(vectors.chunks_exact(self.embedder.dim()))
        {
            table.set(chunk, vector);
        }
        let lexical = rkyv::to_bytes::<Error>(&builder.build())?;
        let vectors = rkyv::to_bytes::<Error>(&table.build())?;
        self.building += started.elapsed();
        self.n_chunks += n_chunks;
        let paths = set.files.into_iter().map(|file| file.path).collect();
        Ok(RepositoryIndex {
            name: name.to_owned(),
            language: language.to_owned(),
            paths,
            lexical,
            vectors,
        })
    }

    fn add_file(
        &mut self,
        file: &SourceFile,
        builder: &mut IndexBuilder,
        vectors: &mut Vec<f32>,
    ) -> Result<(), Failure> {
        let language = Language::from_text(&file.path, &file.text);
        let started = Instant::now();
        let facts = self.parsers.read(language, &file.text);
        self.parsing += started.elapsed();
        let file_id = builder.add_file(&file.path);
        for chunk in &facts.chunks {
            let symbols: Vec<String> = chunk
                .defines
                .iter()
                .map(|&symbol| qualified_name(&facts, symbol))
                .collect();
            let symbols: Vec<&str> = symbols.iter().map(String::as_str).collect();
            let docs: Vec<&str> = chunk
                .defines
                .iter()
                .filter_map(|&symbol| facts.symbols.get(symbol as usize))
                .map(|symbol| symbol.doc.as_str())
                .collect();
            let body = file
                .text
                .get(chunk.span.start as usize..chunk.span.end as usize)
                .unwrap_or("");
            let text = ChunkText {
                path: &file.path,
                language,
                symbols: &symbols,
                doc: &docs.join("\n"),
                body,
            };
            let started = Instant::now();
            builder.add(
                meta_of(file_id, language, chunk, &facts),
                &search::chunk_terms(&text),
            );
            self.terms += started.elapsed();
            let started = Instant::now();
            vectors.extend(self.embedder.embed(&[&search::embedding_text(&text)])?);
            self.embedding += started.elapsed();
        }
        Ok(())
    }
}

fn meta_of(
    file: source::FileId,
    language: Language,
    chunk: &Chunk,
    facts: &FileFacts,
) -> ChunkMeta {
    let is = |modifier: Modifiers| {
        chunk
            .defines
            .iter()
            .filter_map(|&symbol| facts.symbols.get(symbol as usize))
            .any(|symbol| symbol.is(modifier))
    };
    let mut flags = ChunkFlags::empty();
    flags.set(ChunkFlags::EXPORTED, is(Modifiers::EXPORTED));
    flags.set(ChunkFlags::TEST, is(Modifiers::TEST));
    ChunkMeta {
        file,
        start: chunk.span.start,
        end: chunk.span.end,
        start_line: chunk.span.start_line,
        end_line: chunk.span.end_line,
        language,
        flags,
    }
}

fn qualified_name(facts: &FileFacts, symbol: LocalSymbol) -> String {
    let mut names = Vec::new();
    let mut at = Some(symbol);
    // A parent stands before its children, so the walk ends.
    while let Some(symbol) = at.and_then(|idx| facts.symbols.get(idx as usize)) {
        names.push(symbol.name.as_str());
        at = symbol.parent.filter(|&parent| Some(parent) < at);
    }
    names.reverse();
    names.join(".")
}

fn files_in(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        let entries =
            std::fs::read_dir(&at).map_err(|error| format!("{}: {error}", at.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let relative = path.strip_prefix(folder)?.to_string_lossy().into_owned();
                files.push((relative, std::fs::read(&path)?));
            }
        }
    }
    Ok(files)
}
