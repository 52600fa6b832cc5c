//! The answer: files and functions with their reasons.

use graph::NodeId;
use source::FileId;
use syntax::order::InOrder;

use super::clues::{Clue, N_CLUES};

/// Maximum number of reasons for a file or function.
const MAX_REASONS: usize = 5;

/// The places that a text is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    /// The title as it was read; empty for a text without one.
    pub title: String,
    /// How sure it is that the right files are among the first five, 0 to 1.
    pub sureness: f32,
    /// Whether that is enough to say that the places are known.
    pub is_known: bool,
    /// Number of files with any clue.
    pub total: usize,
    /// Best first.
    pub files: Vec<LocatedFile>,
    /// Best first, of all files together.
    pub functions: Vec<LocatedFunction>,
    /// The parts that were read in the text.
    pub read: LocateReading,
}

/// The parts that were read in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LocateReading {
    /// Frames of stack traces.
    pub n_frames: usize,
    /// Names in the form of code.
    pub n_names: usize,
    /// Paths.
    pub n_paths: usize,
    /// Messages of programs.
    pub n_messages: usize,
    /// Programs with their versions.
    pub versions: Vec<String>,
    /// Options of command lines.
    pub options: Vec<String>,
    /// Bytes in the middle of a long text that were not read.
    pub n_left_out: usize,
}

/// A file that a text is about.
#[derive(Debug, Clone, PartialEq)]
pub struct LocatedFile {
    /// The file.
    pub file: FileId,
    /// Higher is better; comparable within one answer only.
    pub score: f32,
    /// How sure it is that this file is right, 0 to 1.
    pub sureness: f32,
    /// The clues that speak for it, the strongest first.
    pub why: Vec<Because>,
}

/// A function that a text is about.
#[derive(Debug, Clone, PartialEq)]
pub struct LocatedFunction {
    /// The function, method or constructor.
    pub node: NodeId,
    /// Its file.
    pub file: FileId,
    /// Higher is better; comparable within one answer only.
    pub score: f32,
    /// The clues that speak for it, the strongest first.
    pub why: Vec<Because>,
}

/// A reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Because {
    /// The clue.
    pub clue: Clue,
    /// The points that it adds to the score.
    pub points: f32,
    /// Its contents: a name, a path, the text of a message; empty where the clue says all.
    pub details: Vec<String>,
}

/// The reasons with the most points, and what each was.
pub(super) fn reasons(
    values: &[f32; N_CLUES],
    details: &[(Clue, f32, String)],
    weights: &[f32; N_CLUES],
) -> Vec<Because> {
    let mut reasons: Vec<Because> = Clue::ALL
        .into_iter()
        .map(|clue| Because {
            clue,
            points: values[clue as usize] * weights[clue as usize],
            details: details
                .iter()
                .filter(|(of, ..)| *of == clue)
                .map(|(.., detail)| detail.clone())
                .collect(),
        })
        .filter(|reason| reason.points > 0.0)
        .collect();
    reasons.order_by(|a, b| b.points.total_cmp(&a.points).then(a.clue.cmp(&b.clue)));
    reasons.truncate(MAX_REASONS);
    reasons
}
