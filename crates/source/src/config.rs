//! What is taken in and what is left out: the limits.

/// Limits on what becomes part of an index. All sizes are in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceConfig {
    /// Larger files are skipped as `too-large`. Source written by people stays far below the default of 2 MiB; above
    /// it are data files, which cost seconds and hundreds of megabytes to parse.
    pub max_file_bytes: u32,
    /// Files with a longer line are skipped as `long-line`: minified or data. 100,000 by default.
    pub max_line_bytes: u32,
    /// An archive is unpacked up to this sum of bytes, the rest is skipped as `archive-limit`. 1 GiB by default.
    pub max_archive_bytes: u64,
    /// At most so many files; the rest is skipped as `file-limit`. 100,000 by default.
    pub max_files: u32,
    /// Leave out [`crate::DEFAULT_EXCLUDES`]. Ignore files can take any of them back in with `!`.
    pub default_excludes: bool,
    /// Take in files that programs wrote (lock files, minified files, protobuf output, `@generated` headers).
    pub include_generated: bool,
    /// Further rules in gitignore syntax. They hold from the top on and go before every ignore file there.
    pub rules: Vec<String>,
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
