//! Chunks in, ranked hits out.
