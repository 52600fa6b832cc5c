//! The set of files that an index is made of.

use crate::rules::IgnoreRules;
use crate::{Intake, Skipped, SourceConfig, admit};

/// A file and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Clean: relative, parts separated by `/`.
    pub path: String,
    /// Without byte order mark; line breaks as they were.
    pub text: String,
}

/// Files and those left out, both sorted by path.
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
            intake.add_ignore_file(path, bytes);
        }
        for (path, bytes) in files {
            if intake.wants_path(&path) {
                let admitted = admit(&path, &bytes, config).map(std::borrow::Cow::into_owned);
                intake.take(path, admitted);
            }
        }
        intake.finish()
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
