//! Positions as editors count them.

use crate::wire;

wire! {
    /// A place in a text: 0-based line, and UTF-16 code units from the start of that line.
    #[derive(Copy, Eq)]
    pub struct Position {
        /// 0-based.
        pub line: u32,
        /// UTF-16 code units, 0-based.
        pub character: u32,
    }

    /// A half-open range.
    #[derive(Copy, Eq)]
    pub struct Range {
        /// First position.
        pub start: Position,
        /// One past the last.
        pub end: Position,
    }
}
