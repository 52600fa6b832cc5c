//! Every knob of ranking, by its effect on the list that the user sees.

use std::ops::{Index, IndexMut};

use crate::paths::PathClass;
use crate::plan::{Plan, QueryKind, QueryTerm};

/// Merges the candidates of the lexical and the vector layer into one list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fusion {
    /// Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): the sum of `1 / (k + rank)` over the layers, `k` being
    /// [`SearchConfig::rrf_k`]. Uses ranks only, so no layer can dominate the list.
    Rrf,
    /// Each layer's scores divided by its best, summed. A clear winner of one layer stays a clear winner.
    #[default]
    Weighted,
}

/// A reason to rank a chunk higher. Each gives a chunk a value between 0 and 1, which its weight turns into score;
/// fused scores run from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Signal {
    /// The chunk defines an identifier of the query: 1 in this spelling, less if only case or underscores differ.
    Definition,
    /// The file is called like an identifier of the query.
    FileName,
    /// Share of the query's terms that are in the file's stem.
    StemTerms,
    /// Minimum match over the words of the file's stem: `JsonObject` answers "json object with named fields" better
    /// than `FieldNamingPolicy`.
    StemCover,
    /// Share of the query's terms that are in the folder's name.
    FolderTerms,
    /// Share of the query's terms that are in names defined in the chunk.
    NameTerms,
    /// Share of the query's terms that are in doc comments of the chunk.
    DocTerms,
    /// Match of the whole file, taken as one text, with the query's terms.
    FileWords,
    /// Mean similarity of the file's best few chunks with the query's vector.
    FileMeaning,
    /// Share of all candidates' score that is in this file; counts for the file's best chunk.
    FileCoherence,
    /// The chunk defines something that is visible outside its file.
    Exported,
    /// Share of the code that depends on the chunk's definitions, 0 to 1; a column filled by the caller.
    Centrality,
    /// Cohesion of the chunk's community, 0 to 1; a column filled by the caller.
    Cohesion,
    /// Where a definition is asked for: the chunk defines something of the kind that is asked for, else a type; a column
    /// filled by the caller.
    DefinitionIntent,
    /// Where the shape of data is asked for: the path speaks of schemas, models, entities or migrations.
    SchemaPath,
    /// The file is in the folder of a project's main code (`src`, `lib`, `app`).
    SourceFolder,
}

/// Number of [`Signal`]s.
pub const N_SIGNALS: usize = 16;

impl Signal {
    /// All, in the order in which they are applied.
    pub const ALL: [Signal; N_SIGNALS] = [
        Signal::Definition,
        Signal::FileName,
        Signal::StemTerms,
        Signal::StemCover,
        Signal::FolderTerms,
        Signal::NameTerms,
        Signal::DocTerms,
        Signal::FileWords,
        Signal::FileMeaning,
        Signal::FileCoherence,
        Signal::Exported,
        Signal::Centrality,
        Signal::Cohesion,
        Signal::DefinitionIntent,
        Signal::SchemaPath,
        Signal::SourceFolder,
    ];

    /// As explanations show it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Signal::Definition => "definition",
            Signal::FileName => "file_name",
            Signal::StemTerms => "stem_terms",
            Signal::StemCover => "stem_cover",
            Signal::FolderTerms => "folder_terms",
            Signal::NameTerms => "name_terms",
            Signal::DocTerms => "doc_terms",
            Signal::FileWords => "file_words",
            Signal::FileMeaning => "file_meaning",
            Signal::FileCoherence => "file_coherence",
            Signal::Exported => "exported",
            Signal::Centrality => "centrality",
            Signal::Cohesion => "cohesion",
            Signal::DefinitionIntent => "definition_intent",
            Signal::SchemaPath => "schema_path",
            Signal::SourceFolder => "source_folder",
        }
    }
}

/// Weight of every signal without a reason for another one.
const PLAIN_WEIGHT: f32 = 0.3;

/// Score that each [`Signal`] adds at its full value. At 0 the signal is off; at 1 it weighs as much as being the best
/// match of all layers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignalWeights(pub [f32; N_SIGNALS]);

impl SignalWeights {
    /// The plain rule: every signal weighs 0.3, except the named ones. Weights fitted to the benchmark did worse on
    /// unseen repositories.
    #[must_use]
    pub fn plain(but: &[(Signal, f32)]) -> SignalWeights {
        let mut all = SignalWeights([PLAIN_WEIGHT; N_SIGNALS]);
        for &(signal, weight) in but {
            all[signal] = weight;
        }
        all
    }
}

impl Index<Signal> for SignalWeights {
    type Output = f32;

    fn index(&self, signal: Signal) -> &f32 {
        &self.0[signal as usize]
    }
}

impl IndexMut<Signal> for SignalWeights {
    fn index_mut(&mut self, signal: Signal) -> &mut f32 {
        &mut self.0[signal as usize]
    }
}

/// The factor for the scores of a kind of file that is rarely asked for. At 1 it has no effect, at 0 such a file is never
/// shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penalty {
    /// As explanations show it.
    pub name: &'static str,
    /// The kind of file.
    pub class: PathClass,
    /// The factor.
    pub factor: f32,
}

