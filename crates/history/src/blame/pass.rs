//! Which lines a parent has, too.

/// Lines of the blamed file, and where they are in the version that is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Piece {
    /// First line of the blamed file.
    pub line: u32,
    /// First line of the version.
    pub original: u32,
    pub len: u32,
}

/// Lines that two versions have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub old: u32,
    pub new: u32,
    pub len: u32,
}

/// Splits pieces of the new version into those that the old one has, too, with their lines there, and the rest. Spans are in order.
pub(crate) fn split(pieces: &[Piece], spans: &[Span]) -> (Vec<Piece>, Vec<Piece>) {
    let (mut moved, mut rest) = (Vec::new(), Vec::new());
    for piece in pieces {
        let (mut at, end) = (piece.original, piece.original + piece.len);
        let mut nth = spans.partition_point(|span| span.new + span.len <= at);
        while at < end {
            let Some(span) = spans.get(nth).filter(|span| span.new < end) else {
                rest.push(part(piece, at, end, at));
                break;
            };
            if span.new > at {
                rest.push(part(piece, at, span.new, at));
                at = span.new;
            }
            let stop = end.min(span.new + span.len);
            moved.push(part(piece, at, stop, span.old + (at - span.new)));
            at = stop;
            nth += 1;
        }
    }
    (moved, rest)
}

/// The lines `at..end` of a piece's version, which are `original` and following in another one.
fn part(piece: &Piece, at: u32, end: u32, original: u32) -> Piece {
    Piece {
        line: piece.line + (at - piece.original),
        original,
        len: end - at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_cut_where_lines_differ() {
        let piece = |line, original, len| Piece {
            line,
            original,
            len,
        };
        let span = |old, new, len| Span { old, new, len };
        // New version: lines 0–4 as they were, 5–6 new, 7–9 were at 5.
        let spans = [span(0, 0, 5), span(5, 7, 3)];
        let check = |pieces: &[Piece], moved: &[Piece], rest: &[Piece]| {
            assert_eq!(split(pieces, &spans), (moved.to_vec(), rest.to_vec()));
        };
        check(
            &[piece(100, 0, 10)],
            &[piece(100, 0, 5), piece(107, 5, 3)],
            &[piece(105, 5, 2)],
        );
        check(
            &[piece(0, 4, 2), piece(9, 8, 1)],
            &[piece(0, 4, 1), piece(9, 6, 1)],
            &[piece(1, 5, 1)],
        );
        check(&[piece(0, 5, 2)], &[], &[piece(0, 5, 2)]);
        check(&[piece(0, 20, 2)], &[], &[piece(0, 20, 2)]);
    }
}
