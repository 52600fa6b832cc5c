; Colours of Java, adapted from tree-sitter-java's highlights.scm (MIT). Where two patterns name a place, the first counts.
(method_declaration name: (identifier) @function)
(method_invocation name: (identifier) @function)
(constructor_declaration name: (identifier) @function)
(annotation "@" @attribute name: (_) @attribute)
(marker_annotation "@" @attribute name: (_) @attribute)
(type_identifier) @type
(interface_declaration name: (identifier) @type)
(class_declaration name: (identifier) @type)
(enum_declaration name: (identifier) @type)
(record_declaration name: (identifier) @type)
[(boolean_type) (integral_type) (floating_point_type) (void_type)] @type
(package_declaration (_) @namespace)
(formal_parameter name: (identifier) @parameter)
(enum_constant name: (identifier) @constant)
(field_declaration declarator: (variable_declarator name: (identifier) @property))
(field_access field: (identifier) @property)
((identifier) @constant (#match? @constant "^_*[A-Z][A-Z0-9_]+$"))
((identifier) @type (#match? @type "^[A-Z]"))
[(this) (super)] @builtin
[(hex_integer_literal) (decimal_integer_literal) (octal_integer_literal) (binary_integer_literal) (decimal_floating_point_literal) (hex_floating_point_literal)] @number
[(character_literal) (string_literal)] @string
(escape_sequence) @escape
[(true) (false) (null_literal)] @constant
[(line_comment) (block_comment)] @comment
[
  "abstract" "assert" "break" "case" "catch" "class" "continue" "default" "do" "else" "enum" "extends" "final" "finally"
  "for" "if" "implements" "import" "instanceof" "interface" "native" "new" "package" "permits" "private" "protected"
  "public" "record" "return" "sealed" "static" "switch" "synchronized" "throw" "throws" "transient" "try" "volatile"
  "while" "yield"
] @keyword
["=" "==" "!=" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "&&" "||" "!" "?" "->" "::" "+=" "-=" "++" "--" "&" "|"] @operator
