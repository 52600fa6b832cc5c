//! Search: a question in words or an identifier in, ranked chunks out.

use std::collections::BTreeMap;

use crate::paging::paged;
use crate::wire;

/// Whether a flag is left out of the answer.
fn is_false(flag: &bool) -> bool {
    !flag
}

wire! {
    /// Layers that a search asks. With `auto` the planner chooses from the query.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum SearchMode {
        /// The planner chooses.
        #[default]
        Auto,
        /// Words only.
        Lexical,
        /// Meaning only.
        Vector,
        /// Words and meaning, fused.
        Hybrid,
        /// Definitions of the names in the query only.
        Ast,
        /// Definitions that the query names, their uses and the definitions that they use.
        Graph,
        /// Words, meaning and the graph together.
        All,
    }

    /// Way of merging the lists of words and meaning.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum SearchFusion {
        /// Scores as shares of the best one, weighted: `vector_share` of `weights` is the share of meaning.
        #[default]
        Weighted,
        /// Reciprocal ranks: `rrf_k` of `weights` (60) says how little the first ranks lead.
        Rrf,
    }
}

paged! {
    /// A search.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct SearchRequest {
        /// Words, a question, or an identifier.
        pub query: String,
        /// Search layers, instead of those that the planner chooses.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub mode: SearchMode,
        /// How words and meaning are merged.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub fusion: SearchFusion,
        /// Only these languages, by name (`rust`, `typescript`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub languages: Vec<String>,
        /// Only paths that match one of these globs; one that starts with `!` excludes.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub paths: Vec<String>,
        /// Only chunks that define a symbol of one of these kinds (`function`, `class`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub kinds: Vec<String>,
        /// Only chunks that were cut at one of these kinds of syntax nodes (`function_item`, `class_declaration`).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub node_types: Vec<String>,
        /// Minimum cyclomatic complexity of the definition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_complexity: Option<u32>,
        /// Maximum cyclomatic complexity of the definition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_complexity: Option<u32>,
        /// Minimum cosine similarity to the query, 0 to 1; needs vectors.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub similarity_threshold: Option<f32>,
        /// Say where each score comes from.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub explain: bool,
        /// Do not fold the further hits of a file under its best one.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub ungrouped: bool,
        /// Numbers of the ranking by name, in place of those that it ships with: `stem_terms`, `conceptual.vector_share`, `test_penalty`.
        /// See the table in the documentation; an unknown name is refused with the list of all.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        #[cfg_attr(feature = "ts", tsify(optional, type = "Record<string, number>"))]
        pub weights: BTreeMap<String, f32>,
    }
    /// Maximum number of hits (1 to 200, default 10).
    limit, offset;
}

wire! {
    /// The ranked hits.
    pub struct SearchResponse {
        /// The query as asked.
        pub query: String,
        /// The layers that answered.
        pub mode: SearchMode,
        /// The plan: which layers were to answer, and why.
        pub plan: SearchPlan,
        /// The detected intent of the query: `symbol`, `definition`, `callers`, `test`, `schema`, `conceptual`.
        pub intent: String,
        /// Number of hits before `limit` and `offset`.
        pub total: u32,
        /// Tells that nothing has the name that was asked for, that nothing uses it, or that nothing was found.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub note: Option<String>,
        /// Names written nearly like one that nothing has, best first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub did_you_mean: Vec<String>,
        /// Milliseconds that the answer took, with `explain`, where the host has a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub processing_time: Option<f64>,
        /// Shards that did not answer: hits in their files are missing. Only of an index whose shards are elsewhere.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub missing_shards: Vec<MissingShard>,
        /// Best first.
        pub hits: Vec<Hit>,
    }

    /// A shard that did not answer a search.
    #[derive(Eq)]
    pub struct MissingShard {
        /// Its number.
        pub shard: u32,
        /// Number of its files.
        pub n_files: u32,
        /// Why, as a code of errors: `shard.late`, `shard.failed`, `snapshot.not-found`.
        pub code: String,
        /// Why, as a sentence.
        pub message: String,
    }

    /// Layers of a search, and why these.
    pub struct SearchPlan {
        /// The layers: those of the request, else those that the planner chose.
        pub mode: SearchMode,
        /// The reason.
        pub why: String,
    }

    /// A chunk that answers.
    pub struct Hit {
        /// Path of its file.
        pub path: String,
        /// Language by name.
        pub language: String,
        /// First line, 1-based.
        pub start_line: u32,
        /// Last line, 1-based, inclusive.
        pub end_line: u32,
        /// Higher is better; comparable within one response only.
        pub score: f32,
        /// Qualified name of the definition in it that matches, else of the one it mainly consists of.
        pub symbol: Option<String>,
        /// Kind of that definition.
        pub kind: Option<String>,
        /// Line of that definition's name, 1-based.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub symbol_line: Option<u32>,
        /// Whether little speaks for it: none of the query's names, few of its words, no close meaning.
        #[serde(default, skip_serializing_if = "is_false")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub guess: bool,
        /// The best lines of the chunk.
        pub snippet: Snippet,
        /// Why it was found, in one word each: `words`, `meaning`, `name`, `path`, `graph`.
        pub why: Vec<String>,
        /// Further hits of the same file, best first.
        pub more: Vec<FoldedHit>,
        /// Explains the score, on request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub explanation: Option<Explanation>,
    }

    /// A further hit in the file of a better one.
    pub struct FoldedHit {
        /// First line, 1-based.
        pub start_line: u32,
        /// Last line, 1-based, inclusive.
        pub end_line: u32,
        /// As in [`Hit`].
        pub score: f32,
        /// As in [`Hit`].
        pub symbol: Option<String>,
    }

    /// Some lines of a file, with marks.
    #[derive(Eq)]
    pub struct Snippet {
        /// Line of the first character, 1-based.
        pub start_line: u32,
        /// The text.
        pub text: String,
        /// Matched pieces, as `[start, end)` in UTF-16 code units of `text`, in order.
        pub marks: Vec<(u32, u32)>,
    }

    /// Explains a score, from top to bottom: layers, fusion, signals, final score.
    pub struct Explanation {
        /// Contribution of each query term.
        pub terms: Vec<TermScore>,
        /// Sum of the above.
        pub lexical_score: f32,
        /// Place among the lexical candidates, from 1.
        pub lexical_rank: Option<u32>,
        /// Cosine similarity to the query.
        pub vector_score: Option<f32>,
        /// Place among the vector candidates, from 1.
        pub vector_rank: Option<u32>,
        /// After fusion, before signals.
        pub fused_score: f32,
        /// Effect of each ranking signal, in the order applied.
        pub signals: Vec<SignalEffect>,
        /// The score that hits are sorted by.
        pub score: f32,
    }

    /// Contribution of a query term.
    pub struct TermScore {
        /// The term.
        pub term: String,
        /// Documents that hold it.
        pub document_frequency: u32,
        /// Its share of the lexical score.
        pub score: f32,
    }

    /// Effect of a ranking signal.
    pub struct SignalEffect {
        /// Its name (`test_penalty`, `path_terms`).
        pub name: String,
        /// The score before was multiplied by this.
        pub factor: f32,
        /// Then this was added.
        pub added: f32,
    }
}

impl SearchMode {
    /// Whether its layers compare meanings, so that a vector of the query is of use.
    #[must_use]
    pub fn compares(self) -> bool {
        !matches!(
            self,
            SearchMode::Lexical | SearchMode::Ast | SearchMode::Graph
        )
    }
}
