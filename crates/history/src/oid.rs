//! Names of objects.

use std::fmt;

use crate::{Error, ErrorKind};

/// The name of an object: its SHA-1, 20 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Oid(pub [u8; 20]);

impl Oid {
    /// Length in bytes.
    pub const LEN: usize = 20;

    /// Reads 40 hexadecimal digits.
    ///
    /// # Errors
    ///
    /// `history.object-format` for 64 digits, `history.damaged` for anything else.
    pub fn from_hex(text: &[u8]) -> Result<Self, Error> {
        if text.len() == 64 && text.iter().all(u8::is_ascii_hexdigit) {
            let message = "an object has a name of 64 digits";
            return Err(Error::new(ErrorKind::ObjectFormat, message));
        }
        let bytes = Self::digits(text);
        bytes.ok_or_else(|| Error::damaged("an object's name is not 40 hexadecimal digits"))
    }

    fn digits(text: &[u8]) -> Option<Self> {
        let mut bytes = [0; Self::LEN];
        if text.len() != 2 * Self::LEN {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
            let high = char::from(pair[0]).to_digit(16)?;
            let low = char::from(pair[1]).to_digit(16)?;
            *byte = u8::try_from(high << 4 | low).ok()?;
        }
        Some(Self(bytes))
    }

    /// Takes the first 20 bytes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.get(..Self::LEN)?;
        Some(Self(bytes.try_into().ok()?))
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_digits_there_and_back() {
        let text = "00ff10a1b2c3d4e5f60718293a4b5c6d7e8f9001";
        assert_eq!(Oid::from_hex(text.as_bytes()).unwrap().to_string(), text);
        let code = |text: &str| Oid::from_hex(text.as_bytes()).unwrap_err().code();
        assert_eq!(code(&"0".repeat(64)), "history.object-format");
        for bad in ["", "00", &"g".repeat(40), &"0".repeat(41)] {
            assert_eq!(code(bad), "history.damaged");
        }
    }
}
