//! Structural search: code with holes, or tree-sitter queries.

use crate::{Range, wire};

wire! {
    /// A form that code may have: either `pattern` or `query`.
    #[derive(Eq, Default)]
    pub struct StructuralRequest {
        /// Code in which `$A` stands for one piece of code, `$$$ARGS` for any number side by side, `$_` and `$$$` for
        /// what need not be named: `assert_eq!($A, $A)`, `foo($$$ARGS)`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub pattern: Option<String>,
        /// A tree-sitter query: `(call_expression function: (identifier) @name (#eq? @name "foo")) @match`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub query: Option<String>,
        /// What metavariables of the pattern may stand for.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub constraints: Vec<StructuralConstraint>,
        /// How closely code must resemble the pattern; `smart` if absent.
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
        /// At most so many matches; 200 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Milliseconds that it may take; 10,000 if absent. What was found until then is the answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_millis: Option<u32>,
    }

    /// What a metavariable may stand for.
    #[derive(Eq, Default)]
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

    /// How closely code must resemble a pattern.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "lowercase")]
    pub enum Strictness {
        /// Every token.
        Cst,
        /// What the pattern says; punctuation and keywords beyond it are passed over.
        #[default]
        Smart,
        /// Named pieces only.
        Ast,
        /// As `ast`, comments passed over.
        Relaxed,
        /// As `relaxed`, and names and literals need only be of the same kind.
        Signature,
    }

    /// What was found, by path and place.
    #[derive(Eq, Default)]
    pub struct StructuralResponse {
        /// The matches.
        pub matches: Vec<StructuralMatch>,
        /// Whether there are more than the limit.
        pub truncated: bool,
        /// Whether the time was up, or a file was too much for the pattern, before all was looked at.
        pub timed_out: bool,
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
        /// Where.
        pub range: Range,
        /// The code, at most 2,000 bytes of it.
        pub text: String,
        /// What metavariables or captures stand for. One that stands for several pieces is all of them together, one that
        /// stands for none is left out.
        pub captures: Vec<StructuralCapture>,
    }

    /// What a name stands for in a match.
    #[derive(Eq)]
    pub struct StructuralCapture {
        /// Without `$` or `@`.
        pub name: String,
        /// Where.
        pub range: Range,
        /// The code, at most 2,000 bytes of it.
        pub text: String,
    }

    /// Which files a structural search has to look at.
    #[derive(Eq, Default)]
    pub struct StructuralFilesRequest {
        /// Only paths that match one of these globs; one that starts with `!` excludes.
        pub paths: Vec<String>,
        /// Only these languages.
        pub languages: Vec<String>,
        /// What each language's files must have; absent: which languages there are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub words: Option<Vec<LanguageWords>>,
    }

    /// Words that a pattern has in a language.
    #[derive(Eq)]
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

    /// How a pattern was read.
    #[derive(Eq, Default)]
    pub struct StructuralPlan {
        /// Languages that can read it, and the words that their files must have.
        pub words: Vec<LanguageWords>,
        /// Languages that cannot, and why.
        pub unread: Vec<UnreadLanguage>,
        /// At most so many matches.
        pub limit: u32,
        /// Milliseconds that the search may take.
        pub max_millis: u32,
    }

    /// What was found in one file.
    #[derive(Eq, Default)]
    pub struct StructuralFound {
        /// The matches.
        pub matches: Vec<StructuralMatch>,
        /// Whether there are more than the limit.
        pub truncated: bool,
        /// Whether time, steps or memory were up before the end of the text.
        pub timed_out: bool,
    }

    /// A language that the user brought when the index was made.
    #[derive(Eq)]
    pub struct UserLanguageEntry {
        /// Its name.
        pub name: String,
        /// Endings of its files, without the dot.
        pub extensions: Vec<String>,
    }
}
