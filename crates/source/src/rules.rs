//! Ignore rules: gitignore semantics by the matchers of the `ignore` crate, without its directory walker.
//!
//! A path is decided part by part from the top, as git does: once a folder is ignored nothing in it can come back. For
//! each part the ignore file nearest to it speaks first; the default excludes speak last.

use std::path::Path;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::path::{file_name, parent};
use crate::{SkipReason, Skipped, SourceConfig};

/// The administrative data of version control: a folder, or in a linked work tree and in a submodule a file `.git` that holds an absolute path
/// of the machine. No setting and no ignore file includes them, as in git itself: indexes are shared, and these hold paths and remote
/// addresses with credentials.
const VERSION_CONTROL: [&str; 4] = [".git", ".hg", ".svn", ".jj"];

/// Default exclusions, in gitignore syntax; an ignore file can include them again. None of them needs a regular
/// expression: compiling one takes as long as reading some files.
pub const DEFAULT_EXCLUDES: &[&str] = &[
    "node_modules/",
    "bower_components/",
    "jspm_packages/",
    "target/",
    "dist/",
    "build/",
    "out/",
    "vendor/",
    "third_party/",
    "Pods/",
    "Carthage/",
    "DerivedData/",
    "__pycache__/",
    "site-packages/",
    "*.egg-info/",
    ".eggs/",
    ".venv/",
    "venv/",
    ".tox/",
    ".nox/",
    ".mypy_cache/",
    ".pytest_cache/",
    ".ruff_cache/",
    ".ipynb_checkpoints/",
    ".gradle/",
    ".idea/",
    ".vs/",
    ".next/",
    ".nuxt/",
    ".output/",
    ".svelte-kit/",
    ".turbo/",
    ".parcel-cache/",
    ".cache/",
    ".nyc_output/",
    "coverage/lcov-report/",
    ".terraform/",
    ".dart_tool/",
    ".stack-work/",
    "dist-newstyle/",
    "zig-cache/",
    ".zig-cache/",
    "zig-out/",
    "_build/",
    ".portolan/",
    "__MACOSX/",
    ".DS_Store",
];

/// Outputs and copies at the top of a project, but ordinary package names below such folders.
const KEPT_BELOW: &[(&str, &[&str])] = &[
    ("target", &["src"]),
    ("dist", &["src"]),
    ("build", &["src", "lib", "internal"]),
    ("out", &["src"]),
    ("vendor", &["src"]),
];

/// Names of files whose lines are ignore rules, the later one the stronger in the same folder.
pub const IGNORE_FILES: [&str; 2] = [".gitignore", ".portolanignore"];

/// Bytes of an ignore file that a host reads; a larger one is no list of patterns, and is skipped with a reason.
pub const MAX_IGNORE_BYTES: u64 = 1 << 20;

/// Name of the origin of [`SourceConfig::rules`]. They take precedence over ignore files.
const CONFIGURED: &str = "the settings";

/// The ignore rules of one set of files.
pub struct IgnoreRules {
    defaults: Gitignore,
    files: Vec<IgnoreFile>,
}

struct IgnoreFile {
    /// Folder that the rules hold in, with a `/` at its end; empty at the top.
    folder: String,
    path: String,
    rules: Gitignore,
}

impl IgnoreRules {
    /// The default excludes, where the configuration wants them.
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        let defaults = if config.default_excludes {
            DEFAULT_EXCLUDES
        } else {
            &[]
        };
        let mut rules = Self {
            defaults: matcher(defaults.iter().copied()),
            files: Vec::new(),
        };
        rules.add_ignore_file(CONFIGURED, &config.rules.join("\n"));
        rules
    }

    /// Returns true for the path of an ignore file.
    #[must_use]
    pub fn is_ignore_file(path: &str) -> bool {
        IGNORE_FILES.contains(&file_name(path))
    }

    /// Add the ignore file at `path` (clean, as in `web/.gitignore`). Lines that are no valid patterns are passed over, as
    /// git does.
    pub fn add_ignore_file(&mut self, path: &str, text: &str) {
        let folder = path[..path.len() - file_name(path).len()].to_owned();
        let rules = matcher(text.lines());
        if !rules.is_empty() {
            self.files.push(IgnoreFile {
                folder,
                path: path.to_owned(),
                rules,
            });
            // Stable: nearest first and, within a folder, `.portolanignore` before `.gitignore`.
            self.files.sort_by(|a, b| {
                (b.folder.len(), file_name(&b.path)).cmp(&(a.folder.len(), file_name(&a.path)))
            });
        }
    }

    /// Returns the reason if this one file or folder is excluded, without checking its parents. A walker calls this on
    /// the way down.
    #[must_use]
    pub fn check(&self, path: &str, is_dir: bool) -> Option<SkipReason> {
        if let Some(name) = VERSION_CONTROL
            .iter()
            .find(|name| **name == file_name(path))
        {
            return Some(SkipReason::DefaultExclude {
                rule: (*name).to_owned(),
            });
        }
        for file in &self.files {
            let Some(below) = path.strip_prefix(file.folder.as_str()) else {
                continue;
            };
            match file.rules.matched(Path::new(below), is_dir) {
                Match::None => {}
                Match::Whitelist(_) => return None,
                Match::Ignore(glob) => {
                    return Some(SkipReason::Ignored {
                        rule: glob.original().to_owned(),
                        file: file.path.clone(),
                    });
                }
            }
        }
        match self.defaults.matched(Path::new(path), is_dir) {
            Match::Ignore(glob) if !is_kept(path) => Some(SkipReason::DefaultExclude {
                rule: glob.original().to_owned(),
            }),
            _ => None,
        }
    }

    /// Returns the excluded path and the reason if a file is excluded, by itself or with one of its folders.
    #[must_use]
    pub fn skipped(&self, path: &str) -> Option<Skipped> {
        let folders = path.match_indices('/').map(|(at, _)| at);
        for at in folders {
            if let Some(reason) = self.check(&path[..at], true) {
                return Some(Skipped {
                    path: path[..=at].to_owned(),
                    reason,
                });
            }
        }
        self.check(path, false).map(|reason| Skipped {
            path: path.to_owned(),
            reason,
        })
    }
}

