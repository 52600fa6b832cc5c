//! How dangerous a change is, in one word, with the counts that the word comes from.

/// In one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum RiskLevel {
    /// Hardly anything depends on it.
    #[default]
    Low,
    /// Some does.
    Medium,
    /// Much does, or several flows.
    High,
    /// A large part of the repository does.
    Critical,
}

impl RiskLevel {
    /// `low`, `medium`, `high`, `critical`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

/// What depends on a change, tests apart: they are what tells one that the change is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extent {
    /// Definitions that use what changes directly.
    pub n_direct: usize,
    /// All definitions that were reached.
    pub n_reached: usize,
    /// Flows that go through what changes.
    pub n_processes: usize,
    /// Communities that hold what was reached.
    pub n_communities: usize,
}

/// From how many on a level holds: `direct, reached, processes, communities`, the highest level first. Counts of different
/// things are not added up, since ten callers in one module and ten in ten modules are different risks.
const LEVELS: [(RiskLevel, [usize; 4]); 3] = [
    (RiskLevel::Critical, [30, 200, 8, 8]),
    (RiskLevel::High, [15, 80, 4, 5]),
    (RiskLevel::Medium, [4, 15, 1, 3]),
];

/// A level and why.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Risk {
    /// The level.
    pub level: RiskLevel,
    /// The counts that reach it, in words.
    pub reasons: Vec<String>,
}

impl Extent {
    /// The highest level that one of the counts reaches.
    #[must_use]
    pub fn risk(&self) -> Risk {
        let counts = [
            self.n_direct,
            self.n_reached,
            self.n_processes,
            self.n_communities,
        ];
        const WORDS: [&str; 4] = [
            "direct dependants",
            "dependants in all",
            "execution flows",
            "areas of the code",
        ];
        for (level, least) in LEVELS {
            let reasons: Vec<String> = (counts.iter().zip(least).zip(WORDS))
                .filter(|((count, least), _)| *count >= least)
                .map(|((count, _), what)| format!("{count} {what}"))
                .collect();
            if !reasons.is_empty() {
                return Risk { level, reasons };
            }
        }
        Risk::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_count_decides() {
        let risk = |n_direct, n_reached, n_processes, n_communities| {
            Extent {
                n_direct,
                n_reached,
                n_processes,
                n_communities,
            }
            .risk()
        };
        assert_eq!(risk(3, 14, 0, 2), Risk::default());
        assert_eq!(risk(3, 14, 1, 2).reasons, ["1 execution flows"]);
        assert_eq!(risk(4, 80, 0, 0).level, RiskLevel::High);
        assert_eq!(risk(30, 200, 0, 0).reasons.len(), 2);
        assert!(risk(30, 30, 0, 0).level > risk(15, 30, 0, 0).level);
    }
}
