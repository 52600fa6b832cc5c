//! Every language has the same cases, and the texts of those cases are what the page about languages is made of.

use syntax::Language;

/// The cases that every suite has.
pub(crate) const CASES: [&str; 10] = [
    "functions",
    "methods",
    "nested",
    "imports",
    "inheritance",
    "calls",
    "bindings",
    "docs",
    "modifiers",
    "broken",
];

/// The suite of a language: those that share a grammar's rules share a file.
fn suite_of(language: Language) -> &'static str {
    match language {
        Language::Tsx => "typescript",
        language => language.name(),
    }
}

/// The source of a suite.
pub(crate) fn source(name: &str) -> String {
    let path = format!("{}/tests/suite/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// A text that a suite reads as a language.
pub(crate) struct Sample {
    pub(crate) language: Language,
    pub(crate) text: String,
}

/// The texts of all calls `check_…(Language, "text", …)` in a suite.
pub(crate) fn samples(source: &str) -> Vec<Sample> {
    let mut out = Vec::new();
    for (at, _) in source.match_indices("check_") {
        let call = &source[at..];
        let Some((name, rest)) = call.split_once('(') else {
            continue;
        };
        if !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let Some((language, rest)) = rest.split_once(',') else {
            continue;
        };
        let written = language.trim().rsplit("::").next().unwrap_or_default();
        let known = Language::ALL
            .into_iter()
            .find(|language| format!("{language:?}") == written);
        let literal = literal(rest.trim_start()).or_else(|| variable(source, at, rest));
        if let (Some(language), Some(text)) = (known, literal) {
            out.push(Sample { language, text });
        }
    }
    out
}

/// The value of `let text = "…";`, where the call is handed a variable: the last one before it.
fn variable(source: &str, at: usize, rest: &str) -> Option<String> {
    let name = rest.trim_start().split([',', ')']).next()?.trim();
    let binding = format!("let {name} = ");
    let start = source[..at].rfind(&binding)? + binding.len();
    literal(&source[start..])
}

/// The value of a string literal, raw or not, that a text begins with.
fn literal(text: &str) -> Option<String> {
    if let Some(raw) = text.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let end = format!("\"{}", "#".repeat(hashes));
        let inside = raw[hashes..].strip_prefix('"')?;
        return inside.split(&end).next().map(str::to_owned);
    }
    let mut out = String::new();
    let mut chars = text.strip_prefix('"')?.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => return Some(out),
            '\\' => match chars.next()? {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                other => out.push(other),
            },
            c => out.push(c),
        }
    }
    None
}

/// Cases that a language cannot have, and why: the words behind `not in this language:`.
pub(crate) fn lacking(source: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut why: Option<String> = None;
    for line in source.lines() {
        let line = line.trim();
        if let Some(comment) = line.strip_prefix("// not in this language:") {
            why = Some(comment.trim().to_owned());
        } else if let (Some(more), Some(why)) = (line.strip_prefix("// "), &mut why) {
            why.push(' ');
            why.push_str(more);
        } else if let Some(name) = line.strip_prefix("fn ")
            && let Some(why) = why.take()
        {
            let name = name.split('(').next().unwrap_or_default();
            out.push((name.to_owned(), why));
        }
    }
    out
}

#[test]
fn every_language_has_the_same_cases() {
    let mut wrong = Vec::new();
    for language in Language::ALL
        .into_iter()
        .filter(|language| language.grammar().is_some())
    {
        let source = source(suite_of(language));
        for case in CASES {
            if !source.contains(&format!("\nfn {case}() {{")) {
                wrong.push(format!("{}: no case {case}", suite_of(language)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn samples_are_found_in_the_suites() {
    let found = samples(&source("python"));
    assert_eq!(found.len(), CASES.len());
    assert!(found.iter().all(|one| one.language == Language::Python));
    let documents = samples(&source("documents"));
    for language in Language::ALL
        .into_iter()
        .filter(|language| language.grammar().is_none() && *language != Language::Text)
    {
        assert!(
            documents.iter().any(|one| one.language == language),
            "{language:?}"
        );
    }
}
