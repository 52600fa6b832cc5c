//! Pieces of words and their numbers: a hash table whose keys are the letters themselves, so that looking one up compares two numbers.

use rustc_hash::FxHashMap;

use crate::tokenizer::Vocabulary;

/// Letters that a key holds; longer pieces are rare.
const MAX_SHORT: usize = 16;
/// Bits of the filter for each slot.
const FILTER_BITS: usize = 8;
/// ASCII capitals differ from small letters in this bit, which every digit has.
const SMALL: u128 = 0x2020_2020_2020_2020_2020_2020_2020_2020;

/// Maps pieces to numbers. Pieces are looked up without regard to ASCII case.
#[derive(Clone)]
pub(crate) struct Pieces {
    /// Letters by their hash: open addressing, linear probing, at most half full; 0 where nothing is.
    letters: Vec<u128>,
    ids: Vec<u32>,
    /// A bit for the hash of each piece: most letters that are no piece are known by it, from a nearer cache.
    filter: Vec<u64>,
    long: FxHashMap<Box<[u8]>, u32>,
    longest: usize,
}

impl Pieces {
    /// Room for `n` pieces; what goes beyond is left out.
    pub(crate) fn with_capacity(n: usize) -> Pieces {
        let n_slots = (n.max(32) * 2).next_power_of_two();
        Pieces {
            letters: vec![0; n_slots],
            ids: vec![0; n_slots],
            filter: vec![0; n_slots * FILTER_BITS / 64],
            long: FxHashMap::default(),
            longest: 0,
        }
    }

    /// Takes in a piece. One that is not of small letters and digits matches no word, and is left out.
    pub(crate) fn insert(&mut self, piece: &[u8], id: u32) {
        let is_of_words = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        if piece.is_empty() || !piece.iter().all(is_of_words) {
            return;
        }
        self.longest = self.longest.max(piece.len());
        if piece.len() > MAX_SHORT {
            self.long.insert(piece.into(), id);
            return;
        }
        let letters = letters_of(piece);
        let hash = hash(letters);
        let at = self.slot_of(letters, hash);
        if let (Some(slot), Some(to)) = (self.letters.get_mut(at), self.ids.get_mut(at)) {
            (*slot, *to) = (letters, id);
        }
        let (word, bit) = self.filter_bit(hash);
        if let Some(word) = self.filter.get_mut(word) {
            *word |= bit;
        }
    }

    #[cold]
    fn get_long(&self, word: &[u8]) -> Option<u32> {
        if word.len() > self.longest {
            return None;
        }
        self.long.get(word.to_ascii_lowercase().as_slice()).copied()
    }

    #[inline]
    fn find(&self, letters: u128) -> Option<u32> {
        let at = self.slot_of(letters, hash(letters));
        (self.letters.get(at) == Some(&letters)).then(|| self.ids.get(at).copied())?
    }

    fn may_have(&self, letters: u128) -> bool {
        let (word, bit) = self.filter_bit(hash(letters));
        self.filter.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Returns the slot of these letters, or the one for inserting them: there is always an empty slot.
    #[inline]
    fn slot_of(&self, letters: u128, hash: usize) -> usize {
        let mask = self.letters.len() - 1;
        let mut at = hash & mask;
        while self
            .letters
            .get(at)
            .is_some_and(|&slot| slot != 0 && slot != letters)
        {
            at = (at + 1) & mask;
        }
        at
    }

    /// Returns the index and the bit of the filter for a hash.
    fn filter_bit(&self, hash: usize) -> (usize, u64) {
        let bit = hash & (self.filter.len() * 64 - 1);
        (bit / 64, 1 << (bit % 64))
    }
}

impl Vocabulary for Pieces {
    #[inline]
    fn get(&self, word: &[u8], text: &[u8]) -> Option<u32> {
        match text.first_chunk() {
            Some(bytes) if word.len() <= MAX_SHORT => self.find(first_letters(*bytes, word.len())),
            _ if word.len() <= MAX_SHORT => self.find(letters_of(word)),
            _ => self.get_long(word),
        }
    }

    fn longest(&self, word: &[u8]) -> Option<(usize, u32)> {
        let longest = word.len().min(self.longest);
        for length in (MAX_SHORT + 1..=longest).rev() {
            if let Some(id) = self.get_long(word.get(..length)?) {
                return Some((length, id));
            }
        }
        let short = longest.min(MAX_SHORT);
        let letters = letters_of(word.get(..short)?);
        (1..=short).rev().find_map(|length| {
            let letters = letters & first(length);
            let id = self.may_have(letters).then(|| self.find(letters))??;
            Some((length, id))
        })
    }
}

/// Up to sixteen letters as one number, in small letters.
fn letters_of(word: &[u8]) -> u128 {
    let mut bytes = [0; MAX_SHORT];
    for (to, from) in bytes.iter_mut().zip(word) {
        *to = *from;
    }
    first_letters(bytes, word.len())
}

/// The first letters of sixteen: as they come from a text, without a loop.
#[inline]
fn first_letters(bytes: [u8; MAX_SHORT], length: usize) -> u128 {
    (u128::from_le_bytes(bytes) | SMALL) & first(length)
}

/// Mask that keeps the first `length` letters, 1 to 16.
#[inline]
fn first(length: usize) -> u128 {
    MASKS.get(length).copied().unwrap_or(u128::MAX)
}

/// By length: WebAssembly would call a function to shift 128 bits.
static MASKS: [u128; MAX_SHORT + 1] = {
    let mut masks = [0xff; MAX_SHORT + 1];
    let mut length = 1;
    while length <= MAX_SHORT {
        masks[length] = u128::MAX >> (8 * (MAX_SHORT - length));
        length += 1;
    }
    masks
};

/// One multiplication; its high bits, which depend on all letters, are folded into the low ones that choose the slot.
#[inline]
fn hash(letters: u128) -> usize {
    let (low, high) = (letters as u64, (letters >> 64) as u64);
    let mixed = (low ^ high.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 32)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces() -> Pieces {
        let mut pieces = Pieces::with_capacity(6);
        for (id, piece) in [
            "a",
            "abc",
            "abcdefghijklmnop",
            "abcdefghijklmnopq",
            "x1",
            "[unk]",
        ]
        .iter()
        .enumerate()
        {
            pieces.insert(piece.as_bytes(), id as u32);
        }
        pieces
    }

    #[test]
    fn words_are_found_in_any_case() {
        let pieces = pieces();
        let get = |word: &str| pieces.get(word.as_bytes(), word.as_bytes());
        assert_eq!(get("ABC"), Some(1));
        assert_eq!(get("AbcdefghijklmnoP"), Some(2));
        assert_eq!(get("abcdefghijklmnopQ"), Some(3));
        assert_eq!(get("X1"), Some(4));
        assert_eq!(
            (get("ab"), get("[unk]"), get("abcdefghijklmnopqr")),
            (None, None, None)
        );
    }

    #[test]
    fn the_longest_beginning_wins() {
        let pieces = pieces();
        let longest = |word: &str| pieces.longest(word.as_bytes());
        assert_eq!(longest("abcd"), Some((3, 1)));
        assert_eq!(longest("abcdefghijklmnopZ"), Some((16, 2)));
        assert_eq!(longest("ABCDEFGHIJKLMNOPQRST"), Some((17, 3)));
        assert_eq!(longest("ax"), Some((1, 0)));
        assert_eq!((longest("zz"), longest("")), (None, None));
    }
}
