//! Classifies a path: its words, and the class of its file.

use rkyv::{Archive, Deserialize, Serialize};

use crate::tokenize::split_identifier;

bitflags::bitflags! {
    /// Class of a file by its path, for ranking.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct PathClass: u16 {
        /// Tests, specs, fixtures, benchmarks of the project.
        const TEST = 1;
        /// Examples, samples, demos, playgrounds.
        const EXAMPLE = 1 << 1;
        /// Written by a program.
        const GENERATED = 1 << 2;
        /// A copy of somebody else's code.
        const VENDORED = 1 << 3;
        /// Only passes names on: by convention (`__init__.py`, `package-info.java`), or because it holds nothing but imports.
        const GLUE = 1 << 4;
        /// Kept for old callers.
        const LEGACY = 1 << 5;
        /// Declares types for code elsewhere (`.d.ts`, `.pyi`).
        const STUB = 1 << 6;
        /// Prose: Markdown, reStructuredText, plain text.
        const PROSE = 1 << 7;
        /// Settings and data: JSON, YAML, TOML, lock files, CI.
        const CONFIG = 1 << 8;
        /// Scripts that build, release or measure the project.
        const TOOLING = 1 << 9;
        /// Licence, changelog, contribution rules, code owners.
        const META = 1 << 10;
        /// In the folder of a project's main code (`src`, `lib`, `app`, `pkg`, `crates`).
        const SOURCE_ROOT = 1 << 11;
        /// For another system than the default build, Linux: the code graph leaves it aside in the same way.
        const PLATFORM = 1 << 12;
    }
}

/// A [`PathClass`] as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Archive, Serialize, Deserialize)]
#[rkyv(derive(Debug, Clone, Copy))]
pub struct PathBits(pub u16);

/// Folders whose names describe their content.
const FOLDERS: &[(&[&str], PathClass)] = &[
    (
        &[
            "test",
            "tests",
            "__tests__",
            "spec",
            "specs",
            "testing",
            "testdata",
            "fixture",
            "fixtures",
            "__mocks__",
            "mocks",
            "e2e",
            "unittest",
            "jvmtest",
            "commontest",
            "androidtest",
        ],
        PathClass::TEST,
    ),
    (
        &["bench", "benches", "benchmark", "benchmarks", "perf"],
        PathClass::TOOLING,
    ),
    (
        &[
            "example",
            "examples",
            "_examples",
            "sample",
            "samples",
            "demo",
            "demos",
            "playground",
            "playgrounds",
            "tutorial",
            "tutorials",
            "docs_src",
            "cookbook",
        ],
        PathClass::EXAMPLE,
    ),
    (
        &[
            "generated",
            "gen",
            "__generated__",
            "dist",
            "build",
            "out",
            "autogen",
        ],
        PathClass::GENERATED,
    ),
    (
        &[
            "vendor",
            "vendored",
            "third_party",
            "third-party",
            "thirdparty",
            "external",
            "node_modules",
            "deps",
        ],
        PathClass::VENDORED,
    ),
    (
        &["compat", "_compat", "legacy", "deprecated"],
        PathClass::LEGACY,
    ),
    (
        &["doc", "docs", "documentation", "website", "site", "www"],
        PathClass::PROSE,
    ),
    (
        &[
            "scripts",
            "script",
            "tools",
            "tool",
            "ci",
            ".github",
            ".circleci",
            "hack",
            "buildsrc",
        ],
        PathClass::TOOLING,
    ),
    (PLATFORMS, PathClass::PLATFORM),
    (
        &[
            "src", "lib", "app", "pkg", "crates", "packages", "source", "sources",
        ],
        PathClass::SOURCE_ROOT,
    ),
];

/// Systems whose code is beside that for Linux and does the same. Phones and Apple's systems are not among them: where they
/// have a folder, they are often what the project is for.
#[rustfmt::skip]
const PLATFORMS: &[&str] = &[
    "aix", "cygwin", "dragonfly", "dragonflybsd", "freebsd", "haiku", "illumos", "ibmi", "mingw", "netbsd", "openbsd", "os390",
    "plan9", "solaris", "sunos", "win", "win32", "windows", "winrt", "zos",
];
/// Systems that a query may name although their code has no penalty.
const OTHER_PLATFORMS: &[&str] = &["android", "bsd", "darwin", "ios", "macos", "osx", "unix"];

