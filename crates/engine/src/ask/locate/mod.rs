//! From the text of an issue, a message or a stack trace to the files and functions that it is about.
//!
//! The text is taken apart ([`text`]); each part gives clues ([`Clue`]) to files and functions: searches, names, paths,
//! frames, messages, the graph. Their values are weighed in one table ([`LocateWeights`]).

mod answer;
mod beside;
mod clues;
mod evidence;
mod files;
mod functions;
mod mentions;
mod messages;
mod near;
mod rank;
mod searches;
mod text;
mod traces;

use rustc_hash::FxHashMap;
use search::{ChunkId, PathClass};
use source::FileId;

use self::answer::reasons;
pub use self::answer::{Because, LocateReading, Located, LocatedFile, LocatedFunction};
use self::beside::Beside;
pub use self::beside::Partner;
pub use self::clues::{Clue, LocateWeights, N_CLUES};
use self::evidence::Evidence;
use self::files::FileNames;
use self::functions::{FunctionFound, NO_VALUES};
use self::rank::FileFound;
pub use self::rank::{LocateEvidence, N_SIGNS};
use self::text::ReadText;
use crate::ask::joined::JoinedWords;
use crate::{Error, ErrorKind, FileFilter, Reader};

/// Files that usually change together with a file: from the history, if the caller has it.
pub type Together<'a> = &'a dyn Fn(FileId) -> Vec<Partner>;

/// Files whose partners in changes are asked for.
const MAX_TOGETHER: usize = 5;

/// A text, and the options of the request.
#[derive(Clone, Default)]
pub struct LocateQuery<'a> {
    /// An issue, a message, a stack trace, a diff, in plain text or Markdown. Of a longer text the first 48 KiB and the last 16 KiB are
    /// read.
    pub text: &'a str,
    /// Its title as a vector of the index's model: see [`LocateQuery::spoken`].
    pub title_vector: Option<&'a [f32]>,
    /// Its title and prose as a vector.
    pub prose_vector: Option<&'a [f32]>,
    /// Which files may be found.
    pub files: FileFilter,
    /// Maximum number of files.
    pub limit: usize,
    /// Maximum number of functions.
    pub function_limit: usize,
    /// Files that change together with others.
    pub together: Option<Together<'a>>,
    /// How clues are weighed.
    pub weights: LocateWeights,
}

impl LocateQuery<'_> {
    /// Title, and title with prose, of a text, for a model to embed.
    #[must_use]
    pub fn spoken(text: &str) -> (String, String) {
        let read = ReadText::new(text);
        let spoken = read.spoken();
        (read.title, spoken)
    }
}

impl Reader {
    /// Returns the files and functions that a text is about, best first, with reasons.
    ///
    /// Cost: two searches, one pass over the postings of at most 60 words, and the words of the likeliest functions.
    ///
    /// # Errors
    ///
    /// `query.empty` for a text of white space; `snapshot.…` where a shard cannot be read.
    pub fn locate(&self, query: &LocateQuery<'_>) -> Result<Located, Error> {
        let (evidence, read, title) = self.gather(query)?;
        let ranked = evidence.rank(&query.weights);
        let signs = evidence.signs_of(&ranked.files);
        let sureness = rank::sureness(signs);
        let best = ranked.files.first().map_or(0.0, |(_, score)| *score);
        let files = ranked
            .files
            .iter()
            .take(query.limit)
            .filter_map(|(idx, score)| {
                let found = evidence.files.get(*idx)?;
                Some(LocatedFile {
                    file: found.file,
                    score: *score,
                    sureness: rank::sureness_of(sureness, *score, best),
                    why: reasons(&found.values, &found.details, &query.weights.files),
                })
            });
        let functions = ranked
            .functions
            .iter()
            .take(query.function_limit)
            .filter_map(|(idx, score)| {
                let function = evidence.functions.get(*idx)?;
                Some(LocatedFunction {
                    node: function.node,
                    file: function.file,
                    score: *score,
                    why: reasons(
                        &function.found.values,
                        &function.found.details,
                        &query.weights.functions,
                    ),
                })
            });
        Ok(Located {
            title,
            sureness,
            is_known: sureness >= rank::KNOWN_FROM,
            total: ranked.files.len(),
            files: files.collect(),
            functions: functions.collect(),
            read,
        })
    }

