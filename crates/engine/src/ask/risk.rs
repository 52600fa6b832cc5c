//! Risk of a change: a level, and the counts that it results from.

/// Level of a risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum RiskLevel {
    /// Hardly anything depends on the change.
    #[default]
    Low,
    /// Some code depends on it.
    Medium,
    /// Much code depends on it, or several flows.
    High,
    /// A large part of the repository depends on it.
    Critical,
}

impl RiskLevel {
    /// Returns `low`, `medium`, `high` or `critical`.
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

/// Counts of what depends on a change. Tests are left out: they show when a change is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extent {
    /// Number of definitions that use the changed code directly.
    pub n_direct: usize,
    /// Number of all definitions reached.
    pub n_reached: usize,
    /// Number of flows through changed or reached code, as listed.
    pub n_processes: usize,
    /// Number of communities that contain changed or reached code.
    pub n_communities: usize,
}

/// Thresholds of each level, the highest level first: `direct, reached, processes, communities`. The counts are not
/// added up, since ten callers in one module and ten in ten modules are different risks.
const LEVELS: [(RiskLevel, [usize; 4]); 3] = [
    (RiskLevel::Critical, [30, 200, 20, 8]),
    (RiskLevel::High, [15, 80, 10, 5]),
    (RiskLevel::Medium, [4, 15, 2, 3]),
];

/// A level of risk and its reasons.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Risk {
    /// The level.
    pub level: RiskLevel,
    /// The counts that reach the level, in words.
    pub reasons: Vec<String>,
}

impl Extent {
    /// Returns the highest level that one of the counts reaches.
    #[must_use]
    pub fn risk(&self) -> Risk {
        let counts = [
            self.n_direct,
            self.n_reached,
            self.n_processes,
            self.n_communities,
        ];
        // Every threshold is above one, so all words are plural.
        const WORDS: [&str; 4] = [
            "direct dependants outside tests",
            "dependants outside tests",
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
        assert_eq!(risk(3, 14, 1, 2), Risk::default());
        assert_eq!(risk(3, 14, 2, 2).reasons, ["2 execution flows"]);
        assert_eq!(risk(4, 80, 0, 0).level, RiskLevel::High);
        assert_eq!(risk(30, 200, 0, 0).reasons.len(), 2);
        assert!(risk(30, 30, 0, 0).level > risk(15, 30, 0, 0).level);
    }
}