/// Returns true for a word, in lower case, that names a system.
pub(crate) fn is_platform(word: &str) -> bool {
    PLATFORMS.contains(&word) || OTHER_PLATFORMS.contains(&word)
}

/// Files that by convention hold no code of their own.
const GLUE_FILES: &[&str] = &["__init__.py", "package-info.java", "module-info.java"];

/// Files about the project, by the start of their name in lower case.
const META_FILES: &[&str] = &[
    "license",
    "licence",
    "copying",
    "changelog",
    "changes",
    "history",
    "contributing",
    "authors",
    "code_of_conduct",
    "codeowners",
    "security",
    "notice",
    "upgrading",
    "migration",
    "release_notes",
];

/// Returns the class of the file at `path`.
#[must_use]
pub fn classify(path: &str) -> PathClass {
    let (folder, file) = split_path(path);
    let lower = folder.to_ascii_lowercase();
    let mut class = PathClass::empty();
    for part in lower.split('/') {
        for (names, of) in FOLDERS {
            if names.contains(&part) {
                class |= *of;
            }
        }
    }
    class | classify_file(file)
}

fn classify_file(file: &str) -> PathClass {
    let lower = file.to_ascii_lowercase();
    let (stem, extension) = lower.rsplit_once('.').unwrap_or((&lower, ""));
    let mut class = match extension {
        "md" | "mdx" | "rst" | "txt" | "adoc" | "org" => PathClass::PROSE,
        "json" | "yaml" | "yml" | "toml" | "lock" | "ini" | "cfg" | "xml" | "properties"
        | "plist" | "csv" | "svg" | "editorconfig" => PathClass::CONFIG,
        "pyi" => PathClass::STUB,
        _ => PathClass::empty(),
    };
    if is_test_name(file, stem, extension) {
        class |= PathClass::TEST;
    }
    let last_word = stem.rsplit(['_', '-']).next().unwrap_or(stem);
    if PLATFORMS.contains(&last_word) && is_code_extension(extension) {
        class |= PathClass::PLATFORM;
    }
    if GLUE_FILES.contains(&file) {
        class |= PathClass::GLUE;
    }
    if lower.ends_with(".d.ts") {
        class |= PathClass::STUB;
    }
    if META_FILES.iter().any(|start| lower.starts_with(start)) && !is_code_extension(extension) {
        class |= PathClass::META;
    }
    if stem.ends_with(".min")
        || stem.ends_with(".pb")
        || stem.ends_with("_pb2")
        || stem.ends_with(".generated")
        || stem.ends_with("_generated")
    {
        class |= PathClass::GENERATED;
    }
    class
}

fn is_code_extension(extension: &str) -> bool {
    !matches!(extension, "" | "md" | "rst" | "txt" | "adoc" | "mdx")
}

/// Extensions whose test runners go by a prefix of the file's name, and by which.
const TEST_PREFIXES: &[(&[&str], &[&str])] = &[
    (
        &["test_", "test-"],
        &[
            "py", "c", "cc", "cpp", "cxx", "h", "hpp", "lua", "dart", "jl", "js", "mjs", "php",
            "rb", "sh",
        ],
    ),
    (&["spec_", "bench_"], &["py", "rb", "lua"]),
];

/// `test_foo.py`, `foo_test.go`, `foo.spec.ts`, `FooTests.swift`, `FooSpec.scala`, `conftest.py`.
fn is_test_name(file: &str, lower_stem: &str, extension: &str) -> bool {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let camel = ["Test", "Tests", "Spec", "Suite", "TestCase"]
        .iter()
        .any(|end| {
            stem.strip_suffix(end)
                .is_some_and(|base| base.ends_with(|c: char| c.is_lowercase() || c.is_numeric()))
        });
    let words = [
        "_test", "_tests", "_spec", ".test", ".spec", "-test", ".bench", "_bench",
    ]
    .iter()
    .any(|end| lower_stem.ends_with(end));
    let starts = |starts: &[&str]| starts.iter().any(|start| lower_stem.starts_with(start));
    let prefixed = TEST_PREFIXES
        .iter()
        .any(|(prefixes, extensions)| starts(prefixes) && extensions.contains(&extension));
    let named = matches!(
        lower_stem,
        "conftest" | "test" | "tests" | "spec_helper" | "test_helper"
    );
    camel || words || prefixed || named || extension == "bats"
}

