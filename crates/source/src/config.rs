//! Limits and rules that decide which files are indexed.

/// Limits on what becomes part of an index. All sizes are in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceConfig {
    /// Larger files are skipped as `too-large`. Source written by people stays far below the default of 2 MiB; above
    /// it are data files, which cost seconds and hundreds of megabytes to parse.
    pub max_file_bytes: u32,
    /// Files with a longer line are skipped as `long-line`: minified or data. 100,000 by default.
    pub max_line_bytes: u32,
    /// An archive is unpacked up to this sum of bytes, the rest is skipped as `archive-limit`. 1 GiB by default, and never more
    /// than 16 MiB and fifty times the archive: sources shrink to a fifth, bombs to a thousandth, and parsing
    /// what was made to be slow takes seconds for each MiB.
    pub max_archive_bytes: u64,
    /// Maximum number of files (default 100,000); the rest is skipped as `file-limit`.
    pub max_files: u32,
    /// Leave out [`crate::DEFAULT_EXCLUDES`]. Ignore files can take any of them back in with `!`, except the folders and
    /// files of version control (`.git`, `.hg`, `.svn`, `.jj`), which are never indexed.
    pub default_excludes: bool,
    /// Take in files that programs wrote (lock files, minified files, protobuf output, `@generated` headers).
    pub include_generated: bool,
    /// Further rules in gitignore syntax. They hold from the top on and go before every ignore file there.
    pub rules: Vec<String>,
}

/// An archive may unpack to this, however small it is.
const SMALL_ARCHIVE: u64 = 16 << 20;
/// Beyond that, how many times larger it may grow.
const MAX_RATIO: u64 = 50;

impl SourceConfig {
    /// Bytes that an archive of `n_bytes` may unpack to.
    #[must_use]
    pub fn unpacked(&self, n_bytes: usize) -> u64 {
        let by_ratio = SMALL_ARCHIVE.saturating_add((n_bytes as u64).saturating_mul(MAX_RATIO));
        self.max_archive_bytes.min(by_ratio)
    }

    /// Maximum number of entries read in an archive; folders and skipped entries count, too.
    #[must_use]
    pub(crate) fn max_entries(&self) -> usize {
        (self.max_files as usize).saturating_mul(10)
    }
}

impl Default for SourceConfig {
    fn default() -> Self {
        Self {
            max_file_bytes: 2 * 1024 * 1024,
            max_line_bytes: 100_000,
            max_archive_bytes: 1024 * 1024 * 1024,
            max_files: 100_000,
            default_excludes: true,
            include_generated: false,
            rules: Vec::new(),
        }
    }
}
