//! The set of files that an index is made of.

use std::collections::HashSet;

use crate::path::clean_path;
use crate::rules::IgnoreRules;
use crate::{SkipReason, Skipped, SourceConfig, admit};

/// A file and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Clean: relative, parts separated by `/`.
    pub path: String,
    /// Without byte order mark; line breaks as they were.
    pub text: String,
}

/// Files and what was left out, both sorted by path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileSet {
    /// No two with the same path.
    pub files: Vec<SourceFile>,
    /// Files and folders, each with its reason.
    pub skipped: Vec<Skipped>,
}

impl FileSet {
    /// Admit files given with their bytes. Ignore files among them are obeyed. Of two files with one path the first counts.
    #[must_use]
    pub fn from_files(
        files: impl IntoIterator<Item = (String, Vec<u8>)>,
        config: &SourceConfig,
    ) -> Self {
        let mut intake = Intake::new(config);
        let files: Vec<(String, Vec<u8>)> = files
            .into_iter()
            .filter_map(|(path, bytes)| Some((intake.clean(path)?, bytes)))
            .collect();
        for (path, bytes) in files
            .iter()
            .filter(|(path, _)| IgnoreRules::is_ignore_file(path))
        {
            intake
                .rules
                .add_ignore_file(path, &String::from_utf8_lossy(bytes));
        }
        for (path, bytes) in files {
            if intake.wants(&path) {
                let admitted = admit(&path, &bytes, config).map(std::borrow::Cow::into_owned);
                intake.take(path, admitted);
            }
        }
        intake.finish()
    }
}

/// Collects what is admitted and what is skipped; shared by every way in.
pub(crate) struct Intake<'a> {
    pub(crate) rules: IgnoreRules,
    config: &'a SourceConfig,
    known: HashSet<String>,
    set: FileSet,
}

impl<'a> Intake<'a> {
    pub(crate) fn new(config: &'a SourceConfig) -> Self {
        Self {
            rules: IgnoreRules::new(config),
            config,
            known: HashSet::new(),
            set: FileSet::default(),
        }
    }

    /// The clean path; an unsafe one is noted as skipped.
    pub(crate) fn clean(&mut self, path: String) -> Option<String> {
        match clean_path(&path) {
            Ok(clean) => Some(clean),
            Err(reason) => {
                self.skip(path, reason);
                None
            }
        }
    }

    /// Whether the file should be read at all: not ignored, not known, not one too many.
    pub(crate) fn wants(&mut self, path: &str) -> bool {
        if let Some(skipped) = self.rules.skipped(path) {
            self.set.skipped.push(skipped);
            return false;
        }
        if self.set.files.len() >= self.config.max_files as usize {
            self.skip(
                path.to_owned(),
                SkipReason::FileLimit {
                    limit: self.config.max_files,
                },
            );
            return false;
        }
        if !self.known.insert(path.to_owned()) {
            self.skip(path.to_owned(), SkipReason::DuplicatePath);
            return false;
        }
        true
    }

    pub(crate) fn take(&mut self, path: String, admitted: Result<String, SkipReason>) {
        match admitted {
            Ok(text) => self.set.files.push(SourceFile { path, text }),
            Err(reason) => self.skip(path, reason),
        }
    }

    pub(crate) fn skip(&mut self, path: String, reason: SkipReason) {
        self.set.skipped.push(Skipped { path, reason });
    }

    pub(crate) fn finish(mut self) -> FileSet {
        self.set.files.sort_by(|a, b| a.path.cmp(&b.path));
        self.set.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        // Each file of an ignored folder named that folder.
        self.set.skipped.dedup();
        self.set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(files: &[(&str, &[u8])]) -> FileSet {
        let files = files
            .iter()
            .map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec()));
        FileSet::from_files(
            files,
            &SourceConfig {
                max_files: 3,
                ..SourceConfig::default()
            },
        )
    }

    fn show(set: &FileSet) -> (Vec<&str>, Vec<String>) {
        let skipped = set
            .skipped
            .iter()
            .map(|s| format!("{} {}", s.path, s.reason.code()));
        (
            set.files.iter().map(|file| file.path.as_str()).collect(),
            skipped.collect(),
        )
    }

    #[test]
    fn files_are_sorted_and_every_other_one_has_a_reason() {
        let set = set(&[
            ("a.png", b"\0"),
            ("b.rs", b"2"),
            ("./a.rs", b"1"),
            ("b.rs", b"other"),
            ("x\\y.rs", b"3"),
            ("../z", b""),
            ("node_modules/a.js", b""),
            ("node_modules/b.js", b""),
            ("d.rs", b"4"),
        ]);
        let (files, skipped) = show(&set);
        assert_eq!(files, ["a.rs", "b.rs", "x/y.rs"]);
        assert_eq!(set.files[1].text, "2");
        assert_eq!(
            skipped,
            [
                "../z unsafe-path",
                "a.png binary",
                "b.rs duplicate-path",
                "d.rs file-limit",
                "node_modules/ default-exclude"
            ]
        );
    }

    #[test]
    fn ignore_files_count_wherever_they_stand_in_the_list() {
        let set = set(&[("gen/a.rs", b""), ("b.rs", b""), (".gitignore", b"gen/\n")]);
        assert_eq!(
            show(&set),
            (vec![".gitignore", "b.rs"], vec!["gen/ ignored".to_owned()])
        );
    }

    #[test]
    fn nothing_in_nothing_out() {
        assert_eq!(set(&[]), FileSet::default());
    }
}
