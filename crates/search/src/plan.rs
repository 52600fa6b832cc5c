//! Plans a query: a name or a description, and the intent of the user.

use bm25::EmbedderBuilder;
use syntax::Language;

use crate::bm25::{QueryTokenizer, TermSpace};
use crate::intent::{self, Intent, Subject};
use crate::paths;
use crate::terms::term_hash;
use crate::tokenize::{for_each_token, split_identifier, tokenize};

/// Kind of the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QueryKind {
    /// An identifier, perhaps qualified: the user knows the name.
    Symbol,
    /// Words: the user describes its purpose.
    Conceptual,
}

/// A term of the query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryTerm {
    /// The token.
    pub text: String,
    /// Its [`term_hash`].
    pub hash: u64,
    /// Its weight: 1, more if repeated, less for a part of an identifier that is there as a whole.
    pub weight: f32,
    /// Its importance, as a factor: less than 1 for the name of the project, which every file mentions.
    pub importance: f32,
    /// Two neighbouring words written as one, by their places among the terms: `type handler` may be `TypeHandler`.
    pub joins: Option<(usize, usize)>,
}

/// The plan of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Name or description.
    pub kind: QueryKind,
    /// Intent of the user.
    pub intent: Intent,
    /// Distinct terms in order of appearance; words that only make a sentence are left out.
    pub terms: Vec<QueryTerm>,
    /// Identifiers in it, simple names (`add` of `Router.add`), as written.
    pub identifiers: Vec<String>,
    /// For each of them, whether it only qualifies the noun behind it, which is asked for: "the OpenAPI schema".
    pub qualifies: Vec<bool>,
    /// The name that the query is about, if it is about one.
    pub subject: Option<Subject>,
    /// Whether tests are all that is asked for.
    pub is_about_tests: bool,
    /// Whether it names a system (`windows`, `darwin`).
    pub names_platform: bool,
}

/// Returns true for a word, in lower case, that only builds the sentence.
#[must_use]
pub fn is_stopword(word: &str) -> bool {
    STOPWORDS.contains(&word)
}

impl Plan {
    /// The name that the query is about, without what qualifies it: it may be misspelt, or only its beginning.
    #[must_use]
    pub fn only_name(&self) -> Option<&str> {
        self.subject
            .as_ref()
            .map(|subject| simple_name(&subject.name))
    }

    /// Lets the words of the project's name count `factor`, unless nothing else is asked for.
    pub(crate) fn discount(&mut self, project: &str, factor: f32) {
        let names = tokenize(project);
        let is_name = |term: &QueryTerm| names.contains(&term.text);
        if self
            .terms
            .iter()
            .all(|term| is_name(term) || term.joins.is_some())
        {
            return;
        }
        for term in self.terms.iter_mut().filter(|term| is_name(term)) {
            term.importance = factor;
        }
    }
}

/// Words that make a sentence but say nothing about code.
const STOPWORDS: &[&str] = &[
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "been", "being", "between",
    "but", "by", "can", "could", "did", "do", "does", "each", "for", "from", "had", "has", "have",
    "how", "i", "if", "in", "into", "is", "it", "its", "me", "my", "of", "on", "or", "our",
    "should", "show", "so", "some", "such", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "to", "us", "used", "uses", "using", "via", "was", "we",
    "were", "what", "when", "where", "which", "while", "who", "why", "will", "with", "without",
    "would", "you", "your",
];

/// Reads a query. Never fails: an empty one gives a plan without terms.
#[must_use]
pub fn plan(query: &str) -> Plan {
    let query = query.trim();
    let kind = kind_of(query);
    let (intent, subject) = intent::read(query, kind);
    let mut identifiers = match kind {
        QueryKind::Symbol => vec![simple_name(query).to_owned()],
        QueryKind::Conceptual => embedded_identifiers(query),
    };
    if let Some(subject) = subject.as_ref().filter(|subject| subject.is_sure) {
        let name = simple_name(&subject.name);
        if !identifiers.iter().any(|known| known == name) {
            identifiers.push(name.to_owned());
        }
    }
    Plan {
        kind,
        intent,
        terms: terms_of(query),
        is_about_tests: intent == Intent::Test && intent::is_about_tests(query),
        names_platform: query
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .any(paths::is_platform),
        subject,
        qualifies: identifiers
            .iter()
            .map(|name| qualifies(query, name))
            .collect(),
        identifiers,
    }
}

