//! The numbers of nodes: files, folders, symbols, externals.

use rustc_hash::FxHashMap;
use syntax::facts::{FileFacts, Symbol};
use syntax::order::InOrder;

use crate::frozen::NONE;

/// A file of one build: its path, relative and with `/`, and the facts of its text.
#[derive(Debug, Clone, Copy)]
pub struct InputFile<'a> {
    /// Path from the root of the repository.
    pub path: &'a str,
    /// Definitions, references and imports of its text.
    pub facts: &'a FileFacts,
}

/// Files and folders of one build with the number of each file's first symbol.
#[derive(Debug)]
pub struct Layout<'a> {
    /// The files, in the order of their ids.
    pub files: &'a [InputFile<'a>],
    /// Whether each file holds tests, by its path.
    pub is_test: Vec<bool>,
    /// Whether each file, by its path, is beside the product: tests, and demonstrations, playgrounds, documentation.
    pub is_aside: Vec<bool>,
    /// Paths of folders, sorted; the folder at the root has no node.
    pub folders: Vec<&'a str>,
    /// Folder node of each file, or none at the root.
    pub folder_of_file: Vec<u32>,
    /// Folder node of each folder, or none at the root.
    pub folder_of_folder: Vec<u32>,
    /// Node of each file's first symbol, and one past the last symbol.
    pub symbol_offsets: Vec<u32>,
}

/// All of a layout but its files: for further layouts of the same paths, with as many symbols in each file.
#[derive(Debug)]
pub struct LayoutShape {
    is_test: Vec<bool>,
    is_aside: Vec<bool>,
    folders: Vec<String>,
    folder_of_file: Vec<u32>,
    folder_of_folder: Vec<u32>,
    symbol_offsets: Vec<u32>,
}

impl<'a> Layout<'a> {
    /// The nodes of `files`, which have the paths and the numbers of symbols of another layout. Paths are not read again.
    #[must_use]
    pub fn of_shape(files: &'a [InputFile<'a>], shape: &'a LayoutShape) -> Self {
        Layout {
            files,
            is_test: shape.is_test.clone(),
            is_aside: shape.is_aside.clone(),
            folders: shape.folders.iter().map(String::as_str).collect(),
            folder_of_file: shape.folder_of_file.clone(),
            folder_of_folder: shape.folder_of_folder.clone(),
            symbol_offsets: shape.symbol_offsets.clone(),
        }
    }

    /// The layout without its files.
    #[must_use]
    pub fn shape(&self) -> LayoutShape {
        LayoutShape {
            is_test: self.is_test.clone(),
            is_aside: self.is_aside.clone(),
            folders: self.folders.iter().map(|path| (*path).to_owned()).collect(),
            folder_of_file: self.folder_of_file.clone(),
            folder_of_folder: self.folder_of_folder.clone(),
            symbol_offsets: self.symbol_offsets.clone(),
        }
    }

    /// Numbers the nodes of `files`.
    #[must_use]
    pub fn new(files: &'a [InputFile<'a>]) -> Self {
        let mut folders: Vec<&str> = Vec::new();
        for file in files {
            let mut path = file.path;
            while let Some((folder, _)) = path.rsplit_once('/') {
                folders.push(folder);
                path = folder;
            }
        }
        folders.order_by(Ord::cmp);
        folders.dedup();
        let node_of: FxHashMap<&str, u32> = folders
            .iter()
            .enumerate()
            .map(|(n, &path)| (path, (files.len() + n) as u32))
            .collect();
        let folder = |path: &str| {
            path.rsplit_once('/')
                .and_then(|(parent, _)| node_of.get(parent))
                .copied()
                .unwrap_or(NONE)
        };
        let folder_of_file = files.iter().map(|file| folder(file.path)).collect();
        let folder_of_folder = folders.iter().map(|path| folder(path)).collect();
        let mut next = (files.len() + folders.len()) as u32;
        let mut symbol_offsets = Vec::with_capacity(files.len() + 1);
        for file in files {
            symbol_offsets.push(next);
            next += file.facts.symbols.len() as u32;
        }
        symbol_offsets.push(next);
        let is_test: Vec<bool> = files.iter().map(|file| is_test_path(file.path)).collect();
        let is_aside = |(file, is_test): (&InputFile<'_>, &bool)| *is_test || is_beside(file.path);
        Layout {
            files,
            is_aside: files.iter().zip(&is_test).map(is_aside).collect(),
            is_test,
            folders,
            folder_of_file,
            folder_of_folder,
            symbol_offsets,
        }
    }

    /// Returns the node of a file's symbol.
    #[must_use]
    pub fn node(&self, file: u32, symbol: u32) -> u32 {
        self.symbol_offsets[file as usize] + symbol
    }

    /// Returns the first symbol node.
    #[must_use]
    pub fn first_symbol(&self) -> u32 {
        self.symbol_offsets.first().copied().unwrap_or(0)
    }

    /// Returns one past the last symbol node: the first external.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.symbol_offsets.last().copied().unwrap_or(0)
    }

    /// Returns the symbol of a node with its file; none if the node is no symbol.
    #[must_use]
    pub fn symbol(&self, node: u32) -> Option<(u32, &'a Symbol)> {
        let past = self.symbol_offsets.partition_point(|&first| first <= node);
        let file = past.checked_sub(1)?;
        let symbols = &self.files.get(file)?.facts.symbols;
        let symbol = symbols.get((node - self.symbol_offsets[file]) as usize)?;
        Some((file as u32, symbol))
    }

    /// Lists every symbol with its file, in node order.
    pub fn symbols(&self) -> impl Iterator<Item = (u32, &'a Symbol)> + '_ {
        self.files.iter().enumerate().flat_map(|(file, input)| {
            input
                .facts
                .symbols
                .iter()
                .map(move |symbol| (file as u32, symbol))
        })
    }
}

