//! Scores of rankings: strict accuracy of files, recall of functions.

use engine::LocateWeights;

use super::case::{Case, Question};

/// Accuracy at 1, 3, 5 and 10: all right files are among the first k.
pub(crate) const AT: [usize; 4] = [1, 3, 5, 10];

/// Means over cases, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Scores {
    pub(crate) n: usize,
    pub(crate) files: [f64; 4],
    /// One of the right files is among the first ten.
    pub(crate) any: f64,
    /// Share of the right functions among the first five and ten.
    pub(crate) functions: [f64; 2],
}

impl Scores {
    /// Scores of these cases.
    pub(crate) fn of<'a>(
        cases: impl IntoIterator<Item = &'a Case>,
        question: Question,
        weights: &LocateWeights,
    ) -> Self {
        let mut sum = Self::default();
        for case in cases {
            let places = case.places(question, weights);
            let within = |k: usize| {
                places
                    .files
                    .iter()
                    .all(|place| place.is_some_and(|place| place < k))
            };
            for (total, k) in sum.files.iter_mut().zip(AT) {
                *total += f64::from(u8::from(within(k)));
            }
            let any = places.files.iter().flatten().any(|place| *place < 10);
            sum.any += f64::from(u8::from(any));
            for (total, k) in sum.functions.iter_mut().zip([5, 10]) {
                let n = places
                    .functions
                    .iter()
                    .flatten()
                    .filter(|place| **place < k)
                    .count();
                *total += n as f64 / places.functions.len().max(1) as f64;
            }
            sum.n += 1;
        }
        sum.mean()
    }

    fn mean(mut self) -> Self {
        let n = self.n.max(1) as f64;
        let cells = self.files.iter_mut().chain(&mut self.functions);
        cells.chain([&mut self.any]).for_each(|cell| *cell /= n);
        self
    }

    /// As a row of a table, in percent.
    pub(crate) fn row(&self, name: &str) -> String {
        let cells = self.files.iter().chain([&self.any]).chain(&self.functions);
        let cells: Vec<String> = cells.map(|cell| format!("{:.1}", 100.0 * cell)).collect();
        format!("| {name} | {} | {} |\n", self.n, cells.join(" | "))
    }

    /// The head of a table of rows.
    pub(crate) fn head(title: &str) -> String {
        format!(
            "| {title} | issues | @1 | @3 | @5 | @10 | any@10 | functions@5 | functions@10 |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n"
        )
    }
}
