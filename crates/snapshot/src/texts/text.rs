//! The text of a file while an index is made, and blocks of texts that share their bytes with a snapshot.

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::blocks::cut;

/// The text of a file. Cheap to clone. Texts that were joined ([`Text::join`]) lie side by side in one block, which a snapshot of
/// them takes as it is.
#[derive(Debug, Clone)]
pub struct Text {
    block: Arc<str>,
    /// Its place in the block.
    place: Range<u32>,
}

impl Text {
    /// Lets the texts of files, in the order of their paths, share blocks: those that [`crate::TextStore::new`] makes of them. Each text
    /// is copied once and its own bytes are freed.
    pub fn join(mut files: Vec<(&str, &mut Text)>) {
        for range in cut(files.iter().map(|(path, text)| (*path, text.len()))) {
            let texts = files.get_mut(range).unwrap_or_default();
            let block = block_of(texts.iter().map(|(_, text)| &**text));
            let mut start = 0;
            for (_, text) in texts {
                let end = start + text.len() as u32;
                **text = Text {
                    block: Arc::clone(&block),
                    place: start..end,
                };
                start = end;
            }
        }
    }
}

/// The bytes of these texts side by side: the block that they share, if they are all of it.
pub(super) fn block_of<'t>(texts: impl Iterator<Item = &'t Text> + Clone) -> Arc<str> {
    let shared = texts.clone().next().map(|first| &first.block);
    let mut end = 0;
    let are_together = shared.is_some_and(|shared| {
        let mut texts = texts.clone();
        texts.all(|text| {
            let is_next = text.place.start == end;
            end = text.place.end;
            is_next && Arc::ptr_eq(shared, &text.block)
        }) && end as usize == shared.len()
    });
    match shared {
        Some(shared) if are_together => Arc::clone(shared),
        _ => texts.map(Deref::deref).collect::<String>().into(),
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        let place = self.place.start as usize..self.place.end as usize;
        self.block.get(place).unwrap_or_default()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self {
            block: text.into(),
            place: 0..text.len() as u32,
        }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_texts_are_the_same_and_share_their_block() {
        let words = ["one\n", "", "zwei ü\n", "three\n"];
        let mut texts: Vec<Text> = words.iter().map(|word| Text::from(*word)).collect();
        let before = block_of(texts.iter());
        let paths = ["a", "b", "c", "d"];
        Text::join(paths.into_iter().zip(&mut texts).collect());
        assert_eq!(texts.iter().map(Deref::deref).collect::<Vec<_>>(), words);
        assert_eq!(before, block_of(texts.iter()));
        assert!(Arc::ptr_eq(&texts[0].block, &block_of(texts.iter())));
        // Not all of it, or not in order: another block.
        for some in [&texts[1..], &texts[..3]] {
            assert!(!Arc::ptr_eq(&texts[0].block, &block_of(some.iter())));
        }
        texts.swap(0, 3);
        assert_eq!(&*block_of(texts.iter()), "three\nzwei ü\none\n");
    }
}
