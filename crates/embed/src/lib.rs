//! Text in, vectors out.
