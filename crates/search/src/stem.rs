//! A light English stemmer: plurals, the endings of verbs and of the nouns made from them, so that `routes`, `routed`,
//! `routing` and `router` meet.
//!
//! Coarser and faster than Porter's. Two words that share a stem by accident cost little, since their other uses differ. Applied until nothing changes,
//! so that a stem is its own stem.

/// Shortest stem that is left over.
const MIN_STEM: usize = 3;

/// Turns a lower-case word into its stem. Words that are not all ASCII letters are their own stem.
pub fn stem(word: &mut String) {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    while word.len() > MIN_STEM && strip(word) {}
}

/// Takes one ending off; false if there is none.
fn strip(word: &mut String) -> bool {
    let Some((keep, soften)) = ending(word) else {
        return false;
    };
    if keep < MIN_STEM || !word.as_bytes().iter().take(keep).copied().any(is_vowel) {
        return false;
    }
    word.truncate(keep);
    // `parse` and `parsing` meet as `parz`: their `s` is no plural.
    if soften && word.ends_with('s') && !word.ends_with("ss") {
        word.pop();
        word.push('z');
    }
    true
}

/// Returns the number of bytes without the ending, and whether an `s` before it belongs to the word.
fn ending(word: &str) -> Option<(usize, bool)> {
    let all_but = |n: usize| word.len() - n;
    let bytes = word.as_bytes();
    // `validation`, `validator` and `validate` meet as `valid`; `formatter` and `formatting` as `format`.
    for long in [
        "ations", "ators", "ation", "ating", "ated", "ator", "ate", "ers", "ors", "er", "or",
        "ions", "ion",
    ] {
        if let Some(base) = word.strip_suffix(long)
            && base.len() > MIN_STEM
        {
            return Some((undoubled(base.as_bytes()), true));
        }
    }
    match bytes {
        [.., b'i', b'e', b's' | b'd'] => Some((all_but(3), false)),
        [.., consonant, b'y'] if !is_vowel(*consonant) => Some((all_but(1), false)),
        [base @ .., b'i', b'n', b'g'] | [base @ .., b'e', b'd'] => {
            (base.len() >= MIN_STEM).then(|| (undoubled(base), true))
        }
        [.., b's' | b'u' | b'i', b's'] => None,
        [.., b's'] => Some((all_but(1), false)),
        [.., b'e'] => Some((all_but(1), true)),
        _ => None,
    }
}

/// `mapp` → `map`; `call`, `pass` and `buzz` stay.
fn undoubled(base: &[u8]) -> usize {
    match base {
        [.., a, b] if a == b && !is_vowel(*a) && !matches!(a, b'l' | b's' | b'z') => base.len() - 1,
        _ => base.len(),
    }
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stem_of(word: &str) -> String {
        let mut word = word.to_owned();
        stem(&mut word);
        word
    }

    fn check_same(words: &str) {
        let stems: Vec<String> = words.split(' ').map(stem_of).collect();
        assert!(
            stems.windows(2).all(|pair| pair[0] == pair[1]),
            "{words}: {stems:?}"
        );
    }

    #[test]
    fn forms_of_a_word_meet() {
        check_same("route routes routed routing");
        check_same("map maps mapped mapping");
        check_same("dependency dependencies");
        check_same("query queries queried");
        check_same("class classes");
        check_same("box boxes boxed");
        check_same("handle handles handled handling");
        check_same("retry retries retried");
        check_same("cache caches cached caching");
        check_same("parse parses parsed parsing");
        check_same("close closes closed closing");
        check_same("validate validates validation validator validators validating");
        check_same("format formatter formatters formatting");
        check_same("iterate iterator iteration");
        check_same("serialize serializer serializing");
        check_same("call calls called calling");
    }

    #[test]
    fn short_and_foreign_words_stay() {
        for word in ["is", "bus", "ring", "red", "sha256", "größen", "string"] {
            assert_eq!(stem_of(word), word);
        }
    }

    proptest! {
        #[test]
        fn a_stem_is_its_own_stem(word in "[a-z]{1,14}") {
            prop_assert_eq!(stem_of(&stem_of(&word)), stem_of(&word));
        }
    }
}
