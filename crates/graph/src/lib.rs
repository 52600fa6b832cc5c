//! Facts of many files in, a code graph out.
