//! The size of a text that is read, and how a longer one is cut: always at the same places.

/// Bytes that are read from the start of a text.
pub(crate) const MAX_HEAD: usize = 48 * 1024;
/// Bytes that are read from the end of a longer one: the last frames and the error are there.
pub(crate) const MAX_TAIL: usize = 16 * 1024;
/// Bytes of a title.
pub(crate) const MAX_TITLE: usize = 400;
/// Bytes of prose that are searched for.
pub(crate) const MAX_PROSE: usize = 2_000;
/// Bytes of a line; the rest of a longer one is data.
pub(crate) const MAX_LINE: usize = 2_000;
/// Number of frames.
pub(crate) const MAX_FRAMES: usize = 200;
/// Number of names.
pub(crate) const MAX_NAMES: usize = 240;
/// Number of paths.
pub(crate) const MAX_PATHS: usize = 80;
/// Number of messages.
pub(crate) const MAX_MESSAGES: usize = 12;
/// Number of versions, and of options.
pub(crate) const MAX_SETTINGS: usize = 24;
/// Bytes of code of all blocks together.
pub(crate) const MAX_CODE: usize = 16 * 1024;

/// Returns the parts of a text that are read, both ending at a line's end, and the number of bytes between them.
pub(crate) fn cut(text: &str) -> (&str, &str, usize) {
    if text.len() <= MAX_HEAD + MAX_TAIL {
        return (text, "", 0);
    }
    let head_end = text.floor_char_boundary(MAX_HEAD);
    let head = &text[..head_end];
    let head = head.rfind('\n').map_or(head, |at| &head[..at + 1]);
    let tail_start = text.ceil_char_boundary(text.len() - MAX_TAIL);
    let tail = &text[tail_start..];
    let tail = tail.find('\n').map_or(tail, |at| &tail[at + 1..]);
    (head, tail, text.len() - head.len() - tail.len())
}

/// Returns the start of a text, at most `most` bytes, at a character's end.
pub(crate) fn head(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// Returns the start of a text, at most `most` bytes, at a word's end.
pub(crate) fn head_of_words(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let cut = head(text, most);
    cut.rfind(char::is_whitespace).map_or(cut, |at| &cut[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_within_the_bounds_is_whole() {
        let text = "a\n".repeat(100);
        assert_eq!(cut(&text), (text.as_str(), "", 0));
    }

    #[test]
    fn a_longer_text_keeps_start_and_end_in_whole_lines() {
        let text: String = (0..20_000).map(|n| format!("line é {n}\n")).collect();
        let (first, last, left_out) = cut(&text);
        assert!(
            first.len() <= MAX_HEAD && first.ends_with('\n') && first.starts_with("line é 0\n")
        );
        assert!(last.len() <= MAX_TAIL && last.starts_with("line é") && last.ends_with("19999\n"));
        assert_eq!(left_out, text.len() - first.len() - last.len());
    }

    #[test]
    fn one_endless_line_is_cut_at_a_character() {
        let text = "é".repeat(100_000);
        let (first, last, left_out) = cut(&text);
        assert_eq!(first.len() + last.len() + left_out, text.len());
        assert_eq!(head_of_words("add the tax", 8), "add the");
    }
}
