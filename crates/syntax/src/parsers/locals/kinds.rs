//! Which nodes open a scope and which are names, read from the kinds' own words: grammars agree on them.

use tree_sitter::Node;

use crate::Language;

/// Opens a scope.
pub(super) const SCOPE: u8 = 1;
/// Is a name that can be bound or used.
pub(super) const NAME: u8 = 1 << 1;
/// Was classified.
const KNOWN: u8 = 1 << 2;

/// Classes of a grammar's node kinds, filled in as nodes are met.
pub(super) struct Kinds {
    classes: Vec<u8>,
    scopes: &'static [&'static str],
}

impl Kinds {
    pub(super) fn new(language: Language) -> Kinds {
        let by_function = matches!(
            language,
            Language::Python | Language::Php | Language::Bash | Language::Ruby
        );
        let scopes: &[&str] = if by_function {
            &[
                "function",
                "method",
                "lambda",
                "closure",
                "comprehension",
                "generator",
                "block_",
            ]
        } else {
            &[
                "function",
                "method",
                "constructor",
                "lambda",
                "closure",
                "block",
                "body",
                "for_",
                "foreach",
                "while",
                "if_",
                "catch",
                "try",
                "using",
                "arm",
                "case",
                "clause",
                "entry",
                "accessor",
                "anonymous",
            ]
        };
        Kinds {
            classes: Vec::new(),
            scopes,
        }
    }

    /// The flags of a node's kind.
    pub(super) fn of(&mut self, node: Node) -> u8 {
        let id = usize::from(node.kind_id());
        if self.classes.len() <= id {
            self.classes.resize(id + 1, 0);
        }
        if self.classes[id] == 0 {
            self.classes[id] = self.class(node);
        }
        self.classes[id]
    }

    fn class(&self, node: Node) -> u8 {
        let kind = node.kind();
        let has = |words: &[&str]| words.iter().any(|word| kind.contains(word));
        // Their ends come before the code in which their names hold.
        let is_head = has(&[
            "parameter",
            "argument",
            "declarator",
            "signature",
            "pattern",
            "type",
            "call",
            "name",
            "import",
            "export",
        ]);
        let is_scope = node.is_named() && !is_head && has(self.scopes);
        let is_other = has(&[
            "property",
            "field",
            "type_",
            "statement",
            "package",
            "namespace",
        ]);
        let is_name = node.is_named()
            && (has(&["identifier"]) && !is_other
                || kind.starts_with("shorthand")
                || matches!(kind, "name" | "variable_name" | "variable" | "word"));
        KNOWN | (u8::from(is_scope) * SCOPE) | (u8::from(is_name) * NAME)
    }
}
