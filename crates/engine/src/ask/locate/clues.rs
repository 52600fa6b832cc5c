//! Clues: what in a text points to a file or function, and how much each counts, in one table.

/// A reason to look at a file or function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Clue {
    /// The search for the title finds it.
    Title,
    /// The search for title and prose finds it.
    Prose,
    /// It holds the rare words of the whole text, code and output included.
    Words,
    /// The text names its path or module.
    Path,
    /// A stack trace leads through it.
    Frame,
    /// The text names a definition in it.
    Name,
    /// Example code calls or imports it, or an error of it is raised.
    Example,
    /// A message of the text is written in it.
    Message,
    /// The file is called as words of the title.
    Stem,
    /// It calls, is called by, imports or is imported by what else was found.
    Near,
    /// It usually changes together with what else was found: see [`LocateQuery::together`](crate::LocateQuery::together).
    Together,
}

/// Number of [`Clue`]s.
pub const N_CLUES: usize = 11;

impl Clue {
    /// All, in the order in which answers tell them.
    pub const ALL: [Clue; N_CLUES] = [
        Clue::Title,
        Clue::Prose,
        Clue::Words,
        Clue::Path,
        Clue::Frame,
        Clue::Name,
        Clue::Example,
        Clue::Message,
        Clue::Stem,
        Clue::Near,
        Clue::Together,
    ];

    /// As answers and flags name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Clue::Title => "title",
            Clue::Prose => "prose",
            Clue::Words => "words",
            Clue::Path => "path",
            Clue::Frame => "frame",
            Clue::Name => "name",
            Clue::Example => "example",
            Clue::Message => "message",
            Clue::Stem => "stem",
            Clue::Near => "near",
            Clue::Together => "together",
        }
    }
}

/// How much each clue adds to the score of a file and of a function at its full value: at 0 it is off. The score of a file
/// with every clue is their sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocateWeights {
    /// For files, by [`Clue`].
    pub files: [f32; N_CLUES],
    /// For functions, by [`Clue`], on top of the score of their file.
    pub functions: [f32; N_CLUES],
    /// Share of its file's score that a function gets.
    pub of_file: f32,
    /// How many of the first ten places are for files beside the first ones, whatever their own score; at 0 the score alone decides.
    pub n_beside: usize,
}

impl Default for LocateWeights {
    /// Plain numbers, chosen with one repository left out each time (`cargo xtask bench locate`).
    fn default() -> Self {
        let mut weights = Self {
            files: [0.0; N_CLUES],
            functions: [0.0; N_CLUES],
            of_file: 0.55,
            n_beside: 3,
        };
        for (clue, file, function) in TABLE {
            weights.files[clue as usize] = file;
            weights.functions[clue as usize] = function;
        }
        weights
    }
}

/// Weight of each clue for files, and for functions.
const TABLE: [(Clue, f32, f32); N_CLUES] = [
    (Clue::Title, 1.0, 0.1),
    (Clue::Prose, 0.4, 0.0),
    (Clue::Words, 0.6, 1.0),
    (Clue::Path, 0.8, 0.9),
    (Clue::Frame, 0.6, 0.8),
    (Clue::Name, 0.6, 0.4),
    (Clue::Example, 0.3, 0.3),
    (Clue::Message, 0.5, 0.5),
    (Clue::Stem, 0.2, 0.3),
    (Clue::Near, 0.3, 0.1),
    (Clue::Together, 0.1, 0.0),
];

impl LocateWeights {
    /// Sets a weight by name: `title` for files, `function.title` for functions, `function.file` for the share of the
    /// file, `beside` for the number of places. Returns false for a name that there is not.
    pub fn set(&mut self, name: &str, value: f32) -> bool {
        if name == "function.file" {
            self.of_file = value;
            return true;
        }
        if name == "beside" {
            self.n_beside = value as usize;
            return true;
        }
        let (row, name) = match name.strip_prefix("function.") {
            Some(name) => (&mut self.functions, name),
            None => (&mut self.files, name),
        };
        let Some(clue) = Clue::ALL.into_iter().find(|clue| clue.name() == name) else {
            return false;
        };
        row[clue as usize] = value;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clue_has_a_row_and_a_name() {
        for (idx, clue) in Clue::ALL.into_iter().enumerate() {
            assert_eq!(clue as usize, idx);
            assert_eq!(TABLE[idx].0, clue);
        }
        let mut weights = LocateWeights::default();
        assert!(
            weights.set("frame", 3.0)
                && weights.set("function.near", 2.0)
                && weights.set("function.file", 0.5)
                && weights.set("beside", 2.0)
        );
        assert!(!weights.set("frames", 1.0));
        assert_eq!(
            (weights.files[4], weights.functions[9], weights.of_file),
            (3.0, 2.0, 0.5)
        );
        assert_eq!(weights.n_beside, 2);
    }
}
