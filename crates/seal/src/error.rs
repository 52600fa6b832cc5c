//! Errors of encryption and decryption.

/// The reason why something cannot be encrypted or decrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealError {
    /// It does not begin with the magic bytes.
    Foreign,
    /// A later version wrote it.
    Version(u8),
    /// It ends early.
    Truncated,
    /// The passphrase is wrong.
    Passphrase,
    /// The key is wrong, or the text was changed: a cipher cannot tell these apart.
    Key,
    /// The passphrase is right, but the contents were changed.
    Changed,
    /// The file asks for more memory or time than any that this crate writes.
    Cost,
    /// More bytes than the cipher takes at once.
    TooLarge,
}

impl SealError {
    /// Returns a stable code for programs.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Foreign => "seal.foreign",
            Self::Version(_) => "seal.version",
            Self::Truncated => "seal.truncated",
            Self::Passphrase => "seal.passphrase",
            Self::Key => "seal.key",
            Self::Changed => "seal.changed",
            Self::Cost => "seal.cost",
            Self::TooLarge => "seal.too-large",
        }
    }

    /// Returns advice for the user.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Foreign => "choose a file that was exported with a passphrase",
            Self::Version(_) => "update Portolan",
            Self::Truncated | Self::Changed => "copy it again, or export it again",
            Self::Passphrase => "letters, case and spaces count",
            Self::Key => "use the key file that it was exported with",
            Self::Cost => "it was not written by Portolan, or was changed",
            Self::TooLarge => "leave out the texts",
        }
    }
}

impl std::fmt::Display for SealError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Foreign => f.write_str("this is not an encrypted snapshot"),
            Self::Version(version) => write!(
                f,
                "the encrypted snapshot has version {version}; this Portolan reads version 1"
            ),
            Self::Truncated => f.write_str("the encrypted snapshot ends early"),
            Self::Passphrase => f.write_str("the passphrase is wrong"),
            Self::Key => f.write_str("the key is wrong, or the encrypted data was changed"),
            Self::Changed => f.write_str("the encrypted snapshot was changed after it was written"),
            Self::Cost => f.write_str(
                "the encrypted snapshot asks for more memory or time than Portolan allows",
            ),
            Self::TooLarge => f.write_str("this is too large to be encrypted at once"),
        }
    }
}

impl std::error::Error for SealError {}