    /// Returns everything that speaks for files and functions, before it is weighed: for comparing weights.
    ///
    /// # Errors
    ///
    /// As [`Reader::locate`].
    pub fn locate_evidence(&self, query: &LocateQuery<'_>) -> Result<LocateEvidence, Error> {
        Ok(self.gather(query)?.0)
    }

    fn gather(
        &self,
        query: &LocateQuery<'_>,
    ) -> Result<(LocateEvidence, LocateReading, String), Error> {
        if query.text.trim().is_empty() {
            return Err(Error::new(ErrorKind::QueryEmpty, "the text is empty"));
        }
        let read = ReadText::new(query.text);
        let reading = LocateReading {
            n_frames: read.frames.len(),
            n_names: read.names.len(),
            n_paths: read.paths.len(),
            n_messages: read.messages.len(),
            versions: read.versions.clone(),
            options: read.options.clone(),
            n_left_out: read.n_left_out,
        };
        let title = read.title.clone();
        let mut locating = Locating::new(self, read, query);
        locating.searches()?;
        locating.words();
        locating.paths();
        locating.frames();
        locating.messages();
        locating.named();
        locating.stems();
        locating.near(&query.weights);
        if let Some(together) = query.together {
            locating.together(together, &query.weights);
        }
        Ok((locating.finish(&query.weights), reading, title))
    }
}

/// A text that is being located.
pub(crate) struct Locating<'a> {
    reader: &'a Reader,
    read: ReadText,
    vectors: (Option<&'a [f32]>, Option<&'a [f32]>),
    names: FileNames<'a>,
    words: JoinedWords<'a>,
    evidence: Evidence,
    /// Partners in changes of the likeliest files.
    partners: FxHashMap<FileId, Vec<Partner>>,
    /// Values of the searches' chunks, for their functions.
    chunks: FxHashMap<ChunkId, [f32; N_CLUES]>,
    /// Whether the title asks for tests.
    wants_tests: bool,
    /// The factor of each file; 0 for one that may not be found.
    factors: Vec<f32>,
    /// Words of the title with their rarity.
    title_terms: Vec<(u64, f32)>,
    /// Words of the whole text with weight and rarity.
    terms: Vec<(u64, f32)>,
    /// The share of these words that the best file has.
    coverage: f32,
    /// Score of each chunk by these words.
    word_scores: Vec<f32>,
}

impl<'a> Locating<'a> {
    fn new(reader: &'a Reader, read: ReadText, query: &LocateQuery<'a>) -> Self {
        let wants_tests = search::plan(&read.title).is_about_tests;
        let factor = |file: FileId| {
            let passes = query.files.is_open()
                || query.files.passes(reader.path(file), reader.language(file));
            let is_wanted = wants_tests || !reader.locate_class(file).contains(PathClass::TEST);
            if passes && is_wanted {
                reader.locate_factor(file, wants_tests)
            } else {
                0.0
            }
        };
        let mut locating = Self {
            reader,
            vectors: (query.title_vector, query.prose_vector),
            names: FileNames::new(reader),
            words: reader.all_words(),
            evidence: Evidence::default(),
            partners: FxHashMap::default(),
            chunks: FxHashMap::default(),
            wants_tests,
            factors: reader.files().map(factor).collect(),
            title_terms: Vec::new(),
            terms: Vec::new(),
            coverage: 0.0,
            word_scores: Vec::new(),
            read,
        };
        locating.title_terms = locating.rarities(&locating.read.title);
        locating
    }

    /// Whether a file may be found: it passes the filter and is no test.
    fn may_be(&self, file: FileId) -> bool {
        self.factor(file) > 0.0
    }

    fn factor(&self, file: FileId) -> f32 {
        self.factors.get(file.index()).copied().unwrap_or(0.0)
    }

