//! Counts of right and wrong answers, and the shares that follow, with the range in which the truth of a small sample is.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How an answer compares with the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grade {
    /// The definition that is meant.
    Exact,
    /// Another of its name, in the same type and file.
    Overload,
    /// A definition that is not meant, where another is.
    Wrong,
    /// A definition, where none of the repository is meant.
    Invented,
    /// No definition, where one is meant.
    Missed,
    /// No definition, and none is meant.
    Silent,
}

impl Grade {
    pub(super) fn is_right(self) -> bool {
        matches!(self, Grade::Exact | Grade::Overload | Grade::Silent)
    }
}

/// Counts of grades.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Score {
    exact: usize,
    overload: usize,
    wrong: usize,
    invented: usize,
    missed: usize,
    silent: usize,
}

impl Score {
    pub(super) fn count(&mut self, grade: Grade) {
        *match grade {
            Grade::Exact => &mut self.exact,
            Grade::Overload => &mut self.overload,
            Grade::Wrong => &mut self.wrong,
            Grade::Invented => &mut self.invented,
            Grade::Missed => &mut self.missed,
            Grade::Silent => &mut self.silent,
        } += 1;
    }

    pub(super) fn add(&mut self, other: &Score) {
        self.exact += other.exact;
        self.overload += other.overload;
        self.wrong += other.wrong;
        self.invented += other.invented;
        self.missed += other.missed;
        self.silent += other.silent;
    }

    fn right(&self) -> usize {
        self.exact + self.overload
    }

    /// Calls that a definition of the repository answers.
    fn inside(&self) -> usize {
        self.right() + self.wrong + self.missed
    }

    fn all(&self) -> usize {
        self.inside() + self.invented + self.silent
    }

    /// Right answers of the definitions that were given.
    pub(super) fn precision(&self) -> Share {
        Share {
            part: self.right(),
            of: self.right() + self.wrong + self.invented,
        }
    }

    /// Right answers of the definitions that are meant.
    pub(super) fn recall(&self) -> Share {
        Share {
            part: self.right(),
            of: self.inside(),
        }
    }

    /// The harmonic mean of both, with its range: F1 follows from the share of right answers among all that is right,
    /// given too much or missed, which a range is known for.
    fn f1(&self) -> String {
        let all = Share {
            part: self.right(),
            of: self.precision().of + self.recall().of - self.right(),
        };
        let f1 = |share: f64| 2.0 * share / (1.0 + share) * 100.0;
        let (low, high) = all.range();
        let share = all.part as f64 / all.of.max(1) as f64;
        format!("{:.1} ({:.1}–{:.1})", f1(share), f1(low), f1(high))
    }
}

/// A part of a number of cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) part: usize,
    pub(super) of: usize,
}

impl Share {
    /// Wilson's 95 % range of the share that the sample was drawn from; it holds for small samples and shares near 1.
    pub(super) fn range(self) -> (f64, f64) {
        const Z: f64 = 1.959_963_985;
        if self.of == 0 {
            return (0.0, 1.0);
        }
        let n = self.of as f64;
        let share = self.part as f64 / n;
        let scale = 1.0 + Z * Z / n;
        let middle = (share + Z * Z / (2.0 * n)) / scale;
        let half = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        ((middle - half).max(0.0), (middle + half).min(1.0))
    }

    fn shown(self) -> String {
        if self.of == 0 {
            return "–".to_owned();
        }
        let (low, high) = self.range();
        let share = self.part as f64 / self.of as f64;
        format!(
            "{:.1} ({:.1}–{:.1})",
            share * 100.0,
            low * 100.0,
            high * 100.0
        )
    }
}

/// A row for each language: its score, and the names of its repositories.
pub(super) fn table(scores: &BTreeMap<String, (Score, Vec<String>)>) -> String {
    let mut out = String::from(
        "| language | repositories | calls | of them inside | precision | recall | F1 | exact overload |\n\
         |---|---|--:|--:|--:|--:|--:|--:|\n",
    );
    for (language, (score, names)) in scores {
        let exact = Share {
            part: score.exact,
            of: score.right(),
        };
        let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(
            out,
            "| {language} | {} | {} | {} | {} | {} | {} | {:.1} |",
            names.join(", "),
            score.all(),
            score.inside(),
            score.precision().shown(),
            score.recall().shown(),
            score.f1(),
            exact.part as f64 / exact.of.max(1) as f64 * 100.0,
        );
    }
    out
}
