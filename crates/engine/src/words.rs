//! The names of kinds and forms in requests and answers.

use syntax::facts::{ReferenceForm, SymbolKind};

/// Every kind of definition with its name.
const KINDS: [(SymbolKind, &str); 17] = [
    (SymbolKind::Module, "module"),
    (SymbolKind::Function, "function"),
    (SymbolKind::Method, "method"),
    (SymbolKind::Constructor, "constructor"),
    (SymbolKind::Class, "class"),
    (SymbolKind::Struct, "struct"),
    (SymbolKind::Enum, "enum"),
    (SymbolKind::Variant, "variant"),
    (SymbolKind::Trait, "trait"),
    (SymbolKind::Interface, "interface"),
    (SymbolKind::Impl, "impl"),
    (SymbolKind::TypeAlias, "type_alias"),
    (SymbolKind::Constant, "constant"),
    (SymbolKind::Variable, "variable"),
    (SymbolKind::Field, "field"),
    (SymbolKind::Macro, "macro"),
    (SymbolKind::Section, "section"),
];

/// The name of a kind: `function`, `method`, `class`, …
#[must_use]
pub fn kind_name(kind: SymbolKind) -> &'static str {
    KINDS
        .iter()
        .find(|(known, _)| *known == kind)
        .map_or("", |(_, name)| name)
}

/// The kind with this name.
///
/// # Errors
///
/// `query.invalid`, whose help lists all names.
pub fn kind_from_name(name: &str) -> Result<SymbolKind, crate::Error> {
    let known = KINDS
        .iter()
        .find(|(_, known)| *known == name)
        .map(|(kind, _)| *kind);
    known.ok_or_else(|| {
        let words: Vec<&str> = KINDS.iter().map(|(_, word)| *word).collect();
        crate::Error::new(
            crate::ErrorKind::QueryInvalid,
            format!("there is no kind of symbol {name:?}"),
        )
        .with_help(format!("one of {}", words.join(", ")))
    })
}

/// The name of a form: `call`, `method_call`, `type`, …
#[must_use]
pub fn form_name(form: ReferenceForm) -> &'static str {
    match form {
        ReferenceForm::Call => "call",
        ReferenceForm::MethodCall => "method_call",
        ReferenceForm::PathCall => "path_call",
        ReferenceForm::New => "new",
        ReferenceForm::MacroCall => "macro_call",
        ReferenceForm::Jsx => "jsx",
        ReferenceForm::Decorator => "decorator",
        ReferenceForm::Type => "type",
        ReferenceForm::Value => "value",
        ReferenceForm::Member => "member",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_one_word() {
        for (kind, name) in KINDS {
            assert_eq!(kind_from_name(kind_name(kind)).unwrap(), kind);
            assert_eq!(kind_name(kind), name);
            assert_eq!(snapshot::symbol_kind(kind as u32), Some(kind));
        }
        assert_eq!(
            kind_from_name("funktion").unwrap_err().code(),
            "query.invalid"
        );
    }
}