/// A single word is a name if it is written like one: qualified, with an underscore, or with a capital.
fn kind_of(query: &str) -> QueryKind {
    let is_name_character = |c: char| {
        c.is_alphanumeric()
            || matches!(
                c,
                '_' | '.' | ':' | '\\' | '-' | '>' | '#' | '$' | '!' | '?' | '(' | ')'
            )
    };
    let one_word = !query.is_empty() && query.chars().all(is_name_character);
    let separated = ["::", "->", ".", "\\", "#", "()"]
        .iter()
        .any(|separator| query.contains(separator));
    let written_like_a_name = separated || query.contains(|c: char| c == '_' || c.is_uppercase());
    if one_word && written_like_a_name {
        QueryKind::Symbol
    } else {
        QueryKind::Conceptual
    }
}

/// `Sinatra::Base` → `Base`, `client->send()` → `send`.
pub(crate) fn simple_name(query: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    query
        .rsplit(|c: char| !is_part(c))
        .find(|part| !part.is_empty())
        .unwrap_or(query)
}

/// Words of a sentence that are written like identifiers: `camelCase`, `PascalCase`, `snake_case`, `UPPER_CASE`, and the last
/// name of a qualified one (`app.handle`, `fmt::format`).
fn embedded_identifiers(query: &str) -> Vec<String> {
    let words = query.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let compound = words.filter(|word| {
        split_identifier(word).len() > 1 && word.contains(|c: char| c.is_alphabetic())
    });
    let mut found: Vec<String> = Vec::new();
    for word in compound.chain(query.split_whitespace().filter_map(qualified_name)) {
        if !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}

/// Whether a name only qualifies the noun behind it: "the OpenAPI schema is made" asks for the schema. Without an article, a
/// name is mostly followed by what it does ("how HttpClient loads"); a word for its kind names it again ("the Context class").
fn qualifies(query: &str, name: &str) -> bool {
    let (before, after) = query.split_once(name).unwrap_or_default();
    let article = before.split_whitespace().next_back();
    // The last word is mostly a verb: "where is the HttpClient built".
    let next = after
        .strip_prefix(' ')
        .and_then(|after| after.split_once(' '));
    let (next, _) = next.unwrap_or_default();
    matches!(article, Some("the" | "a" | "an"))
        && next.bytes().all(|byte| byte.is_ascii_lowercase())
        && !next.is_empty()
        && !["s", "ed"].iter().any(|end| next.ends_with(end))
        && !is_stopword(next)
        && intent::kinds_of(next).is_none()
}

/// The last name of a word such as `app.handle`; not of `Node.js` or `a/b.json`, which are files.
fn qualified_name(word: &str) -> Option<&str> {
    let word = word.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
    let name = simple_name(word);
    let before = word.strip_suffix(name)?;
    let separator = ["::", "->", ".", "#"]
        .iter()
        .find(|separator| before.ends_with(*separator))?;
    let is_qualified = before.len() > separator.len() && name.len() > 1 && !word.contains('/');
    let is_file = *separator == "." && Language::from_path(word, "") != Language::Text;
    (is_qualified && !is_file && name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .then_some(name)
}

fn terms_of(query: &str) -> Vec<QueryTerm> {
    let spoken: Vec<&str> = query
        .split_whitespace()
        .filter(|word| {
            !is_stopword(
                word.to_lowercase()
                    .trim_matches(|c: char| !c.is_alphanumeric()),
            )
        })
        .collect();
    // A query of nothing but such words means them.
    let text = if spoken.is_empty() {
        query.to_owned()
    } else {
        spoken.join(" ")
    };
    let mut terms = single_terms(&text);
    let joined = joined_terms(query, &terms);
    terms.extend(joined);
    terms
}

fn single_terms(text: &str) -> Vec<QueryTerm> {
    let embedder = EmbedderBuilder::<TermSpace, QueryTokenizer>::with_avgdl(1.0)
        .b(0.0)
        .build();
    let embedding = embedder.embed(text);
    let mut terms: Vec<QueryTerm> = Vec::new();
    let mut weights = embedding.0.iter();
    for_each_token(text, |token| {
        let hash = term_hash(token.text);
        let weight = weights.next().map_or(1.0, |embedded| embedded.value);
        if !terms.iter().any(|term| term.hash == hash) {
            terms.push(QueryTerm {
                text: token.text.to_owned(),
                hash,
                weight,
                importance: 1.0,
                joins: None,
            });
        }
    });
    terms
}

/// Neighbouring words as one identifier: `type handler` as `TypeHandler`, `URL-encoded` as `urlencoded`. Words that only make
/// a sentence are no neighbours.
fn joined_terms(query: &str, terms: &[QueryTerm]) -> Vec<QueryTerm> {
    let words: Vec<(&str, Option<usize>)> = query
        .split(|c: char| c.is_whitespace() || c == '-')
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .map(|word| (word, place_of(word, terms)))
        .collect();
    let mut joined: Vec<QueryTerm> = Vec::new();
    for pair in words.windows(2) {
        let [(one, Some(first)), (other, Some(second))] = *pair else {
            continue;
        };
        let tokens = tokenize(&format!("{one}{other}").to_lowercase());
        let [text] = &tokens[..] else { continue };
        let hash = term_hash(text);
        if terms.iter().chain(&joined).all(|term| term.hash != hash) {
            joined.push(QueryTerm {
                text: text.clone(),
                hash,
                weight: 1.0,
                importance: 1.0,
                joins: Some((first, second)),
            });
        }
    }
    joined
}

/// Returns the index of a plain word's term.
fn place_of(word: &str, terms: &[QueryTerm]) -> Option<usize> {
    if is_stopword(&word.to_lowercase()) {
        return None;
    }
    match &tokenize(word)[..] {
        [only] => terms.iter().position(|term| term.text == *only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(query: &str, expected: Expect) {
        let plan = plan(query);
        let terms: Vec<&str> = plan.terms.iter().map(|term| term.text.as_str()).collect();
        expected.assert_eq(&format!(
            "{} {:?} [{}] {:?}",
            plan.intent.name(),
            plan.kind,
            terms.join(" "),
            plan.identifiers
        ));
    }

    #[test]
    fn names_and_descriptions() {
        check(
            "HandlerStack",
            expect![[r#"symbol Symbol [handlerstack handl stack] ["HandlerStack"]"#]],
        );
        check(
            "Sinatra::Base",
            expect![[r#"symbol Symbol [sinatra baz] ["Base"]"#]],
        );
        check("session", expect!["conceptual Conceptual [sess] []"]);
        check(
            "how are routes matched",
            expect!["conceptual Conceptual [rout match routesmatch] []"],
        );
        check(
            "retry logic in HttpClient",
            expect![[
                r#"conceptual Conceptual [retr logic httpclient http client retrylogic] ["HttpClient"]"#
            ]],
        );
        check(
            "where is the",
            expect!["definition Conceptual [wher is the] []"],
        );
        check("", expect!["conceptual Conceptual [] []"]);
        check(
            "how app.handle reads package.json",
            expect![[r#"conceptual Conceptual [app handl read packag json] ["handle"]"#]],
        );
        check(
            "URL-encoded form",
            expect!["conceptual Conceptual [url encod form urlencod encodedform] []"],
        );
    }

    #[test]
    fn a_name_before_its_noun_only_qualifies_it() {
        for (query, qualifies) in [
            ("where is the OpenAPI schema generated", true),
            ("how an OpenAPI path is made", true),
            ("where is OpenAPI defined", false),
            ("where is the OpenAPI built", false),
            ("where is the OpenAPI loaded from", false),
            ("how the OpenAPI loads schemas", false),
            ("where is the OpenAPI class made", false),
            ("OpenAPI schema generation", false),
        ] {
            let plan = plan(query);
            assert_eq!(plan.identifiers, ["OpenAPI"], "{query}");
            assert_eq!(plan.qualifies, [qualifies], "{query}");
        }
    }

    #[test]
    fn intents() {
        check(
            "who calls add_route",
            expect![[r#"callers Conceptual [call addrout add rout] ["add_route"]"#]],
        );
        check(
            "unit tests of the parser",
            expect!["test Conceptual [unit test parz unittest] []"],
        );
        check(
            "latest contest",
            expect!["conceptual Conceptual [latest contest latestcontest] []"],
        );
    }
}
