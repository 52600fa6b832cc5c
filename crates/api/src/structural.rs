//! Structural search: patterns with metavariables, or tree-sitter queries.

use crate::{CutOff, Range, wire};

wire! {
    /// A form that code may have: either `pattern` or `query`.
    #[derive(Eq, Default)]
    #[serde(deny_unknown_fields)]
    pub struct StructuralRequest {
        /// Code in which `$A` matches one node, `$$$ARGS` any number of neighbours, `$_` and `$$$` the same without a
        /// name: `assert_eq!($A, $A)`, `foo($$$ARGS)`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub pattern: Option<String>,
        /// A tree-sitter query: `(call_expression function: (identifier) @name (#eq? @name "foo")) @match`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub query: Option<String>,
        /// Restrictions on the pattern's metavariables.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub constraints: Vec<StructuralConstraint>,
        /// How strictly code must match the pattern (default `smart`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub strictness: Strictness,
        /// Only paths that match one of these globs; one that starts with `!` excludes.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub paths: Vec<String>,
        /// Only these languages, by name; if empty, every language of the index that can read the pattern.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub languages: Vec<String>,
        /// Maximum number of matches (default 200).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Time limit in milliseconds (default 30,000): a last resort, since a number of steps ends an expensive search first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_millis: Option<u32>,
    }

    /// A restriction on a metavariable.
    #[derive(Eq, Default)]
    #[serde(deny_unknown_fields)]
    pub struct StructuralConstraint {
        /// The metavariable, with or without its `$`.
        pub name: String,
        /// Its text has a match of this expression.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub regex: Option<String>,
        /// Its text has no match of this expression.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub not_regex: Option<String>,
        /// It is a node of one of these kinds, as the grammar names them; any if empty.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub kinds: Vec<String>,
    }

    /// How strictly code must match a pattern.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "lowercase")]
    pub enum Strictness {
        /// Every token.
        Cst,
        /// The pattern's own tokens must match; extra punctuation and keywords are ignored.
        #[default]
        Smart,
        /// Named pieces only.
        Ast,
        /// As `ast`, comments passed over.
        Relaxed,
        /// As `relaxed`, and names and literals need only be of the same kind.
        Signature,
    }

    /// The matches, by path and place.
    #[derive(Eq, Default)]
    pub struct StructuralResponse {
        /// The matches.
        pub matches: Vec<StructuralMatch>,
        /// True if there are more than the limit.
        pub truncated: bool,
        /// True if the search ended early, which `cut_off` says, or a file was too expensive for the pattern.
        pub timed_out: bool,
        /// Where the search ended, and how to narrow it. Absent if all files were looked at.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub cut_off: Option<CutOff>,
        /// Files that had to be parsed: those with all words of the pattern.
        pub n_files: u32,
        /// Languages that were searched.
        pub languages: Vec<String>,
        /// Languages that cannot read the pattern, and why.
        pub unread: Vec<UnreadLanguage>,
    }

    /// A language that cannot read a pattern.
    #[derive(Eq)]
    pub struct UnreadLanguage {
        /// The language.
        pub language: String,
        /// Why not, for a person.
        pub message: String,
    }

    /// A piece of code that has the form.
    #[derive(Eq)]
    pub struct StructuralMatch {
        /// Path of its file.
        pub path: String,
        /// Language by name.
        pub language: String,
        /// First line, 1-based.
        pub start_line: u32,
        /// Last line, 1-based.
        pub end_line: u32,
        /// Place of the match.
        pub range: Range,
        /// The code, at most 2,000 bytes of it.
        pub text: String,
        /// Captures of metavariables or of the query. A metavariable that matches several nodes has all of them
        /// together, one that matches none is left out.
        pub captures: Vec<StructuralCapture>,
    }

    /// A capture in a match.
    #[derive(Eq)]
    pub struct StructuralCapture {
        /// Without `$` or `@`.
        pub name: String,
        /// Place of the capture.
        pub range: Range,
        /// The code, at most 2,000 bytes of it.
        pub text: String,
    }

    /// The files that a structural search must parse.
    #[derive(Eq, Default)]
    #[serde(deny_unknown_fields)]
    pub struct StructuralFilesRequest {
        /// Only paths that match one of these globs; one that starts with `!` excludes.
        pub paths: Vec<String>,
        /// Only these languages.
        pub languages: Vec<String>,
        /// Conditions on the files of each language; without it the answer only lists the languages.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub words: Option<Vec<LanguageWords>>,
    }

    /// Words that a pattern has in a language.
    #[derive(Eq)]
    #[serde(deny_unknown_fields)]
    pub struct LanguageWords {
        /// The language.
        pub language: String,
        /// The words.
        pub words: Vec<String>,
    }

    /// The files of a structural search.
    #[derive(Eq, Default)]
    pub struct StructuralFiles {
        /// Languages with a grammar among the files, most files first.
        pub languages: Vec<String>,
        /// Files with the words of their language, by path.
        pub files: Vec<StructuralFile>,
    }

    /// A file that may have the form.
    #[derive(Eq)]
    pub struct StructuralFile {
        /// Its path.
        pub path: String,
        /// Language by name.
        pub language: String,
    }

    /// A parsed pattern.
    #[derive(Default)]
    pub struct StructuralPlan {
        /// Languages that can read it, and the words that their files must have.
        pub words: Vec<LanguageWords>,
        /// Languages that cannot, and why.
        pub unread: Vec<UnreadLanguage>,
        /// Maximum number of matches.
        pub limit: u32,
        /// Steps that all files together may take.
        pub max_steps: f64,
        /// Milliseconds that the search may take.
        pub max_millis: u32,
    }

    /// The matches in one file.
    #[derive(Default)]
    pub struct StructuralFound {
        /// The matches.
        pub matches: Vec<StructuralMatch>,
        /// True if there are more than the limit.
        pub truncated: bool,
        /// True if time, steps or memory ran out before the end of the text.
        pub timed_out: bool,
        /// Steps that it took.
        pub n_steps: f64,
    }

    /// A language that the user added when the index was built.
    #[derive(Eq)]
    pub struct UserLanguageEntry {
        /// Its name.
        pub name: String,
        /// Endings of its files, without the dot.
        pub extensions: Vec<String>,
    }
}
