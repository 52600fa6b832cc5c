//! How often the first hit is marked as a guess: for questions that a repository answers, and for questions about another
//! repository, which it mostly cannot answer.

use search::SearchConfig;

use super::{Repository, gather};

/// Distance to the repository whose questions are put to another one.
const FOREIGN: usize = 7;

/// One line: the share of right first hits, and of first hits of foreign questions, that are marked.
pub(crate) fn line(repositories: &[Repository], config: &SearchConfig) -> String {
    let (mut right, mut marked_right) = (0, 0);
    let (mut foreign, mut marked_foreign) = (0, 0);
    for (idx, repository) in repositories.iter().enumerate() {
        for (task_idx, task) in repository.tasks.iter().enumerate() {
            let ranked = gather(repository, task_idx, config).rank(config);
            let results = repository.index.results(&ranked, 1);
            if let Some(hit) = ranked.hits.first()
                && results.iter().any(|result| task.is_answered_by(result))
            {
                right += 1;
                marked_right += usize::from(hit.is_guess());
            }
        }
        let Some(other) = repositories.get((idx + FOREIGN) % repositories.len()) else {
            continue;
        };
        for (task, vector) in other.tasks.iter().zip(&other.vectors) {
            let candidates = repository.index.candidates(&task.query, vector, config);
            if let Some(hit) = candidates.rank(config).hits.first() {
                foreign += 1;
                marked_foreign += usize::from(hit.is_guess());
            }
        }
    }
    let percent = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
    format!(
        "marked as guesses: {:.1} % of the right first hits, {:.1} % of the first hits for questions about another repository\n",
        percent(marked_right, right),
        percent(marked_foreign, foreign)
    )
}
