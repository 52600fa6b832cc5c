//! Checks the English of comments and documentation: no doc comment begins with "What", and no word is used that only this
//! project understands. `words.toml` beside this file has the words, each with its replacement.

use super::files::{has_word, text, tracked};
use super::{Outcome, judged};
use crate::setup::Toolbox;
use crate::shell::Result;

const LIST: &str = include_str!("words.toml");
const ENDINGS: [&str; 7] = [".rs", ".ts", ".tsx", ".mjs", ".js", ".css", ".md"];
/// The list quotes its own words, and so do the tests of this gate.
const QUOTES: [&str; 2] = ["crates/xtask/src/gates/words.rs", "LICENSE"];

/// A word to avoid, in lower case, and the words to use instead.
type Word = (String, String);

/// A line of prose: its number from 1, its text, and whether a paragraph begins with it.
#[derive(Debug, PartialEq)]
struct Line<'t> {
    number: usize,
    text: &'t str,
    begins: bool,
}

pub fn check(_: &Toolbox) -> Result<Outcome> {
    let words = parsed(LIST)?;
    let mut faults = Vec::new();
    for path in tracked(&ENDINGS)? {
        if QUOTES.iter().any(|quote| path.starts_with(quote)) {
            continue;
        }
        let Some(text) = text(&path) else { continue };
        faults.extend(faults_of(&path, &text, &words));
    }
    judged(
        &faults,
        "begin with a verb or the thing itself, and use the field's words; crates/xtask/src/gates/words.toml lists them",
    )
}

fn parsed(list: &str) -> Result<Vec<Word>> {
    let table: toml::Table = toml::from_str(list).map_err(|e| format!("words.toml: {e}"))?;
    let words = table.get("words").and_then(toml::Value::as_table);
    let words = words.into_iter().flatten().map(|(word, instead)| {
        (
            word.to_lowercase(),
            instead.as_str().unwrap_or_default().to_owned(),
        )
    });
    Ok(words.collect())
}

fn faults_of(path: &str, text: &str, words: &[Word]) -> Vec<String> {
    let lines = if path.ends_with(".md") {
        markdown(text)
    } else {
        comments(text)
    };
    let mut faults = Vec::new();
    for Line {
        number,
        text,
        begins,
    } in lines
    {
        let prose = without_code(text);
        if begins && begins_with_what(&prose) || prose.split(". ").skip(1).any(begins_with_what) {
            faults.push(format!("{path}:{number} begins a sentence with \"What\""));
        }
        let lower = prose.to_lowercase();
        let used = words.iter().filter(|(word, _)| has_word(&lower, word));
        faults.extend(
            used.map(|(word, instead)| format!("{path}:{number} says \"{word}\": {instead}")),
        );
    }
    faults
}

/// Returns true for a sentence that begins with "What" and is not a question.
fn begins_with_what(sentence: &str) -> bool {
    let end = sentence.find(['.', '?', '!', ':']);
    sentence.trim_start().starts_with("What ")
        && end.is_none_or(|at| !sentence[at..].starts_with('?'))
}

/// Replaces code in backticks and quoted text, which may contain any word.
fn without_code(line: &str) -> String {
    let mut prose = String::with_capacity(line.len());
    let mut closing = None;
    for c in line.chars() {
        match (closing, c) {
            (None, '`' | '"') => closing = Some(c),
            (None, '“') => closing = Some('”'),
            (Some(end), _) if c == end => closing = None,
            (Some(_), _) => continue,
            (None, _) => {
                prose.push(c);
                continue;
            }
        }
        prose.push('`');
    }
    prose
}

/// The lines of comments that have a line of their own.
fn comments(text: &str) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut in_block = false;
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        let opens = line.starts_with("/*");
        let marked = ["//!", "///", "//", "/**", "/*"]
            .iter()
            .find_map(|mark| line.strip_prefix(mark));
        let comment = match marked {
            Some(text) if !in_block => text,
            _ if in_block => line.strip_prefix('*').unwrap_or(line),
            _ => continue,
        };
        in_block = (in_block || opens) && !line.contains("*/");
        let comment = comment.trim_end_matches("*/").trim();
        let follows = lines
            .last()
            .is_some_and(|last| last.number == at && !last.text.is_empty());
        lines.push(Line {
            number: at + 1,
            text: comment,
            begins: !follows,
        });
    }
    lines
}

/// The lines of a page outside its examples.
fn markdown(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut in_code = false;
    let mut was_blank = true;
    for (at, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") {
            in_code = !in_code;
            continue;
        }
        if in_code {
            continue;
        }
        let bare = trimmed.trim_start_matches(['#', '-', '*', ' ', '|']);
        lines.push(Line {
            number: at + 1,
            text: bare,
            begins: was_blank || bare.len() < trimmed.len(),
        });
        was_blank = trimmed.is_empty();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Vec<Word> {
        vec![("stands".to_owned(), "is".to_owned())]
    }

    fn check(path: &str, text: &str, want: &[&str]) {
        assert_eq!(faults_of(path, text, &words()), want, "{path}: {text}");
    }

    #[test]
    fn a_comment_that_begins_with_what_is_named() {
        let fault = ["a.rs:1 begins a sentence with \"What\""];
        check("a.rs", "/// What it holds.\nstruct A;", &fault);
        check("a.rs", "//! Two rows. What follows is code.", &fault);
        check("a.rs", "/// What is it?\nstruct A;", &[]);
        check(
            "a.rs",
            "/// Holds it:\n/// What is the rest.\nstruct A;",
            &[],
        );
        check("a.rs", "let a = \"// What it holds\";", &[]);
        check(
            "a.ts",
            "/**\n * Opens.\n *\n * What it holds.\n */",
            &["a.ts:4 begins a sentence with \"What\""],
        );
    }

    #[test]
    fn a_word_of_the_list_is_named_with_its_replacement() {
        check(
            "a.rs",
            "// It stands there.",
            &["a.rs:1 says \"stands\": is"],
        );
        check(
            "a.css",
            "/* It Stands. */",
            &["a.css:1 says \"stands\": is"],
        );
        check("a.rs", "// Understands `stands` and \"stands\".", &[]);
        check("a.rs", "let stands = 1; // a comment behind code", &[]);
    }

    #[test]
    fn examples_in_markdown_are_passed_over() {
        check("a.md", "```js\nit stands // What\n```\nA list.", &[]);
        check(
            "a.md",
            "# Title\n\n- What it does",
            &["a.md:3 begins a sentence with \"What\""],
        );
        check("a.md", "| stands |", &["a.md:1 says \"stands\": is"]);
    }

    #[test]
    fn every_word_has_a_replacement() {
        let words = parsed(LIST).expect("the list");
        assert!(!words.is_empty());
        for (word, instead) in &words {
            assert!(!instead.is_empty(), "{word}");
        }
    }
}