    /// The words of a text that the index has, with their rarity.
    fn rarities(&self, text: &str) -> Vec<(u64, f32)> {
        let mut terms: Vec<(u64, f32)> = Vec::new();
        search::for_each_token(text, |token| {
            let hash = search::term_hash(token.text);
            let n = self.words.document_frequency(hash);
            if !search::is_stopword(token.text)
                && n > 0
                && !terms.iter().any(|(known, _)| *known == hash)
            {
                terms.push((hash, self.words.idf(n)));
            }
        });
        terms
    }

    /// Share of the title's words, by their rarity, that are in a name, times the share of the name that they are.
    fn share_of_title(&self, name: &str) -> f32 {
        let total: f32 = self.title_terms.iter().map(|(_, rarity)| rarity).sum();
        let (mut held, mut n_held, mut n_all) = (0.0, 0.0_f32, 0.0_f32);
        let parts = search::split_identifier(name);
        for part in &parts {
            n_all += 1.0;
            let token = search::tokenize(part);
            let hash = token.first().map(|token| search::term_hash(token));
            if let Some((_, rarity)) = self
                .title_terms
                .iter()
                .find(|(term, _)| Some(*term) == hash)
            {
                held += rarity;
                n_held += 1.0;
            }
        }
        if total <= 0.0 || n_all <= 0.0 {
            return 0.0;
        }
        ((held / total).min(1.0) * n_held / n_all).sqrt()
    }

    /// Adds files that are called as words of the title.
    fn stems(&mut self) {
        let named: Vec<(FileId, f32)> = self
            .evidence
            .files
            .keys()
            .map(|file| {
                (
                    *file,
                    self.share_of_title(files::stem(self.reader.path(*file))),
                )
            })
            .collect();
        for (file, share) in named.into_iter().filter(|(_, share)| *share > 0.0) {
            self.evidence
                .files
                .entry(file)
                .or_default()
                .at_least(Clue::Stem, share);
        }
    }

    /// Adds what changes together with the likeliest files.
    fn together(&mut self, together: Together<'_>, weights: &LocateWeights) {
        let ranked = self.ranked_files(weights);
        let best = ranked.first().map_or(0.0, |(_, score)| *score);
        for (file, score) in ranked.into_iter().take(MAX_TOGETHER).filter(|_| best > 0.0) {
            let mut partners = together(file);
            partners.retain(|partner| partner.file != file && self.may_be(partner.file));
            for partner in &partners {
                let found = self.evidence.files.entry(partner.file).or_default();
                let share = partner.confidence * score / best;
                found.most(Clue::Together, share, self.reader.path(file));
            }
            self.partners.insert(file, partners);
        }
    }

    fn ranked_files(&self, weights: &LocateWeights) -> Vec<(FileId, f32)> {
        self.with_functions(Vec::new()).files(weights)
    }

    fn with_functions(&self, functions: Vec<FunctionFound>) -> LocateEvidence {
        let files = self.evidence.files.iter();
        let files = files.filter(|(file, found)| self.may_be(**file) && found.values != NO_VALUES);
        let mut areas: FxHashMap<&str, u32> = FxHashMap::default();
        let mut area = |file: FileId| {
            let area = rank::area_of(self.reader.path(file))?;
            let next = areas.len() as u32;
            Some(*areas.entry(area).or_insert(next))
        };
        LocateEvidence {
            files: files
                .map(|(file, found)| FileFound {
                    file: *file,
                    values: found.values,
                    details: found.details.clone(),
                    factor: self.factor(*file),
                    area: area(*file),
                })
                .collect(),
            functions,
            beside: Vec::new(),
            coverage: self.coverage,
        }
    }

    fn finish(self, weights: &LocateWeights) -> LocateEvidence {
        let beside = self.files_beside(weights);
        let mut evidence = self.with_functions(Vec::new());
        let places = evidence.files.iter().enumerate();
        let places = places.filter_map(|(idx, found)| {
            let &(changed, linked) = beside.get(&found.file)?;
            Some(Beside {
                idx,
                changed,
                linked,
            })
        });
        evidence.beside = places.collect();
        let files = evidence.files(weights);
        let files: Vec<FileId> = files.into_iter().map(|(file, _)| file).collect();
        evidence.functions = self.functions(&files);
        evidence
    }
}
