//! Counts the tokens that an agent reads until it has the right code: our answers in order, or grep and then whole
//! files.
//!
//! Four bytes are a token. With us the agent reads the chunks of the answer list in order, each with its place, until one of them is
//! an answer. With grep it searches for the words of the question (whole words, any case, sentence words left out), reads what grep prints up
//! to 100 lines of at most 200 bytes, then the files with the most different words, most matching lines first, each up to its first
//! 2,000 lines as agents' tools cut them, until one of them is an answer. An agent that reads ten pieces in vain gives
//! up; everything read counts.

use std::fmt::Write as _;

use search::SearchConfig;

use super::score::Result;
use super::truth::Task;
use super::{Repository, gather, mean};

const TOKEN_BYTES: usize = 4;
/// Pieces read before giving up.
const PATIENCE: usize = 10;
const GREP_LINES: usize = 100;
const GREP_LINE_BYTES: usize = 200;
const READ_LINES: usize = 2_000;
const BUDGETS: [usize; 6] = [500, 1_000, 2_000, 4_000, 8_000, 32_000];

/// Tokens read, and whether they held an answer.
#[derive(Clone, Copy)]
struct Effort {
    n_tokens: usize,
    has_found: bool,
}

/// A file as grep sees it.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// The table of both ways.
pub(crate) fn table(repositories: &[Repository], config: &SearchConfig) -> String {
    let mut text = String::from(
        "tokens read until the right code is there (median, mean; found at all; found within so many tokens)\n",
    );
    let mut rows: Vec<(&str, Vec<Effort>)> = vec![
        ("grep, then whole files", Vec::new()),
        ("our answers, chunk by chunk", Vec::new()),
    ];
    for repository in repositories {
        let sources = repository.index.sources();
        for (idx, task) in repository.tasks.iter().enumerate() {
            rows[0].1.push(grep(&sources, task));
            rows[1].1.push(ours(repository, idx, config));
        }
    }
    for (name, efforts) in &mut rows {
        efforts.sort_by_key(|effort| effort.n_tokens);
        let median = efforts
            .get(efforts.len() / 2)
            .map_or(0, |effort| effort.n_tokens);
        let average = mean(efforts.iter().map(|effort| effort.n_tokens as f64));
        let share = |within: usize| {
            let found = efforts
                .iter()
                .filter(|effort| effort.has_found && effort.n_tokens <= within);
            100.0 * found.count() as f64 / efforts.len().max(1) as f64
        };
        let _ = write!(
            text,
            "  {name:<28}{median:>7} {average:>8.0}  {:>5.1} %  ",
            share(usize::MAX)
        );
        for budget in BUDGETS {
            let _ = write!(text, "  {budget}: {:.1} %", share(budget));
        }
        text.push('\n');
    }
    text
}

fn ours(repository: &Repository, idx: usize, config: &SearchConfig) -> Effort {
    let (index, task) = (&repository.index, &repository.tasks[idx]);
    let ranked = gather(repository, idx, config).rank(config);
    let pieces = index.results(&ranked, PATIENCE).into_iter();
    read(pieces.map(|result| {
        let place = result.path.len() + 16;
        let n_bytes = index.n_bytes(&result) + place;
        (n_bytes, task.is_answered_by(&result))
    }))
}

fn grep(sources: &[Source], task: &Task) -> Effort {
    let words = words_of(&task.query);
    let mut matching: Vec<(usize, usize, &Source)> = Vec::new();
    let (mut n_printed, mut printed) = (0, 0);
    for source in sources {
        let mut distinct = vec![false; words.len()];
        let mut n_lines = 0;
        for line in source.text.lines() {
            if !mark(line, &words, &mut distinct) {
                continue;
            }
            n_lines += 1;
            if n_printed < GREP_LINES {
                n_printed += 1;
                printed += source.path.len() + 6 + line.len().min(GREP_LINE_BYTES);
            }
        }
        if n_lines > 0 {
            let n_words = distinct.iter().filter(|there| **there).count();
            matching.push((n_words, n_lines, source));
        }
    }
    matching.sort_by_key(|&(n_words, n_lines, source)| {
        (std::cmp::Reverse((n_words, n_lines)), source.path.as_str())
    });
    let files = matching.into_iter().take(PATIENCE).map(|(_, _, source)| {
        let read = source.text.split_inclusive('\n').take(READ_LINES);
        let whole = Result {
            path: source.path.clone(),
            start_line: 1,
            end_line: u32::MAX,
        };
        (
            read.map(str::len).sum::<usize>(),
            task.is_answered_by(&whole),
        )
    });
    let effort = read(files);
    Effort {
        n_tokens: effort.n_tokens + printed / TOKEN_BYTES,
        ..effort
    }
}

/// Pieces with their bytes are read until one is an answer.
fn read(pieces: impl Iterator<Item = (usize, bool)>) -> Effort {
    let mut n_bytes = 0;
    let mut has_found = false;
    for (piece, is_answer) in pieces {
        n_bytes += piece;
        has_found = is_answer;
        if has_found {
            break;
        }
    }
    Effort {
        n_tokens: n_bytes / TOKEN_BYTES,
        has_found,
    }
}

/// The words of a query that a person would grep for, in lower case.
fn words_of(query: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let all: Vec<String> = query
        .split(|c: char| !is_word(c))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let telling: Vec<String> = all
        .iter()
        .filter(|word| word.len() > 2 && !search::is_stopword(word))
        .cloned()
        .collect();
    if telling.is_empty() { all } else { telling }
}

/// Marks the words that stand in a line; whether there are any.
fn mark(line: &str, words: &[String], distinct: &mut [bool]) -> bool {
    let lower = line.to_lowercase();
    let mut found = false;
    for word in lower.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
        if let Some(place) = words.iter().position(|known| known == word) {
            distinct[place] = true;
            found = true;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieval::truth::Target;

    #[test]
    fn grep_reads_files_until_one_answers() {
        let source = |path: &str, text: &str| Source {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let sources = [
            source("a.rs", "retry\nbackoff\n"),
            source("b.rs", "retry\n"),
            source("c.rs", "nothing\n"),
        ];
        let task = |path: &str| Task {
            query: "how does retry work with a backoff".to_owned(),
            category: String::new(),
            targets: vec![Target {
                path: path.to_owned(),
                lines: None,
            }],
        };
        // Printed: 10 + 5, 10 + 7, 10 + 5 bytes.
        let printed = (15 + 17 + 15) / 4;
        assert_eq!(grep(&sources, &task("a.rs")).n_tokens, printed + 14 / 4);
        assert_eq!(grep(&sources, &task("b.rs")).n_tokens, printed + 20 / 4);
        assert!(!grep(&sources, &task("c.rs")).has_found);
    }
}
