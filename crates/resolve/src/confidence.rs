//! How often each rule is right, by family of languages.
//!
//! Fitted on repositories whose calls a compiler or type checker has confirmed (`cargo xtask bench graph` prints the
//! shares and the expected calibration error). A share is drawn towards the rule's share in all languages by as much as
//! twenty edges would, so that few edges in one repository say little. Where no repository of a family was measured, or
//! its share is that of all, [`Reason::confidence`] holds.

use graph::Reason;

use crate::program::Family;

/// Returns the share of the call edges of a rule that are right in a family of languages, in percent.
pub(crate) fn percent(reason: Reason, family: Family) -> u8 {
    match (reason, family) {
        (Reason::LexicalScope, Family::Rust | Family::Python) => 99,
        (Reason::LexicalScope, Family::Ecma) => 95,
        (Reason::SameFile, Family::C) => 98,
        (Reason::GlobImport, Family::Rust) => 99,
        (Reason::GlobImport, Family::C) => 98,
        (Reason::ReceiverType | Reason::InferredType, Family::Python | Family::Go) => 99,
        (Reason::ReceiverType, Family::Java) => 99,
        (Reason::ModuleMember | Reason::SamePackage, Family::Go) => 99,
        (Reason::TypeMember, Family::Java) => 99,
        (Reason::TypeMember, Family::C) => 97,
        (Reason::TypeMember, Family::Ecma) => 82,
        (Reason::Inherited, Family::Rust | Family::Python | Family::Ecma) => 98,
        (Reason::TraitBound, Family::Rust) => 97,
        (Reason::Path, Family::Rust) => 97,
        (Reason::UniqueName, Family::Rust) => 85,
        (Reason::UniqueName, Family::C) => 86,
        (Reason::UniqueMember, Family::Rust) => 59,
        (Reason::UniqueMember, Family::Python) => 79,
        (Reason::UniqueMember, Family::Ecma) => 85,
        (Reason::UniqueMember, Family::Java) => 64,
        (Reason::UniqueMember, Family::Go) => 80,
        (Reason::UniqueMember, Family::C) => 96,
        (reason, _) => reason.confidence(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_are_less_sure_than_what_is_declared() {
        for family in [
            Family::Rust,
            Family::Python,
            Family::Ecma,
            Family::Go,
            Family::Java,
            Family::C,
            Family::Ruby,
        ] {
            let declared = [Reason::SameFile, Reason::Import, Reason::SelfType];
            let guessed = [Reason::UniqueMember, Reason::UniqueName];
            for (sure, guess) in declared
                .iter()
                .flat_map(|sure| guessed.map(|guess| (*sure, guess)))
            {
                assert!(percent(guess, family) < percent(sure, family), "{family:?}");
            }
        }
    }
}
