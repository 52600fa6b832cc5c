//! NDCG@10 by the rules of semble's benchmark: a target's rank is the first result that matches it, gains are binary, two targets
//! at one rank give one gain.

use serde::Serialize;

use super::truth::{Target, Task};

/// A result as the benchmark sees it; lines 1-based, inclusive.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Result {
    pub(crate) path: String,
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
}

/// How many results count.
const K: usize = 10;

pub(crate) fn ndcg(results: &[Result], task: &Task) -> f64 {
    let results = &results[..results.len().min(K)];
    let mut ranks: Vec<usize> = task
        .targets
        .iter()
        .filter_map(|target| results.iter().position(|result| matches(result, target)))
        .collect();
    ranks.sort_unstable();
    ranks.dedup();
    let discount = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
    let ideal: f64 = (0..task.targets.len().min(K)).map(discount).sum();
    if ideal == 0.0 {
        0.0
    } else {
        ranks.into_iter().map(discount).sum::<f64>() / ideal
    }
}

impl Task {
    /// Whether a result is one of those wanted.
    pub(crate) fn is_answered_by(&self, result: &Result) -> bool {
        self.targets.iter().any(|target| matches(result, target))
    }
}

fn matches(result: &Result, target: &Target) -> bool {
    let overlaps = target
        .lines
        .is_none_or(|(start, end)| result.start_line <= end && result.end_line >= start);
    overlaps && same_file(&result.path, &target.path)
}

/// Equal, or one the end of the other from a folder on.
fn same_file(a: &str, b: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short)
            .is_some_and(|start| start.is_empty() || start.ends_with('/'))
    };
    ends(a, b) || ends(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(path: &str) -> Result {
        Result {
            path: path.to_owned(),
            start_line: 1,
            end_line: 10,
        }
    }

    fn task(paths: &[&str]) -> Task {
        let targets = paths
            .iter()
            .map(|path| Target {
                path: (*path).to_owned(),
                lines: None,
            })
            .collect();
        Task {
            query: String::new(),
            category: String::new(),
            targets,
        }
    }

    #[test]
    fn ranks_are_discounted() {
        assert!((ndcg(&[result("a.rs"), result("b.rs")], &task(&["a.rs"])) - 1.0).abs() < 1e-9);
        assert!(
            (ndcg(&[result("b.rs"), result("src/a.rs")], &task(&["a.rs"])) - 1.0 / 3f64.log2())
                .abs()
                < 1e-9
        );
        assert!(ndcg(&[result("ba.rs")], &task(&["a.rs"])) < 1e-9);
    }

    #[test]
    fn a_span_must_overlap() {
        let mut spanned = task(&["a.rs"]);
        spanned.targets[0].lines = Some((11, 20));
        assert!(ndcg(&[result("a.rs")], &spanned) < 1e-9);
    }
}
