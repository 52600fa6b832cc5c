//! Queries in Cypher.

pub use ::cypher::{Limits, Options, Parameters, Path, Table, Value};
pub use graph::label;

use ::cypher::{CypherError, CypherErrorKind};

use crate::{Error, ErrorKind, Reader};

impl Reader {
    /// Runs a query and returns its table. Read-only: see [`::cypher`] for the supported subset.
    ///
    /// # Errors
    ///
    /// `cypher.syntax`, `.write`, `.name`, `.type`, `.unsupported`, each with line and column of the query; `cypher.limit`.
    pub fn cypher<'a>(&'a self, query: &str, options: &Options<'a>) -> Result<Table<'a>, Error> {
        ::cypher::run(self.graph(), query, options).map_err(Error::from)
    }
}

impl From<CypherError> for Error {
    fn from(error: CypherError) -> Self {
        let kind = match error.kind {
            CypherErrorKind::Syntax => ErrorKind::CypherSyntax,
            CypherErrorKind::Write => ErrorKind::CypherWrite,
            CypherErrorKind::Name => ErrorKind::CypherName,
            CypherErrorKind::Type => ErrorKind::CypherType,
            CypherErrorKind::Unsupported => ErrorKind::CypherUnsupported,
            CypherErrorKind::Limit => ErrorKind::CypherLimit,
        };
        Error::new(kind, error.to_string()).with_help(error.help)
    }
}
