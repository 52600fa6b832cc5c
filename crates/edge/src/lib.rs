//! Cloudflare Worker over a saved index.
