//! Snapshots of indexes that the engine built: opened whole, lazily and in parts, written at once, in pieces and by
//! other workers.
#![cfg(feature = "all-languages")]

mod lazy;
mod packers;
mod partial;
mod pieces;
