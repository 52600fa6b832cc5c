//! The one error of this crate.

use api::ErrorBody;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::DomException;

/// An error of this crate. [`Error::code`] is for programs and never changes; the message and [`Error::help`] are for people.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The index refuses: a snapshot is damaged, a question cannot be read.
    #[error(transparent)]
    Index(#[from] portolan::Error),
    /// A picked or dropped input cannot be read at all.
    #[error("{what} cannot be read: {reason}")]
    Unreadable {
        /// A name of it for people.
        what: String,
        /// The browser's reason.
        reason: String,
    },
    /// An address cannot be fetched.
    #[error("{url} cannot be fetched: {reason}")]
    Fetch {
        /// The address.
        url: String,
        /// The browser's reason, or the status.
        reason: String,
    },
    /// A grammar cannot be loaded.
    #[error("the grammar for {name} cannot be loaded: {reason}")]
    Grammar {
        /// The grammar's name.
        name: String,
        /// The fault of the file.
        reason: String,
    },
    /// IndexedDB refuses.
    #[error("the browser's storage refuses: {reason}")]
    Storage {
        /// The browser's reason.
        reason: String,
    },
    /// IndexedDB has no room left.
    #[error("the browser's storage is full: {reason}")]
    StorageFull {
        /// The browser's reason.
        reason: String,
    },
    /// No index of this name is kept.
    #[error("no index is called {name:?}")]
    NotFound {
        /// The name.
        name: String,
    },
    /// The program asked to stop.
    #[error("indexing was cancelled")]
    Cancelled,
    /// A worker could not be started, or broke.
    #[error("the worker failed: {reason}")]
    Worker {
        /// The browser's reason.
        reason: String,
    },
    /// An error that a worker met.
    #[error("{}", .0.message)]
    InWorker(ErrorBody),
}

impl Error {
    /// Returns a stable word for programs, `area.reason`.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Index(error) => error.code(),
            Self::Unreadable { .. } => "input.unreadable",
            Self::Fetch { .. } => "input.fetch",
            Self::Grammar { .. } => "grammar.load",
            Self::Storage { .. } => "storage.refused",
            Self::StorageFull { .. } => "storage.quota",
            Self::NotFound { .. } => "index.not-found",
            Self::Cancelled => "cancelled",
            Self::Worker { .. } => "worker.failed",
            Self::InWorker(body) => &body.code,
        }
    }

    /// Returns advice; empty where there is none.
    #[must_use]
    pub fn help(&self) -> &str {
        match self {
            Self::Index(error) => error.help(),
            Self::Unreadable { .. } => "pick it again: the permission may have ended",
            Self::Fetch { .. } => "check the address, and that its server allows this page (CORS)",
            Self::Grammar { .. } => "files of this language are searched as plain text",
            Self::Storage { .. } => {
                "private windows and full disks refuse; the index can be used unsaved"
            }
            Self::StorageFull { .. } => "delete an index, then save again",
            Self::NotFound { .. } => "Snapshots::list returns the names",
            Self::Cancelled => "",
            Self::Worker { .. } => "check the address of the worker's script",
            Self::InWorker(body) => &body.help,
        }
    }

    /// Returns the error as it goes over a wire.
    #[must_use]
    pub fn body(&self) -> ErrorBody {
        ErrorBody {
            code: self.code().to_owned(),
            message: self.to_string(),
            help: self.help().to_owned(),
        }
    }
}

impl From<engine::Error> for Error {
    fn from(error: engine::Error) -> Self {
        Self::Index(error.into())
    }
}

impl From<source::ArchiveError> for Error {
    fn from(error: source::ArchiveError) -> Self {
        Self::Index(error.into())
    }
}

impl From<idb::Error> for Error {
    fn from(error: idb::Error) -> Self {
        let reason = error.to_string();
        match &error {
            idb::Error::DomException(cause) if cause.name() == "QuotaExceededError" => {
                Self::StorageFull { reason }
            }
            _ => Self::Storage { reason },
        }
    }
}

/// Returns the message of whatever JavaScript threw.
pub(crate) fn reason_of(thrown: &JsValue) -> String {
    if let Some(error) = thrown.dyn_ref::<js_sys::Error>() {
        return String::from(error.message());
    }
    if let Some(error) = thrown.dyn_ref::<DomException>() {
        return error.message();
    }
    thrown.as_string().unwrap_or_else(|| format!("{thrown:?}"))
}
