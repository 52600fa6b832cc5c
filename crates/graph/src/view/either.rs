//! One of two iterators: over the columns of one graph, or over what was joined of its parts.

/// See the module.
#[derive(Clone)]
pub(crate) enum Either<W, P> {
    Whole(W),
    Parts(P),
}

impl<T, W: Iterator<Item = T>, P: Iterator<Item = T>> Iterator for Either<W, P> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match self {
            Self::Whole(rows) => rows.next(),
            Self::Parts(rows) => rows.next(),
        }
    }

    // Loops over many rows choose once.
    fn fold<B, F: FnMut(B, T) -> B>(self, first: B, add: F) -> B {
        match self {
            Self::Whole(rows) => rows.fold(first, add),
            Self::Parts(rows) => rows.fold(first, add),
        }
    }
}
