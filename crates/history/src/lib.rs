//! Reads the history of a git repository from the files of `.git`, without running git: which commits changed which files, files that change
//! together, authors of folders, and who wrote each line.
//!
//! ```
//! use portolan_history::{History, Limits, MemoryFiles, Repository};
//!
//! // A host gives the files: a folder of the file system (`Folder`, feature `native`), a folder handle of a page, or memory.
//! let files = Box::new(MemoryFiles::default());
//! let error = Repository::open(files, Limits::default()).err().unwrap();
//! assert_eq!(error.code(), "history.no-repository");
//!
//! fn ask(repository: &mut Repository) -> Result<(), portolan_history::Error> {
//!     let history = History::read(repository)?;
//!     let saved = history.save()?;
//!     // Later: only new commits are read.
//!     let history = History::open(&saved)?.updated(repository)?;
//!     for other in history.co_changed("src/tax.rs", 10) {
//!         let _ = (other.path, other.support, other.confidence);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! Invariants: it never writes, runs no program, follows no link, and knows no clock; every length is checked before memory is allocated for
//! it, and nothing recurses on data; the same commits give the same bytes, whether they were read at once or by updates.

mod error;
mod files;
mod limits;
mod oid;

mod commit;
mod compare;
mod diff;
mod objects;
mod refs;
mod renames;
mod repository;
mod similarity;

mod history;
mod log;
mod walk;

mod blame;

#[cfg(feature = "native")]
mod native;

pub use blame::{Blame, BlameLimits, BlameLines, BlamedCommit, Progress};
pub use diff::{Changed, Difference};
pub use error::{Error, ErrorKind};
pub use files::{MemoryFiles, ObjectFiles};
pub use history::{
    AuthorShare, Churn, CoChange, CoChangeEdge, CommitInfo, FileHistory, History, Similar,
};
pub use limits::{Limits, Note};
#[cfg(feature = "native")]
pub use native::Folder;
pub use oid::Oid;
pub use repository::Repository;
