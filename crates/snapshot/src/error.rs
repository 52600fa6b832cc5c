//! The errors of a snapshot's file: what kind, what was wrong, what to do. The engine's have the same form, from the same macro.

/// Declares `Error` and `ErrorKind` of a crate: each kind with its code, and what the error is about.
#[doc(hidden)]
#[macro_export]
macro_rules! errors {
    (
        $(#[$about:meta])* Error;
        $(#[$kinds:meta])* ErrorKind { $($(#[$doc:meta])* $kind:ident = $code:literal,)* }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Error {
            kind: ErrorKind,
            message: String,
            help: String,
        }

        $(#[$kinds])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorKind {
            $($(#[$doc])* $kind,)*
        }

        impl ErrorKind {
            /// A stable word for programs, `area.reason`.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self {
                    $(Self::$kind => $code,)*
                }
            }
        }

        impl Error {
            /// Makes an error from its message: lower case, no full stop.
            #[must_use]
            pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
                Self {
                    kind,
                    message: message.into(),
                    help: String::new(),
                }
            }

            /// Adds what to do about it.
            #[must_use]
            pub fn with_help(mut self, help: impl Into<String>) -> Self {
                self.help = help.into();
                self
            }

            /// Returns the kind.
            #[must_use]
            pub fn kind(&self) -> ErrorKind {
                self.kind
            }

            /// Returns a stable word for programs, `area.reason`.
            #[must_use]
            pub fn code(&self) -> &'static str {
                self.kind.code()
            }

            /// Says what was wrong, and where.
            #[must_use]
            pub fn message(&self) -> &str {
                &self.message
            }

            /// Says what to do about it; empty where nothing can be done.
            #[must_use]
            pub fn help(&self) -> &str {
                &self.help
            }
        }

        impl ::std::fmt::Display for Error {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(&self.message)
            }
        }

        impl ::std::error::Error for Error {}
    };
}

errors! {
    /// Why a snapshot cannot be written or read. [`Error::code`] is for programs and never changes; `message` and `help` are for people.
    Error;

    /// Every way in which a snapshot can fail.
    ErrorKind {
        /// The file ends too early.
        Truncated = "snapshot.truncated",
        /// The bytes are no snapshot.
        Foreign = "snapshot.foreign",
        /// The file has another format version.
        Version = "snapshot.version",
        /// The bytes were changed after they were written.
        Checksum = "snapshot.checksum",
        /// A section holds what no engine writes.
        Damaged = "snapshot.damaged",
        /// The file cannot be read on.
        Unreadable = "snapshot.unreadable",
        /// A section would be larger than the format allows.
        TooLarge = "index.too-large",
    }
}
