//! JavaScript face of the index.
