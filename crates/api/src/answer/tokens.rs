//! Tokens of a text, counted from above: language models cut code into at most about as many.
//!
//! Their tables have hundreds of thousands of entries, and each family its own. This count needs none: a hump of an identifier is a token
//! for each 8 letters, capitals and signs a token for each two, a digit one each, a line break one, indentation one for 16 columns, a
//! character of another script one to three.
//! Over real code in twelve languages it is 1.1 to 1.5 times the larger of `o200k` and `cl100k`; only keys in base 64 have up to a seventh
//! more. `pkg/test/token-budget.test.mjs` compares it with both.

/// Letters of one hump that are a token.
const HUMP: usize = 8;
/// Columns of white space that are a token.
const BLANKS: usize = 16;

/// Returns the number of tokens that a text has at most.
pub(super) fn count(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut n_tokens, mut at) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        let run = |is: fn(&u8) -> bool, from: usize| {
            let rest = bytes.get(from..).unwrap_or_default();
            rest.iter().take_while(|byte| is(byte)).count()
        };
        let (n_bytes, n) = match byte {
            b'A'..=b'Z' => capitals(run(u8::is_ascii_uppercase, at), |n_upper| {
                run(u8::is_ascii_lowercase, at + n_upper)
            }),
            b'a'..=b'z' => {
                let n = run(u8::is_ascii_lowercase, at);
                (n, n.div_ceil(HUMP))
            }
            b'0'..=b'9' => (1, 1),
            b'\n' | b'\r' => (run(|byte| matches!(byte, b'\n' | b'\r'), at), 1),
            b' ' | b'\t' => {
                let n = run(|byte| matches!(byte, b' ' | b'\t'), at);
                // A single space belongs to the word after it.
                (n, if n > 1 { n.div_ceil(BLANKS) } else { 0 })
            }
            0x80.. => (1, other_script(byte)),
            _ => {
                let n = run(is_sign, at).max(1);
                (n, n.div_ceil(2))
            }
        };
        at += n_bytes;
        n_tokens += n;
    }
    n_tokens
}

/// Bytes and tokens of what begins with capitals: `Router`, `HTTP`, `HTTPServer` up to its second hump.
fn capitals(n_upper: usize, n_lower_after: impl Fn(usize) -> usize) -> (usize, usize) {
    let n_lower = n_lower_after(n_upper);
    match (n_upper, n_lower) {
        (1, _) => (1 + n_lower, (1 + n_lower).div_ceil(HUMP)),
        (_, 0) => (n_upper, n_upper.div_ceil(2)),
        // The last capital begins the next hump.
        _ => (n_upper - 1, (n_upper - 1).div_ceil(2)),
    }
}

/// Tokens of a character of another script, by its first byte: the rarest are cut into their bytes.
fn other_script(byte: u8) -> usize {
    match byte {
        0x80..0xc0 => 0,
        0xc0..0xe0 => 1,
        0xe0..0xf0 => 2,
        _ => 3,
    }
}

fn is_sign(byte: &u8) -> bool {
    byte.is_ascii() && !byte.is_ascii_alphanumeric() && !byte.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn pieces_of_code_are_counted_from_above() {
        for (text, expected) in [
            ("", 0),
            ("total", 1),
            ("createApplication", 3),
            ("HTTPServer", 3),
            ("MAX_BYTES", 6),
            ("a = b + 10;\n", 8),
            ("    return x\n\n", 4),
            ("));}", 2),
            ("日本", 4),
            ("Грузия", 6),
            ("🦀", 3),
            ("\u{b}\u{c}", 2),
        ] {
            assert_eq!(count(text), expected, "{text:?}");
        }
    }
}