/// Returns the words of a path that describe the file: those of its stem and of its last three folders.
pub fn words(path: &str) -> impl Iterator<Item = &str> {
    let (folder, file) = split_path(path);
    let folders = folder.rsplit('/').filter(|part| !part.is_empty()).take(3);
    std::iter::once(stem(file)).chain(folders)
}

/// Names for the role of a file in its folder, not for its subject.
const CONVENTIONAL_STEMS: &[&str] = &[
    "mod",
    "index",
    "init",
    "__init__",
    "main",
    "package-info",
    "default",
];

/// Returns the name of a file, and the folder it is in. A file named by convention (`mod.rs`, `index.ts`,
/// `__init__.py`) takes the name of its folder.
#[must_use]
pub fn names(path: &str) -> (&str, &str) {
    let (folder, file) = split_path(path);
    let (above, parent) = split_path(folder);
    if CONVENTIONAL_STEMS.contains(&stem(file)) && !parent.is_empty() {
        (parent, split_path(above).1)
    } else {
        (stem(file), parent)
    }
}

/// The file's name without folder and extension: `router` of `src/router.test.ts`.
#[must_use]
pub fn stem(path: &str) -> &str {
    let file = split_path(path).1;
    let named = file.strip_prefix('.').map_or(file, |_| &file[1..]);
    named.split('.').next().unwrap_or(named)
}

/// Folder and file of a path.
#[must_use]
pub fn split_path(path: &str) -> (&str, &str) {
    let slash = path.bytes().rposition(|byte| byte == b'/');
    slash.map_or(("", path), |at| (&path[..at], &path[at + 1..]))
}

/// The words by which a model should know where a chunk comes from: those of the stem twice, then those of the last
/// three folders, space between.
#[must_use]
pub fn embedding_words(path: &str) -> String {
    let (folder, file) = split_path(path);
    let mut words = String::with_capacity(2 * path.len());
    push_words(&mut words, stem(file));
    let n_file = words.len();
    words.push(' ');
    words.extend_from_within(..n_file);
    let mut folders = [""; 3];
    let parts = folder.rsplit('/').filter(|part| !part.is_empty());
    for (slot, part) in folders.iter_mut().rev().zip(parts) {
        *slot = part;
    }
    for part in folders.into_iter().filter(|part| !part.is_empty()) {
        words.push(' ');
        push_words(&mut words, part);
    }
    words
}

/// Appends the words of a name with spaces between them.
fn push_words(words: &mut String, name: &str) {
    let start = words.len();
    for identifier in name.split(['-', '.', ' ']) {
        for word in split_identifier(identifier) {
            if words.len() > start {
                words.push(' ');
            }
            words.push_str(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(path: &str, expected: Expect) {
        expected.assert_eq(&format!("{:?}", classify(path)));
    }

    #[test]
    fn paths_say_what_a_file_is() {
        check("src/click/core.py", expect!["PathClass(SOURCE_ROOT)"]);
        check("tests/test_core.py", expect!["PathClass(TEST)"]);
        check("router/router_test.go", expect!["PathClass(TEST)"]);
        check(
            "src/FooTests.swift",
            expect!["PathClass(TEST | SOURCE_ROOT)"],
        );
        check("contest.py", expect!["PathClass(0x0)"]);
        check("pkg/__init__.py", expect!["PathClass(GLUE | SOURCE_ROOT)"]);
        check("types/index.d.ts", expect!["PathClass(STUB)"]);
        check("LICENSE", expect!["PathClass(META)"]);
        check("src/changes.rs", expect!["PathClass(SOURCE_ROOT)"]);
        check("third_party/zlib/inflate.c", expect!["PathClass(VENDORED)"]);
        check(
            "src/win/pipe.c",
            expect!["PathClass(SOURCE_ROOT | PLATFORM)"],
        );
        check("lock_windows.go", expect!["PathClass(PLATFORM)"]);
        check("windows_lock.go", expect!["PathClass(0x0)"]);
        check("lock_linux.go", expect!["PathClass(0x0)"]);
    }

    #[test]
    fn words_of_a_path() {
        assert_eq!(
            embedding_words("a/src/http-client/HandlerStack.php"),
            "Handler Stack Handler Stack a src http client"
        );
        assert_eq!(stem(".github/dependabot.yml"), "dependabot");
        assert_eq!(names("src/http/router.rs"), ("router", "http"));
        assert_eq!(names("src/router/mod.rs"), ("router", "src"));
        assert_eq!(names("mod.rs"), ("mod", ""));
    }
}
