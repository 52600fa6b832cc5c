//! Versions whose lines wait for a look, the newest first.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::origin::Origin;
use super::pass::Piece;
use crate::Oid;

/// See the module. Lines that reach the same version over several ways are looked at together, if they meet in time.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    order: BinaryHeap<(i64, Oid, String)>,
    waiting: FxHashMap<(Oid, String), (Oid, Vec<Piece>)>,
}

impl Queue {
    /// Adds lines of a version of which is known when its commit was made.
    pub fn add(&mut self, time: i64, origin: Origin, pieces: Vec<Piece>) {
        let key = (origin.commit, origin.path);
        let (_, all) = self.waiting.entry(key.clone()).or_insert_with(|| {
            self.order.push((time, key.0, key.1));
            (origin.blob, Vec::new())
        });
        all.extend(pieces);
    }

    /// Takes the newest version with all of its lines, in their order.
    pub fn pop(&mut self) -> Option<(Origin, Vec<Piece>)> {
        let (_, commit, path) = self.order.pop()?;
        let key = (commit, path);
        let (blob, mut pieces) = self.waiting.remove(&key)?;
        pieces.sort_unstable();
        let (commit, path) = key;
        let origin = Origin { commit, path, blob };
        Some((origin, joined(pieces)))
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }
}

/// Joins pieces that follow each other in both versions: a file that went back and forth keeps few of them.
fn joined(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match joined.last_mut() {
            Some(last)
                if (last.line + last.len, last.original + last.len)
                    == (piece.line, piece.original) =>
            {
                last.len += piece.len;
            }
            _ => joined.push(piece),
        }
    }
    joined
}
