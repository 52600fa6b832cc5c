//! Limits of indexing, as JavaScript passes them.

use serde::{Deserialize, Serialize};
use source::SourceConfig;
use tsify::Tsify;

/// Limits on what becomes part of an index; absent ones keep their defaults.
#[derive(Debug, Clone, Default, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", default)]
pub struct SourceOptions {
    /// Larger files are skipped.
    #[tsify(optional)]
    pub max_file_bytes: Option<u32>,
    /// More files are skipped.
    #[tsify(optional)]
    pub max_files: Option<u32>,
    /// Leave out folders that usually hold no sources.
    #[tsify(optional)]
    pub default_excludes: Option<bool>,
    /// Take in files that programs wrote.
    #[tsify(optional)]
    pub include_generated: Option<bool>,
    /// Leave out what matches one of these, by the rules of `.gitignore`; `!` takes back in.
    #[tsify(optional)]
    pub exclude: Option<Vec<String>>,
    /// Take in only these folders and files.
    #[tsify(optional)]
    pub include: Option<Vec<String>>,
    /// Take in only files of these languages.
    #[tsify(optional)]
    pub languages: Option<Vec<String>>,
}

impl From<SourceOptions> for SourceConfig {
    fn from(options: SourceOptions) -> Self {
        let defaults = Self::default();
        Self {
            max_file_bytes: options.max_file_bytes.unwrap_or(defaults.max_file_bytes),
            max_files: options.max_files.unwrap_or(defaults.max_files),
            default_excludes: options
                .default_excludes
                .unwrap_or(defaults.default_excludes),
            include_generated: options
                .include_generated
                .unwrap_or(defaults.include_generated),
            rules: [
                source::only(&options.include.unwrap_or_default()),
                options.exclude.unwrap_or_default(),
            ]
            .concat(),
            ..defaults
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::IgnoreRules;

    fn check(include: &[&str], exclude: &[&str], expected: &[(&str, bool)]) {
        let owned = |paths: &[&str]| Some(paths.iter().map(|&path| path.to_owned()).collect());
        let config = SourceConfig::from(SourceOptions {
            include: owned(include),
            exclude: owned(exclude),
            ..SourceOptions::default()
        });
        let rules = IgnoreRules::new(&config);
        for (path, taken) in expected {
            assert_eq!(rules.skipped(path).is_none(), *taken, "{path}");
        }
    }

    #[test]
    fn only_what_is_included_and_not_excluded() {
        check(
            &["src", "packages/a/lib"],
            &["*.snap", "!keep.snap"],
            &[
                ("src/x/y.ts", true),
                ("README.md", false),
                ("packages/a/lib/z.ts", true),
                ("packages/a/test/z.ts", false),
                ("packages/b/lib/z.ts", false),
                ("src/x.snap", false),
                ("src/keep.snap", true),
            ],
        );
        check(
            &["src", "src/deep"],
            &[],
            &[("src/x.ts", true), ("src/deep/x.ts", true), ("x.ts", false)],
        );
        check(
            &[],
            &["docs/"],
            &[("docs/a.md", false), ("src/docs.ts", true)],
        );
    }
}
