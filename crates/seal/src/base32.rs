//! Base 32 in small letters and digits (RFC 4648, without padding): names that every file system and address takes as they are.

const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 8 / 5 + 1);
    let (mut held, mut n_held) = (0u32, 0);
    for &byte in bytes {
        held = held << 8 | u32::from(byte);
        n_held += 8;
        while n_held >= 5 {
            n_held -= 5;
            text.push(letter(held >> n_held));
        }
    }
    if n_held > 0 {
        text.push(letter(held << (5 - n_held)));
    }
    text
}

fn letter(bits: u32) -> char {
    char::from(LETTERS[(bits & 31) as usize])
}

/// Nothing where it is no such text.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 5 / 8);
    let (mut held, mut n_held) = (0u32, 0);
    for letter in text.bytes() {
        let bits = LETTERS.iter().position(|&known| known == letter)? as u32;
        held = held << 5 | bits;
        n_held += 5;
        if n_held >= 8 {
            n_held -= 8;
            bytes.push((held >> n_held & 255) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn as_the_standard_has_it() {
        assert_eq!(encode(b"foobar"), "mzxw6ytboi");
        assert_eq!(decode("mzxw6ytboi").as_deref(), Some(&b"foobar"[..]));
        assert_eq!(decode("MZ"), None);
    }

    proptest! {
        #[test]
        fn there_and_back(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            prop_assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
    }
}
