//! Deltas of packs: an object as pieces of another one and new bytes.

use crate::Error;

/// Reads a length in groups of seven bits, lowest first.
fn length(delta: &[u8], at: &mut usize) -> Result<u64, Error> {
    let mut value = 0_u64;
    for shift in (0..63).step_by(7) {
        let Some(&byte) = delta.get(*at) else { break };
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(broken())
}

/// Returns the lengths that a delta states for its base and its result.
pub(crate) fn lengths(delta: &[u8]) -> Result<(u64, u64), Error> {
    let mut at = 0;
    Ok((length(delta, &mut at)?, length(delta, &mut at)?))
}

/// Builds the object that a delta makes of its base. The stated lengths must hold, and the result may have at most `most` bytes.
pub(crate) fn apply(base: &[u8], delta: &[u8], most: usize) -> Result<Vec<u8>, Error> {
    let mut at = 0;
    let n_base = length(delta, &mut at)?;
    let n_result = length(delta, &mut at)?;
    if n_base != base.len() as u64 || n_result > most as u64 {
        return Err(broken());
    }
    let n_result = n_result as usize;
    let mut result = Vec::with_capacity(n_result);
    while let Some(&op) = delta.get(at) {
        at += 1;
        let piece = match op {
            0 => return Err(broken()),
            1..0x80 => {
                let piece = delta.get(at..at + usize::from(op)).ok_or_else(broken)?;
                at += usize::from(op);
                piece
            }
            _ => copied(base, delta, op, &mut at)?,
        };
        if piece.len() > n_result - result.len() {
            return Err(broken());
        }
        result.extend_from_slice(piece);
    }
    match result.len() == n_result {
        true => Ok(result),
        false => Err(broken()),
    }
}

/// The piece of the base that a copy names: bits of `op` say which bytes of its offset and length follow.
fn copied<'a>(base: &'a [u8], delta: &[u8], op: u8, at: &mut usize) -> Result<&'a [u8], Error> {
    let mut number = |bits: std::ops::Range<u8>| -> Result<usize, Error> {
        let mut value = 0_u32;
        for (place, bit) in bits.enumerate() {
            if op & (1 << bit) != 0 {
                let byte = *delta.get(*at).ok_or_else(broken)?;
                *at += 1;
                value |= u32::from(byte) << (8 * place);
            }
        }
        Ok(value as usize)
    };
    let start = number(0..4)?;
    let len = match number(4..7)? {
        0 => 0x10000,
        len => len,
    };
    let end = start.checked_add(len).ok_or_else(broken)?;
    base.get(start..end).ok_or_else(broken)
}

fn broken() -> Error {
    Error::damaged("a delta does not fit its base")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_and_new_bytes() {
        let base = b"the quick brown fox";
        // Copy 4 bytes from 0, new "slow", copy 10 bytes from 9.
        let delta = b"\x13\x12\x90\x04\x04slow\x91\x09\x0a";
        assert_eq!(lengths(delta), Ok((19, 18)));
        assert_eq!(apply(base, delta, 100).unwrap(), b"the slow brown fox");
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let base = b"0123456789";
        for delta in [
            &b""[..],
            b"\x0a",                                         // no length of the result
            b"\x09\x01\x90\x01",                             // another base
            b"\x0a\x01\x00",                                 // the reserved operation
            b"\x0a\x01\x90\x02",                             // more than it says
            b"\x0a\x05\x90\x02",                             // less than it says
            b"\x0a\x05\x91\x08\x05",                         // beyond the base
            b"\x0a\x05\x05ab",                               // new bytes that are missing
            b"\x0a\x7f\x90",                                 // a copy without its length: 64 KB
            b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", // a length without end
            b"\x0a\xff\xff\xff\xff\x7f",                     // a result that is too large
        ] {
            let error = apply(base, delta, 1_000).unwrap_err();
            assert_eq!(error.code(), "history.damaged", "{delta:x?}");
        }
    }
}
