//! Limits on what is taken in, as JavaScript passes them.

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
            ..defaults
        }
    }
}
