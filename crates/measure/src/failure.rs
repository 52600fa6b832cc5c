//! The error of a bench.

/// A sentence for a person.
pub(crate) type Failure = Box<dyn std::error::Error>;
