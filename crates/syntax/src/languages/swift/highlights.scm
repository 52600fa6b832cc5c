; Colours of Swift, adapted from tree-sitter-swift's highlights.scm (MIT). Where two patterns name a place, the first counts.
(function_declaration name: (simple_identifier) @function)
(protocol_function_declaration name: (simple_identifier) @function)
(call_expression . (simple_identifier) @function)
(call_expression . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @function)))
(attribute) @attribute
(import_declaration (identifier) @namespace)
(class_declaration name: (type_identifier) @type)
(protocol_declaration name: (type_identifier) @type)
(type_identifier) @type
(enum_entry name: (simple_identifier) @constant)
(parameter external_name: (simple_identifier) @parameter)
(parameter name: (simple_identifier) @parameter)
(lambda_parameter name: (simple_identifier) @parameter)
(value_argument_label (simple_identifier) @parameter)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @property)))
(navigation_suffix suffix: (simple_identifier) @property)
((simple_identifier) @type (#match? @type "^[A-Z]"))
[(self_expression) (super_expression)] @builtin
[(integer_literal) (real_literal) (hex_literal) (oct_literal) (bin_literal)] @number
[(line_str_text) (multi_line_str_text) (raw_str_part) (raw_str_end_part)] @string
(str_escaped_char) @escape
(boolean_literal) @constant
[(comment) (multiline_comment)] @comment
(directive) @macro
[
  (visibility_modifier) (member_modifier) (function_modifier) (property_modifier) (parameter_modifier)
  (inheritance_modifier) (property_behavior_modifier) (mutation_modifier) (throws) (else) (catch_keyword)
  (default_keyword) (where_keyword) (as_operator) (try_operator) (getter_specifier) (setter_specifier)
] @keyword
[
  "actor" "associatedtype" "async" "await" "break" "case" "class" "continue" "deinit" "do" "enum" "extension"
  "fallthrough" "for" "func" "guard" "if" "import" "in" "init" "is" "let" "operator" "protocol" "repeat" "return"
  "struct" "subscript" "switch" "typealias" "var" "while"
] @keyword
["=" "==" "!=" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "&&" "||" "??" "->" "+=" "-=" "?"] @operator
