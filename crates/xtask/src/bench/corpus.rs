//! Folders with a given number of lines, for growth curves: of each package of `tests/benches/large.tsv` the same
//! share, its first files by path.
//!
//! The smaller folder's files are in the larger ones, too, so what grows is the amount and not the kind of code. Files are
//! hard links into the cache.

use std::path::{Path, PathBuf};

use super::packages;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say};

/// Sizes of the growth curves, in lines.
pub const SIZES: [u64; 4] = [10_000, 100_000, 1_000_000, 5_000_000];

/// Code in the languages that most of it is written in, and prose beside it.
const ENDINGS: [&str; 28] = [
    "rs", "py", "js", "mjs", "cjs", "jsx", "ts", "tsx", "c", "h", "cc", "cpp", "cxx", "hpp", "hh",
    "java", "kt", "kts", "swift", "go", "rb", "php", "cs", "scala", "lua", "sh", "dart", "md",
];

/// Folders that an index excludes, or that hold a copy of their siblings.
const LEFT_OUT: [&str; 12] = [
    "target",
    "dist",
    "build",
    "out",
    "vendor",
    "third_party",
    "node_modules",
    "coverage",
    "site-packages",
    "Pods",
    "umd",
    "min",
];

/// As an index does by default.
const MAX_FILE_BYTES: u64 = 2 * 1024 * 1024;
const MAX_LINE_BYTES: usize = 100_000;

/// One folder of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corpus {
    /// Its path.
    pub path: PathBuf,
    /// The requested number of lines.
    pub wanted: u64,
    pub n_files: u64,
    pub n_lines: u64,
    pub n_bytes: u64,
}

/// A file of a package.
struct Source {
    path: PathBuf,
    n_lines: u64,
    n_bytes: u64,
}

/// The folders with about these numbers of lines, made where they are missing.
pub fn folders(toolbox: &Toolbox, sizes: &[u64]) -> Result<Vec<Corpus>> {
    let packages = packages::all()?;
    let folders = packages::fetch(toolbox, &packages)?;
    let mut sources = Vec::new();
    for folder in &folders {
        sources.push((folder.clone(), sources_in(folder)?));
    }
    let total = |files: &[Source]| files.iter().map(|file| file.n_lines).sum::<u64>();
    let n_lines: u64 = sources.iter().map(|(_, files)| total(files)).sum();
    let corpora: Result<Vec<_>> = sizes
        .iter()
        .map(|&wanted| link(&sources, wanted, wanted as f64 / n_lines as f64))
        .collect();
    let corpora = corpora?;
    for Corpus {
        wanted,
        n_files,
        n_lines,
        n_bytes,
        ..
    } in &corpora
    {
        let megabytes = *n_bytes as f64 / 1e6;
        say(&format!(
            "  {wanted} lines: {n_files} files, {n_lines} lines, {megabytes:.1} MB"
        ));
    }
    Ok(corpora)
}

/// Files of code below a folder, by path.
fn sources_in(folder: &Path) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for path in paths::files_under(folder, &LEFT_OUT) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let size = std::fs::metadata(&path).map_or(0, |meta| meta.len());
        if !ENDINGS.contains(&ending)
            || name.contains(".min.")
            || size == 0
            || size > MAX_FILE_BYTES
        {
            continue;
        }
        let bytes = paths::read_bytes(&path)?;
        if let Some(n_lines) = lines_of(&bytes) {
            sources.push(Source {
                path,
                n_lines,
                n_bytes: size,
            });
        }
    }
    Ok(sources)
}

/// Number of lines of a text that people wrote.
fn lines_of(bytes: &[u8]) -> Option<u64> {
    let longest = bytes.split(|byte| *byte == b'\n').map(<[u8]>::len).max();
    let is_text = !bytes.contains(&0) && longest.is_some_and(|longest| longest <= MAX_LINE_BYTES);
    let head = bytes.get(..bytes.len().min(400)).unwrap_or_default();
    let is_written = !String::from_utf8_lossy(head).contains("@generated");
    (is_text && is_written).then(|| bytes.iter().filter(|byte| **byte == b'\n').count() as u64)
}

/// Links a share of each package into the folder of that size.
fn link(sources: &[(PathBuf, Vec<Source>)], wanted: u64, share: f64) -> Result<Corpus> {
    if share > 1.0 {
        return Err(format!(
            "the packages of tests/benches/large.tsv have fewer than {wanted} lines"
        ));
    }
    let digest = packages::digest()?;
    let made_of = digest.get(..12).unwrap_or(&digest);
    let path = paths::cache().join(format!("large/lines-{made_of}/{wanted}"));
    let mut corpus = Corpus {
        path: path.clone(),
        wanted,
        n_files: 0,
        n_lines: 0,
        n_bytes: 0,
    };
    for (folder, files) in sources {
        let n_lines: u64 = files.iter().map(|file| file.n_lines).sum();
        let name = folder.file_name().unwrap_or_default();
        for file in chosen(files, n_lines as f64 * share) {
            let below = file.path.strip_prefix(folder).unwrap_or(&file.path);
            link_one(&file.path, &path.join(name).join(below))?;
            corpus.n_files += 1;
            corpus.n_lines += file.n_lines;
            corpus.n_bytes += file.n_bytes;
        }
    }
    Ok(corpus)
}

/// Picks the first files up to `n_lines`; includes the last one if more than half of it fits.
fn chosen(files: &[Source], n_lines: f64) -> impl Iterator<Item = &Source> {
    let mut taken = 0.0;
    files.iter().take_while(move |file| {
        let fits = taken + file.n_lines as f64 / 2.0 <= n_lines;
        taken += file.n_lines as f64;
        fits
    })
}

fn link_one(from: &Path, to: &Path) -> Result<()> {
    if to.is_file() {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        paths::make_dir(folder)?;
    }
    // A cache on two file systems: then a copy.
    std::fs::hard_link(from, to)
        .or_else(|_| std::fs::copy(from, to).map(drop))
        .map_err(|e| format!("{}: {e}", to.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, n_lines: u64) -> Source {
        Source {
            path: PathBuf::from(path),
            n_lines,
            n_bytes: n_lines * 30,
        }
    }

    #[test]
    fn a_smaller_share_is_the_beginning_of_a_larger_one() {
        let files = [source("a", 10), source("b", 100), source("c", 10)];
        let names = |n_lines| -> Vec<_> {
            chosen(&files, n_lines)
                .map(|file| file.path.display().to_string())
                .collect()
        };
        assert_eq!(names(0.0), Vec::<String>::new());
        assert_eq!(names(20.0), ["a"]);
        assert_eq!(names(60.0), ["a", "b"]);
        assert_eq!(names(120.0), ["a", "b", "c"]);
    }

    #[test]
    fn what_programs_wrote_does_not_count() {
        assert_eq!(lines_of(b"one\ntwo\n"), Some(2));
        assert_eq!(lines_of(b"// @generated by x\n"), None);
        assert_eq!(lines_of(b"\0\n"), None);
        assert_eq!(lines_of(&[b'x'; 200_000]), None);
    }
}
