; Colours of Rust, adapted from tree-sitter-rust's highlights.scm (MIT). Where two patterns name a place, the first counts.
(macro_invocation macro: (identifier) @macro "!" @macro)
(macro_invocation macro: (scoped_identifier name: (identifier) @macro) "!" @macro)
(macro_definition name: (identifier) @macro)
(call_expression function: (identifier) @function)
(call_expression function: (field_expression field: (field_identifier) @function))
(call_expression function: (scoped_identifier name: (identifier) @function))
(generic_function function: [(identifier) @function (scoped_identifier name: (identifier) @function) (field_expression field: (field_identifier) @function)])
(function_item name: (identifier) @function)
(function_signature_item name: (identifier) @function)
(primitive_type) @type
(type_identifier) @type
(mod_item name: (identifier) @namespace)
(scoped_identifier path: (identifier) @type (#match? @type "^[A-Z]"))
(scoped_identifier path: (scoped_identifier name: (identifier) @type) (#match? @type "^[A-Z]"))
(scoped_type_identifier path: (identifier) @namespace)
(scoped_identifier path: (identifier) @namespace)
((identifier) @constant (#match? @constant "^[A-Z][A-Z0-9_]+$"))
((identifier) @type (#match? @type "^[A-Z]"))
(parameter pattern: (identifier) @parameter)
(closure_parameters (identifier) @parameter)
[(field_identifier) (shorthand_field_identifier)] @property
(lifetime) @label
(self) @builtin
[(outer_doc_comment_marker) (inner_doc_comment_marker)] @comment
[(line_comment) (block_comment)] @comment
[(char_literal) (string_literal) (raw_string_literal)] @string
(escape_sequence) @escape
(boolean_literal) @constant
[(integer_literal) (float_literal)] @number
[(attribute_item) (inner_attribute_item)] @attribute
[
  "as" "async" "await" "break" "const" "continue" "dyn" "else" "enum" "extern" "fn" "for" "if" "impl" "in" "let" "loop"
  "macro_rules!" "match" "mod" "move" "pub" "ref" "return" "static" "struct" "trait" "type" "union" "unsafe" "use" "where"
  "while" "yield" (crate) (mutable_specifier) (super)
] @keyword
["*" "&" "=" "==" "!=" "<=" ">=" "+" "-" "/" "%" "!" "&&" "||" "+=" "-=" "=>" "->" "?" ".." "..=" "|"] @operator
