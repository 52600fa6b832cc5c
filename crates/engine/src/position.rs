//! Converts between byte offsets and the lines and UTF-16 code units that editors count.
//!
//! A line ends with `\n`; the `\r` of a `\r\n` belongs to the line it ends. All numbers are 0-based. Offsets within a
//! character count as its start.

/// The offset of the first byte of the line that `offset` is on.
#[must_use]
pub fn line_start(text: &str, offset: usize) -> usize {
    let offset = text.floor_char_boundary(offset);
    text[..offset].rfind('\n').map_or(0, |at| at + 1)
}

/// Number of UTF-16 code units between the start of the line and `offset`.
#[must_use]
pub fn character_of(text: &str, offset: usize) -> u32 {
    let offset = text.floor_char_boundary(offset);
    utf16_len(&text[line_start(text, offset)..offset])
}

/// Number of UTF-16 code units.
#[must_use]
pub fn utf16_len(text: &str) -> u32 {
    text.chars().map(char::len_utf16).sum::<usize>() as u32
}

/// The line of `offset`. Linear in the text before it.
#[must_use]
pub fn line_of(text: &str, offset: usize) -> u32 {
    let offset = text.floor_char_boundary(offset);
    text.as_bytes()[..offset]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count() as u32
}

/// The offset of a line and UTF-16 code unit. A character beyond the end of its line counts as its end, one within a
/// surrogate pair as the start of the pair. None if there is no such line.
#[must_use]
pub fn offset_of(text: &str, line: u32, character: u32) -> Option<usize> {
    let start = nth_line(text, line)?;
    let end = text[start..]
        .find('\n')
        .map_or(text.len(), |length| start + length);
    let mut units = 0;
    for (at, next) in text[start..end].char_indices() {
        units += next.len_utf16() as u32;
        if units > character {
            return Some(start + at);
        }
    }
    Some(end)
}

/// The offset of the first byte of a line.
#[must_use]
pub fn nth_line(text: &str, line: u32) -> Option<usize> {
    match line {
        0 => Some(0),
        _ => text
            .match_indices('\n')
            .nth(line as usize - 1)
            .map(|(at, _)| at + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "a🦀b\r\nzwei\n\nα";

    #[test]
    fn offsets_and_utf16_positions_lead_to_each_other() {
        for (offset, line, character) in [
            (0, 0, 0),
            (1, 0, 1),
            (5, 0, 3),
            (6, 0, 4),
            (8, 1, 0),
            (12, 1, 4),
            (13, 2, 0),
            (14, 3, 0),
            (16, 3, 1),
        ] {
            assert_eq!(
                (line_of(TEXT, offset), character_of(TEXT, offset)),
                (line, character),
                "{offset}"
            );
            assert_eq!(
                offset_of(TEXT, line, character),
                Some(offset),
                "{line}:{character}"
            );
        }
    }

    #[test]
    fn places_that_are_not_there() {
        assert_eq!(
            offset_of(TEXT, 0, 2),
            Some(1),
            "within the pair of the crab"
        );
        assert_eq!(
            offset_of(TEXT, 1, 99),
            Some(12),
            "beyond the end of the line"
        );
        assert_eq!(offset_of(TEXT, 4, 0), None);
        assert_eq!(character_of(TEXT, 3), 1, "within the bytes of the crab");
        assert_eq!(line_of(TEXT, 999), 3);
        assert_eq!(offset_of("", 0, 0), Some(0));
    }

    proptest! {
        #[test]
        fn any_place_of_any_text(text in "[a🦀\r\nα]{0,20}", offset in 0usize..30, line in 0u32..5, character in 0u32..8) {
            let offset = text.floor_char_boundary(offset);
            let (l, c) = (line_of(&text, offset), character_of(&text, offset));
            prop_assert_eq!(offset_of(&text, l, c), Some(offset));
            if let Some(found) = offset_of(&text, line, character) {
                prop_assert!(text.is_char_boundary(found));
                prop_assert_eq!(line_of(&text, found), line);
            }
        }
    }
}
