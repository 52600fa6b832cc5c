; Colours of Dart, adapted from tree-sitter-dart's highlights.scm (MIT). Where two patterns name a place, the first counts.
(function_signature name: (identifier) @function)
(getter_signature name: (identifier) @function)
(setter_signature name: (identifier) @function)
(call_expression function: (identifier) @function)
(call_expression function: (member_expression property: (identifier) @function))
(call_expression function: (null_aware_member_expression property: (identifier) @function))
(cascade_call_expression property: (identifier) @function)
(annotation) @attribute
(class_declaration name: (identifier) @type)
(mixin_declaration name: (identifier) @type)
(enum_declaration name: (identifier) @type)
(extension_declaration name: (identifier) @type)
(constructor_signature name: (identifier) @type)
(constant_constructor_signature name: (identifier) @type)
(factory_constructor_signature name: (identifier) @type)
(enum_entry name: (identifier) @constant)
[(type_identifier) (void_type)] @type
(formal_parameter name: (identifier) @parameter)
(formal_parameter (identifier) @parameter)
(field_formal_parameter name: (identifier) @parameter)
(label (identifier) @parameter)
(initialized_identifier name: (identifier) @property)
(member_expression property: (identifier) @property)
(assignable_expression property: (identifier) @property)
((identifier) @type (#match? @type "^_?[A-Z]"))
["this" "super"] @builtin
[(decimal_integer_literal) (hex_integer_literal) (decimal_floating_point_literal)] @number
(template_substitution) @none
(string_literal) @string
(escape_sequence) @escape
[(true) (false) (null_literal)] @constant
[(comment) (documentation_comment)] @comment
[
  "abstract" "as" "assert" "async" "async*" "await" "base" "break" "case" "catch" "class" "const" "continue" "covariant"
  "default" "deferred" "do" "else" "enum" "export" "extends" "extension" "external" "factory" "final" "finally" "for"
  "get" "hide" "if" "implements" "import" "in" "interface" "late" "library" "mixin" "new" "on" "operator" "part"
  "required" "rethrow" "return" "sealed" "set" "show" "static" "switch" "sync*" "throw" "try" "typedef" "var" "when"
  "while" "with" "yield"
] @keyword
["=" "=>" "?" "??" "+" "-" "*" "/" "%" "!" ".." "..." "|" "&"] @operator
