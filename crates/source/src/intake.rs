//! Admits files one by one, for hosts that walk a folder and read only admitted files.
//!
//! Such a host calls, for each folder, [`Intake::add_ignore_file`] for the ignore files in it, then [`Intake::enters`] for its
//! folders and [`Intake::wants`] for its files, and [`Intake::add`] with the bytes of those that are wanted.
//!
//! ```
//! use portolan_source::{Intake, SourceConfig};
//!
//! let config = SourceConfig::default();
//! let mut intake = Intake::new(&config);
//! intake.add_ignore_file(".gitignore", b"gen/\n");
//! assert!(!intake.enters("gen"));
//! assert!(intake.wants("a.rs", 12));
//! intake.add("a.rs", b"fn main() {}");
//! let set = intake.finish();
//! assert_eq!((set.files.len(), set.skipped[0].reason.code()), (1, "ignored"));
//! ```

use std::borrow::Cow;
use std::collections::HashSet;

use crate::path::clean_path;
use crate::rules::IgnoreRules;
use crate::{FileSet, SkipReason, Skipped, SourceConfig, SourceFile, admit, check_size};

/// Collects admitted files, and everything left out with its reason.
pub struct Intake<'a> {
    rules: IgnoreRules,
    config: &'a SourceConfig,
    known: HashSet<String>,
    set: FileSet,
}

impl<'a> Intake<'a> {
    /// Creates an empty intake with the default excludes and the rules of `config`.
    #[must_use]
    pub fn new(config: &'a SourceConfig) -> Self {
        Self {
            rules: IgnoreRules::new(config),
            config,
            known: HashSet::new(),
            set: FileSet::default(),
        }
    }

    /// Adds the rules of the ignore file at `path` (clean, as in `web/.gitignore`).
    pub fn add_ignore_file(&mut self, path: &str, bytes: &[u8]) {
        self.rules
            .add_ignore_file(path, &String::from_utf8_lossy(bytes));
    }

    /// Returns whether a walk should list this folder, whose parents it has entered; notes the reason if not.
    pub fn enters(&mut self, folder: &str) -> bool {
        match self.rules.check(folder, true) {
            Some(reason) => {
                self.skip(format!("{folder}/"), reason);
                false
            }
            None => true,
        }
    }

    /// Returns whether a file of this size should be read; notes the reason if not. The path must be clean.
    pub fn wants(&mut self, path: &str, n_bytes: u64) -> bool {
        if !self.wants_path(path) {
            return false;
        }
        match check_size(n_bytes, self.config) {
            Ok(()) => true,
            Err(reason) => {
                self.skip(path.to_owned(), reason);
                false
            }
        }
    }

    /// Adds a file that was wanted, if its bytes are text that belongs in an index; notes the reason if not.
    pub fn add(&mut self, path: &str, bytes: &[u8]) {
        let admitted = admit(path, bytes, self.config).map(Cow::into_owned);
        self.take(path.to_owned(), admitted);
    }

    /// Notes that something was left out, and why.
    pub fn skip(&mut self, path: String, reason: SkipReason) {
        self.set.skipped.push(Skipped { path, reason });
    }

    /// Returns the files and those left out, both sorted by path.
    #[must_use]
    pub fn finish(mut self) -> FileSet {
        self.set.files.sort_by(|a, b| a.path.cmp(&b.path));
        self.set.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        // Each file of an ignored folder named that folder.
        self.set.skipped.dedup();
        self.set
    }

    /// Returns the clean path; notes an unsafe one as skipped.
    pub fn clean(&mut self, path: String) -> Option<String> {
        match clean_path(&path) {
            Ok(clean) => Some(clean),
            Err(reason) => {
                self.skip(path, reason);
                None
            }
        }
    }

    /// As [`Intake::wants`], where the size is not known yet.
    pub(crate) fn wants_path(&mut self, path: &str) -> bool {
        if let Some(skipped) = self.rules.skipped(path) {
            self.set.skipped.push(skipped);
            return false;
        }
        if self.set.files.len() >= self.config.max_files as usize {
            let limit = self.config.max_files;
            self.skip(path.to_owned(), SkipReason::FileLimit { limit });
            return false;
        }
        if !self.known.insert(path.to_owned()) {
            self.skip(path.to_owned(), SkipReason::DuplicatePath);
            return false;
        }
        true
    }

    /// Adds a text, or notes why there is none.
    pub(crate) fn take(&mut self, path: String, admitted: Result<String, SkipReason>) {
        match admitted {
            Ok(text) => self.set.files.push(SourceFile { path, text }),
            Err(reason) => self.skip(path, reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_is_told_what_to_enter_and_what_to_read() {
        let config = SourceConfig {
            max_file_bytes: 10,
            max_files: 2,
            ..SourceConfig::default()
        };
        let mut intake = Intake::new(&config);
        intake.add_ignore_file("web/.gitignore", b"/gen\n*.log\n");
        let entered = ["web", "web/gen", "node_modules", "gen"].map(|path| intake.enters(path));
        assert_eq!(entered, [true, false, false, true]);
        let asked = [("a.rs", 3), ("web/b.log", 3), ("big.rs", 11), ("a.rs", 3)];
        let wanted = asked.map(|(path, n_bytes)| intake.wants(path, n_bytes));
        assert_eq!(wanted, [true, false, false, false]);
        intake.add("a.rs", b"abc");
        intake.add("b.bin", b"\0");
        let set = intake.finish();
        assert_eq!(set.files.len(), 1);
        let codes: Vec<_> = set.skipped.iter().map(|s| s.reason.code()).collect();
        let expected = [
            "duplicate-path",
            "binary",
            "too-large",
            "default-exclude",
            "ignored",
            "ignored",
        ];
        assert_eq!(codes, expected);
    }
}