/// Weights of layers and signals for one kind of query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blend {
    /// Share of the vector layer in the fused score; the lexical layer has the rest. 0 is words only, 1 meaning only.
    pub vector_share: f32,
    /// Value of a definition whose name differs from the query's in case or underscores, if none matches exactly: at 0
    /// `FromRequest` never finds `from_request`, at 1 it counts like the name itself.
    pub folded_definition: f32,
    /// Weights of the signals.
    pub signals: SignalWeights,
}

/// Options of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchConfig {
    /// Number of candidates from each layer. More finds chunks that both layers rank low but signals lift; costs time
    /// in proportion.
    pub candidates: usize,
    /// Method of merging the layers.
    pub fusion: Fusion,
    /// `k` of [`Fusion::Rrf`]: a larger one reduces the lead of the first ranks; 60 is the value in the literature.
    pub rrf_k: f32,
    /// For queries that are names.
    pub symbol: Blend,
    /// For queries that are descriptions.
    pub conceptual: Blend,
    /// Weight of two neighbouring words that form one identifier in a chunk (`type handler` in `TypeHandler`); a word
    /// counts 1. At 0 words are searched separately only.
    pub joined_words: f32,
    /// Value of a definition whose name is spelt similarly to a one-word query, if nothing has that name: at 0 a
    /// misspelt name finds nothing by name, at 1 it counts as if it were spelt right.
    pub near_names: f32,
    /// Weight of a word that is the name of the project: at 1 like any other, at 0 it is not searched, since every file
    /// mentions it.
    pub project_name: f32,
    /// Kinds of files that are rarely meant. Neither test files are penalised where tests are
    /// asked for, nor files of a system where the query names one.
    pub penalties: Vec<Penalty>,
    /// Factor of chunks that are no tests where tests are all that is asked for.
    pub no_test: f32,
    /// Ask the lexical layer.
    pub lexical: bool,
    /// Ask the vector layer, where there are vectors and the query has one.
    pub vector: bool,
    /// Take definitions of the query's names, and the chunks that are known to answer.
    pub names: bool,
    /// Apply signals and penalties; without, the list is the fused one.
    pub rerank: bool,
}

impl SearchConfig {
    /// Returns the weights for a kind of query.
    #[must_use]
    pub fn blend(&self, plan: &Plan) -> &Blend {
        match plan.kind {
            QueryKind::Symbol => &self.symbol,
            QueryKind::Conceptual => &self.conceptual,
        }
    }

    /// Returns the weight of a query term in the lexical score.
    pub(crate) fn weight_of(&self, term: &QueryTerm) -> f32 {
        let kind = if term.joins.is_some() {
            self.joined_words
        } else {
            1.0
        };
        kind * term.weight * term.importance
    }
}

impl Default for SearchConfig {
    fn default() -> SearchConfig {
        SearchConfig {
            candidates: 100,
            fusion: Fusion::Weighted,
            rrf_k: 60.0,
            symbol: Blend {
                vector_share: 0.5,
                folded_definition: 0.7,
                signals: SignalWeights::plain(&[
                    (Signal::Definition, 3.0),
                    (Signal::FileName, 1.0),
                    (Signal::Exported, 0.0),
                    (Signal::DefinitionIntent, 0.0),
                    (Signal::SchemaPath, 0.0),
                    (Signal::SourceFolder, 0.0),
                ]),
            },
            // In a sentence a name is one word of many; the others describe the request.
            conceptual: Blend {
                vector_share: 0.5,
                folded_definition: 0.0,
                signals: SignalWeights::plain(&[
                    (Signal::Definition, 0.8),
                    (Signal::StemTerms, 0.5),
                    (Signal::Exported, 0.0),
                    (Signal::Cohesion, 0.0),
                    (Signal::DefinitionIntent, 0.0),
                    (Signal::SchemaPath, 0.0),
                    (Signal::SourceFolder, 0.0),
                ]),
            },
            joined_words: 0.4,
            near_names: 0.6,
            project_name: 0.2,
            penalties: default_penalties(),
            no_test: 0.5,
            lexical: true,
            vector: true,
            names: true,
            rerank: true,
        }
    }
}

fn default_penalties() -> Vec<Penalty> {
    let penalty = |name, class, factor| Penalty {
        name,
        class,
        factor,
    };
    vec![
        penalty("test_penalty", PathClass::TEST, 0.3),
        penalty("example_penalty", PathClass::EXAMPLE, 0.3),
        penalty("generated_penalty", PathClass::GENERATED, 0.5),
        penalty("vendored_penalty", PathClass::VENDORED, 0.5),
        penalty("glue_penalty", PathClass::GLUE, 0.6),
        penalty("legacy_penalty", PathClass::LEGACY, 0.4),
        penalty("stub_penalty", PathClass::STUB, 0.7),
        penalty("prose_penalty", PathClass::PROSE, 0.4),
        penalty("config_penalty", PathClass::CONFIG, 0.5),
        penalty("tooling_penalty", PathClass::TOOLING, 0.5),
        penalty("meta_penalty", PathClass::META, 0.2),
        penalty("platform_penalty", PathClass::PLATFORM, 0.6),
    ]
}
