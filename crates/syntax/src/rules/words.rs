//! Words before a definition, and the modifiers that they set.

use crate::facts::Modifiers;

/// Words of a language and the modifiers that they set on the definition after them.
pub(crate) type Words = &'static [(&'static str, Modifiers)];

/// Words with the same meaning in every language that has them: used for users' languages.
pub(crate) const USUAL: Words = &[
    ("private", Modifiers::PRIVATE),
    ("protected", Modifiers::PROTECTED),
    ("internal", Modifiers::INTERNAL),
    ("abstract", Modifiers::ABSTRACT),
    ("final", Modifiers::FINAL),
    ("sealed", Modifiers::SEALED),
    ("readonly", Modifiers::READONLY),
    ("virtual", Modifiers::VIRTUAL),
    ("extern", Modifiers::EXTERN),
    ("inline", Modifiers::INLINE),
    ("lazy", Modifiers::LAZY),
    ("unsafe", Modifiers::UNSAFE),
];