/// Returns true for the path of tests, examples or benchmarks, which product code does not call.
fn is_test_path(path: &str) -> bool {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let in_test_folder = folders.split('/').any(|part| {
        matches!(
            part,
            "test"
                | "tests"
                | "Tests"
                | "__tests__"
                | "__mocks__"
                | "spec"
                | "specs"
                | "testing"
                | "testdata"
                | "fixtures"
                | "examples"
                | "example"
                | "benches"
                | "benchmark"
                | "benchmarks"
                | "e2e"
                | "docs_src"
        ) || part.ends_with("-tests")
            || part.ends_with("_tests")
    });
    let stem = file.split('.').next().unwrap_or(file);
    in_test_folder
        || file.contains(".test.")
        || file.contains(".spec.")
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem == "conftest"
        || ([".java", ".kt", ".cs", ".php", ".swift", ".scala"]
            .iter()
            .any(|end| file.ends_with(end))
            && ["Test", "Tests", "Spec", "Suite"]
                .iter()
                .any(|end| stem.ends_with(end)))
}

/// Returns true for the path of code, other than tests, that shows or measures the product.
fn is_beside(path: &str) -> bool {
    const PARTS: [&str; 9] = [
        "bench",
        "benchmark",
        "demo",
        "doc",
        "example",
        "playground",
        "sample",
        "sandbox",
        "tutorial",
    ];
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let is_aside_folder = |part: &str| {
        let part = part.trim_start_matches(['_', '.']);
        let last = part.rsplit(['-', '_']).next().unwrap_or(part);
        PARTS.contains(&last.strip_suffix('s').unwrap_or(last))
    };
    let stem = file.split('.').next().unwrap_or(file);
    folders.split('/').any(is_aside_folder)
        || ["testing", "testutil", "testutils"].contains(&stem)
        || ["Benchmark", "_benchmark", "-benchmark"]
            .iter()
            .any(|end| stem.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_tests() {
        for path in [
            "tests/a.py",
            "src/a.test.ts",
            "pkg/a_test.go",
            "test_a.py",
            "src/FooTest.java",
        ] {
            assert!(is_test_path(path), "{path}");
        }
        for path in [
            "src/a.ts",
            "latest/a.py",
            "src/contest.rs",
            "src/attest/a.rs",
        ] {
            assert!(!is_test_path(path), "{path}");
        }
    }

    #[test]
    fn paths_beside_the_product() {
        for path in [
            "_examples/rest/main.go",
            "docs/code/main.c",
            "apps/vue-playground/a.ts",
            "demo_apps/samples/a.py",
            "metrics/ParseBenchmark.java",
        ] {
            assert!(is_beside(path), "{path}");
        }
        for path in [
            "src/docstring.py",
            "lib/sampler/a.rs",
            "doctor/a.go",
            "workbench/a.ts",
        ] {
            assert!(!is_beside(path), "{path}");
        }
    }
}
