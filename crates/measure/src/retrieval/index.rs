//! A repository on disk, read and indexed in memory as any user's would be.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use embed::{Embedder, StaticEmbedder};
use engine::{Engine, EngineConfig, FileFilter, Phase, SearchQuery};
use search::{Candidates, LexicalConfig, Ranked, SearchConfig};
use source::{FileSet, SourceConfig};
use syntax::{ParseConfig, Parsers};

use super::score;
use super::tokens::Source;
use crate::flags::Failure;
use crate::folder;

const MODEL: &[u8] = include_bytes!("../../../embed/model/code-embed-128.int8.onnx");
const TOKENIZER: &[u8] = include_bytes!("../../../embed/model/tokenizer.json");

/// The index of one repository.
pub(crate) struct RepositoryIndex {
    pub(crate) name: String,
    pub(crate) language: String,
    pub(crate) n_chunks: usize,
    reader: engine::Reader,
    any_file: FileFilter,
}

impl RepositoryIndex {
    /// Returns the candidates of a query, before they are ranked.
    pub(crate) fn candidates(
        &self,
        text: &str,
        vector: &[f32],
        config: &SearchConfig,
    ) -> Candidates {
        let query = SearchQuery {
            text,
            vector: Some(vector),
            limit: 10,
            files: self.any_file.clone(),
            grouped: true,
            config: config.clone(),
            ..SearchQuery::default()
        };
        let candidates = self.reader.candidates(&query);
        candidates.unwrap_or_else(|error| unreachable!("an index in memory is readable: {error}"))
    }

    /// Every file that was indexed.
    pub(crate) fn sources(&self) -> Vec<Source> {
        let source = |file| Source {
            path: self.reader.path(file).to_owned(),
            text: self.reader.text(file).unwrap_or_default().to_owned(),
        };
        self.reader.files().map(source).collect()
    }

    /// Size of a result's text.
    pub(crate) fn n_bytes(&self, result: &score::Result) -> usize {
        let text = self
            .reader
            .file(&result.path)
            .and_then(|file| self.reader.text(file))
            .unwrap_or_default();
        let lines = text.split_inclusive('\n');
        let before = result.start_line.saturating_sub(1) as usize;
        let n_lines = result.end_line as usize - before;
        lines.skip(before).take(n_lines).map(str::len).sum()
    }

    /// The best chunk of each of the first `limit` files.
    pub(crate) fn results(&self, ranked: &Ranked, limit: usize) -> Vec<score::Result> {
        let files = ranked.by_file();
        let best = files
            .iter()
            .take(limit)
            .filter_map(|file| ranked.hits.get(*file.hits.first()?));
        best.filter_map(|hit| {
            let meta = self.reader.chunk(hit.chunk)?;
            let path = self.reader.path(meta.file).to_owned();
            Some(score::Result {
                path,
                start_line: meta.start_line + 1,
                end_line: meta.end_line + 1,
            })
        })
        .collect()
    }
}

/// Reads repositories, and says how long each step took.
pub(crate) struct Reader {
    parsers: Parsers,
    embedder: StaticEmbedder,
    phases: [Duration; 3],
    n_chunks: usize,
    lexical: LexicalConfig,
}

impl Reader {
    /// `lexical` changes how words are weighed: `k1`, four field weights, four field `b`, with commas between. `model` is a folder
    /// with another static model.
    pub(crate) fn new(lexical: Option<&str>, model: Option<&Path>) -> Result<Reader, Failure> {
        let embedder = match model {
            Some(folder) => read_model(folder)?,
            None => shipped_model()?,
        };
        Ok(Reader {
            parsers: Parsers::new(ParseConfig::default()),
            embedder,
            phases: [Duration::ZERO; 3],
            n_chunks: 0,
            lexical: lexical.map_or(Ok(LexicalConfig::default()), read_lexical)?,
        })
    }

    pub(crate) fn times(&self) -> String {
        let [parsing, embedding, building] = self.phases;
        let rate = self.n_chunks as f64 / embedding.as_secs_f64().max(1e-9);
        format!(
            "parsing {parsing:.2?}, embedding {embedding:.2?} = {rate:.0} chunks/s, building {building:.2?}"
        )
    }

    pub(crate) fn embed(&self, text: &str) -> Result<Vec<f32>, Failure> {
        Ok(self.embedder.embed(&[text])?)
    }

    pub(crate) fn read(
        &mut self,
        root: &Path,
        name: &str,
        language: &str,
    ) -> Result<RepositoryIndex, Failure> {
        let set = FileSet::from_files(folder::read(root)?, &SourceConfig::default());
        if set.files.is_empty() {
            return Err(format!("{}: no files", root.display()).into());
        }
        let mut entered = (Phase::Parsing, Instant::now());
        let phases = &mut self.phases;
        let mut progress = |progress: engine::Progress<'_>| {
            if progress.phase != entered.0 {
                phases[entered.0 as usize] += entered.1.elapsed();
                entered = (progress.phase, Instant::now());
            }
            true
        };
        let config = EngineConfig {
            name: name.to_owned(),
            lexical: self.lexical.clone(),
            ..EngineConfig::default()
        };
        let (_, snapshot) = Engine::index(
            config,
            set,
            &mut self.parsers,
            Some(&self.embedder),
            &mut progress,
        )?;
        self.phases[entered.0 as usize] += entered.1.elapsed();
        let reader = engine::Reader::new(Arc::new(snapshot))?;
        let n_chunks = reader.n_chunks();
        self.n_chunks += n_chunks;
        Ok(RepositoryIndex {
            name: name.to_owned(),
            language: language.to_owned(),
            n_chunks,
            reader,
            any_file: FileFilter::new(&[], &[])?,
        })
    }
}

/// The static model that the package ships with.
pub(crate) fn shipped_model() -> Result<StaticEmbedder, Failure> {
    Ok(StaticEmbedder::from_onnx(MODEL, TOKENIZER)?)
}

/// The one ONNX file of a folder and the `tokenizer.json` beside it.
fn read_model(folder: &Path) -> Result<StaticEmbedder, Failure> {
    let paths = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let model = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "onnx"))
        .min()
        .ok_or_else(|| format!("{}: there is no ONNX file", folder.display()))?;
    let tokenizer = std::fs::read(folder.join("tokenizer.json"))?;
    Ok(StaticEmbedder::from_onnx(
        &std::fs::read(model)?,
        &tokenizer,
    )?)
}

fn read_lexical(numbers: &str) -> Result<LexicalConfig, Failure> {
    let numbers: Vec<f32> = numbers
        .split(',')
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    match numbers[..] {
        [k1, name, path, doc, body, b_name, b_path, b_doc, b_body] => Ok(LexicalConfig {
            k1,
            field_weights: [name, path, doc, body],
            field_b: [b_name, b_path, b_doc, b_body],
        }),
        _ => Err("--lexical wants nine numbers".into()),
    }
}
