//! Bytes in, a set of text files out.
