//! Evidence: for each file and function the value of every clue, before they are weighed.

use std::collections::BTreeMap;

use graph::NodeId;
use search::PathClass;
use source::FileId;

use super::clues::{Clue, N_CLUES};
use crate::Reader;

/// The clues of a file or function.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Found {
    /// The value of each clue, 0 to 1.
    pub(crate) values: [f32; N_CLUES],
    /// The contents of each clue, with its value: the text of a message, a name.
    pub(crate) details: Vec<(Clue, f32, String)>,
}

/// Details kept of each clue.
const MAX_DETAILS: usize = 3;

impl Found {
    /// The strongest of several values counts.
    pub(crate) fn at_least(&mut self, clue: Clue, value: f32) {
        let known = &mut self.values[clue as usize];
        *known = known.max(value.clamp(0.0, 1.0));
    }

    /// Likewise, with the text of the clue.
    pub(crate) fn most(&mut self, clue: Clue, value: f32, detail: &str) {
        self.at_least(clue, value);
        self.tell(clue, value, detail);
    }

    /// Independent values add up towards 1.
    pub(crate) fn add(&mut self, clue: Clue, value: f32, detail: &str) {
        let value = value.clamp(0.0, 1.0);
        let known = &mut self.values[clue as usize];
        *known = 1.0 - (1.0 - *known) * (1.0 - value);
        self.tell(clue, value, detail);
    }

    fn tell(&mut self, clue: Clue, value: f32, detail: &str) {
        let own = self.details.iter().filter(|(of, ..)| *of == clue);
        let is_known = own.clone().any(|(.., known)| known == detail);
        if !detail.is_empty() && !is_known && own.count() < MAX_DETAILS {
            self.details.push((clue, value, detail.to_owned()));
        }
    }
}

/// Everything that was found for a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Evidence {
    pub(crate) files: BTreeMap<FileId, Found>,
    pub(crate) symbols: BTreeMap<NodeId, Found>,
}

impl Evidence {
    /// Adds a clue to a file.
    pub(crate) fn file(&mut self, file: FileId, clue: Clue, value: f32, detail: &str) {
        self.files.entry(file).or_default().add(clue, value, detail);
    }

    /// Adds a clue to a definition and to its file.
    pub(crate) fn symbol(
        &mut self,
        reader: &Reader,
        node: NodeId,
        clue: Clue,
        value: f32,
        detail: &str,
    ) {
        self.symbols
            .entry(node)
            .or_default()
            .add(clue, value, detail);
        if let Some(file) = reader.graph().file_of(node) {
            self.file(file, clue, value, detail);
        }
    }
}

/// Factor of files by their class: text about a fault is rarely about these.
const CLASSES: &[(PathClass, f32)] = &[
    (PathClass::TEST, 0.15),
    (PathClass::EXAMPLE, 0.5),
    (PathClass::GENERATED, 0.5),
    (PathClass::VENDORED, 0.4),
    (PathClass::GLUE, 0.8),
    (PathClass::LEGACY, 0.7),
    (PathClass::STUB, 0.4),
    (PathClass::PROSE, 0.2),
    (PathClass::CONFIG, 0.35),
    (PathClass::TOOLING, 0.6),
    (PathClass::META, 0.1),
];

impl Reader {
    /// The factor of a file's score by its class; tests count as other code where they are asked for.
    pub(crate) fn locate_factor(&self, file: FileId, wants_tests: bool) -> f32 {
        let class = self.locate_class(file);
        let rows = CLASSES.iter().filter(|(of, _)| class.contains(*of));
        let rows = rows.filter(|(of, _)| !(wants_tests && *of == PathClass::TEST));
        // One reason is enough: a generated document of a test is no less likely than a test.
        rows.map(|(_, factor)| *factor).fold(1.0, f32::min)
    }

    /// The class of a file by its path. Folders such as `test-data` hold tests, too.
    pub(crate) fn locate_class(&self, file: FileId) -> PathClass {
        let class = self.path_class(file);
        if is_of_tests(self.path(file)) {
            class | PathClass::TEST
        } else {
            class
        }
    }
}

/// Whether a folder of a path is named after tests: `test-data`, `unit_tests`, `testcases`.
fn is_of_tests(path: &str) -> bool {
    let Some((folders, name)) = path.rsplit_once('/') else {
        return false;
    };
    let is_test = |folder: &str| {
        let mut words = folder.split(['-', '_']);
        words.any(|word| {
            matches!(
                word,
                "test" | "tests" | "testdata" | "testcases" | "fixtures"
            )
        })
    };
    folders.split('/').any(is_test) || name.ends_with(".test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_tests() {
        for (path, expected) in [
            ("test-data/unit/a.test", true),
            ("shop/unit_tests/a.py", true),
            ("shop/testing/a.py", false),
            ("shop/latest/a.py", false),
            ("contest/a.py", false),
            ("a.test", false),
        ] {
            assert_eq!(is_of_tests(path), expected, "{path}");
        }
    }

    #[test]
    fn values_add_up_towards_one() {
        let mut found = Found::default();
        found.add(Clue::Name, 0.5, "a");
        found.add(Clue::Name, 0.5, "a");
        found.at_least(Clue::Title, 0.25);
        found.at_least(Clue::Title, 0.2);
        assert_eq!(found.values[Clue::Name as usize], 0.75);
        assert_eq!(found.values[Clue::Title as usize], 0.25);
        assert_eq!(found.details.len(), 1);
    }
}