/// Returns true for a folder that is a package here, although its name usually means outputs.
fn is_kept(path: &str) -> bool {
    let name = file_name(path);
    KEPT_BELOW
        .iter()
        .filter(|(output, _)| *output == name)
        .any(|(_, below)| parent(path).split('/').any(|part| below.contains(&part)))
}

fn matcher<'a>(lines: impl Iterator<Item = &'a str>) -> Gitignore {
    let mut builder = GitignoreBuilder::new("");
    for line in lines {
        // A line that is no pattern says nothing; the others hold all the same.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ignore_files: &[(&str, &str)], path: &str, expected: Option<&str>) {
        let mut rules = IgnoreRules::new(&SourceConfig::default());
        for (path, text) in ignore_files {
            rules.add_ignore_file(path, text);
        }
        let skipped = rules
            .skipped(path)
            .map(|s| format!("{} {}: {}", s.reason.code(), s.path, s.reason));
        match expected {
            None => assert_eq!(skipped, None, "{path}"),
            Some(prefix) => {
                let skipped = skipped.unwrap_or_default();
                assert!(
                    skipped.starts_with(prefix),
                    "{path}: {skipped:?} does not start with {prefix:?}"
                );
            }
        }
    }

    #[test]
    fn default_excludes() {
        check(&[], "src/main.rs", None);
        check(
            &[],
            "node_modules/a/index.js",
            Some("default-exclude node_modules/:"),
        );
        check(
            &[],
            "web/node_modules/a/index.js",
            Some("default-exclude web/node_modules/:"),
        );
        check(&[], "build/out.js", Some("default-exclude build/:"));
        check(&[], "src/main/java/com/acme/build/Plan.java", None);
        check(&[], "web/src/build/deep/out/a.js", None);
        check(&[], "web/lib/build/a.js", None);
        check(
            &[],
            "web/lib/out/a.js",
            Some("default-exclude web/lib/out/:"),
        );
        check(&[], "build/src/a.js", Some("default-exclude build/:"));
        check(
            &[],
            "my-src/build/a.js",
            Some("default-exclude my-src/build/:"),
        );
        check(&[], "build.rs", None);
        check(&[], "target", None);
        check(&[(".portolanignore", "!vendor/")], "vendor/a.go", None);
    }

    #[test]
    fn the_git_file_of_a_work_tree_or_submodule_is_never_indexed() {
        for (path, skipped) in [
            (".git", "default-exclude .git:"),
            ("libs/sub/.git", "default-exclude libs/sub/.git:"),
            (".git/config", "default-exclude .git/:"),
            (".hg/store/a.i", "default-exclude .hg/:"),
        ] {
            check(&[], path, Some(skipped));
            check(
                &[(".portolanignore", "!.git\n!.hg\n!*")],
                path,
                Some(skipped),
            );
            let all = SourceConfig {
                default_excludes: false,
                ..SourceConfig::default()
            };
            assert!(IgnoreRules::new(&all).skipped(path).is_some(), "{path}");
        }
        check(&[], ".gitattributes", None);
        check(&[], ".github/workflows/test.yml", None);
    }

    #[test]
    fn gitignore_semantics() {
        let top = (
            ".gitignore",
            "*.log\n!keep.log\n/gen\ndocs/*.txt\n# comment\n\n[invalid\nspace\\ name\n",
        );
        check(
            &[top],
            "a/b.log",
            Some("ignored a/b.log: ignored by `*.log` in .gitignore"),
        );
        check(&[top], "a/keep.log", None);
        check(&[top], "gen/x.rs", Some("ignored gen/:"));
        check(&[top], "a/gen/x.rs", None);
        check(&[top], "docs/a.txt", Some("ignored docs/a.txt:"));
        check(&[top], "docs/deep/a.txt", None);
        check(&[top], "space name", Some("ignored"));
    }

    #[test]
    fn nested_files_speak_first_and_only_for_their_folder() {
        let files = [
            (".gitignore", "*.tmp"),
            ("web/.gitignore", "!*.tmp\nonly.js"),
            ("web/.portolanignore", "!only.js"),
        ];
        check(&files, "a.tmp", Some("ignored"));
        check(&files, "web/a.tmp", None);
        check(&files, "webs/a.tmp", Some("ignored"));
        check(&files, "web/only.js", None);
        check(&files, "only.js", None);
    }

    #[test]
    fn nothing_comes_back_from_an_ignored_folder() {
        check(
            &[(".gitignore", "private/\n!private/a.rs")],
            "private/a.rs",
            Some("ignored private/:"),
        );
    }
}
