//! The limits of reading.

use crate::chunk::ChunkConfig;

/// Limits of reading.
#[derive(Debug, Clone)]
pub struct ParseConfig {
    /// Sizes of chunks.
    pub chunk: ChunkConfig,
    /// Steps that parsing and reading one file may take at most: operations of the parser, nodes of its tree. Files have a limit
    /// by their size and language, too, 2 million and 17 to 36 for each byte; this one is for those who want a lower one. A file
    /// that takes more is searched as text only.
    pub max_parse_steps: u64,
    /// Milliseconds that it may take, and 20 more for each KiB, measured by `clock`: the last resort, since steps do not depend
    /// on how busy the machine is.
    pub max_parse_millis: f64,
    /// Gives milliseconds from any fixed moment. Without it there is no time limit.
    pub clock: Option<fn() -> f64>,
    /// Definitions and uses nested deeper than this many tree levels are left out.
    pub max_depth: u32,
}

impl Default for ParseConfig {
    fn default() -> ParseConfig {
        ParseConfig {
            chunk: ChunkConfig::default(),
            max_parse_steps: u64::MAX,
            max_parse_millis: 20_000.0,
            clock: None,
            max_depth: 2_000,
        }
    }
}
