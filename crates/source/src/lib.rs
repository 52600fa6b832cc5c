//! Turns bytes — a list of files, a zip, a tar.gz — into a [`FileSet`] of text files, and says of everything left out why.
//!
//! Not here: parsing, languages, and any host. A folder picker, a file system or a network is somebody else's; bytes come
//! in as values.
//!
//! ```
//! use portolan_source::{FileSet, SourceConfig};
//!
//! let files = [
//!     ("src/main.rs", "fn main() {}\n"),
//!     ("node_modules/left-pad/index.js", "module.exports = 1"),
//!     ("logo.png", "\0"),
//! ];
//! let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
//! let set = FileSet::from_files(files, &SourceConfig::default());
//!
//! assert_eq!(set.files.len(), 1);
//! let skipped: Vec<_> = set.skipped.iter().map(|s| (s.path.as_str(), s.reason.code())).collect();
//! assert_eq!(skipped, [("logo.png", "binary"), ("node_modules/", "default-exclude")]);
//! ```
//!
//! A host that walks a folder asks an [`Intake`] on its way down, so that ignored folders are never listed and files that are
//! too large are never read.

mod admit;
mod archive;
mod config;
mod digest;
mod ids;
mod intake;
mod only;
mod path;
mod rules;
mod set;
mod skip;
mod tar_entries;

pub use admit::{admit, check_size};
pub use archive::ArchiveError;
pub use config::SourceConfig;
pub use digest::digest;
pub use ids::FileId;
pub use intake::Intake;
pub use only::only;
pub use path::{clean_path, file_name, parent};
pub use rules::{DEFAULT_EXCLUDES, IGNORE_FILES, IgnoreRules, MAX_IGNORE_BYTES};
pub use set::{FileSet, SourceFile};
pub use skip::{SkipReason, Skipped};
