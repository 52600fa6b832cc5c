; Colours of Kotlin. Where two patterns name a place, the first counts.
(function_declaration name: (identifier) @function)
(call_expression . (identifier) @function)
(call_expression . (navigation_expression (identifier) @function .))
(annotation) @attribute
(package_header (qualified_identifier) @namespace)
(import (qualified_identifier) @namespace)
(class_declaration name: (identifier) @type)
(object_declaration name: (identifier) @type)
(type_alias type: (identifier) @type)
(user_type (identifier) @type)
(type_parameter (identifier) @type)
(enum_entry (identifier) @constant)
(parameter . (identifier) @parameter)
(class_parameter (identifier) @property)
(value_argument . (identifier) @parameter "=")
(class_body (property_declaration (variable_declaration (identifier) @property)))
(navigation_expression (identifier) @property .)
((identifier) @constant (#match? @constant "^_*[A-Z][A-Z0-9_]+$"))
((identifier) @constant (#any-of? @constant "true" "false" "null"))
((identifier) @type (#match? @type "^[A-Z]"))
((identifier) @builtin (#any-of? @builtin "it" "field"))
[(this_expression) (super_expression)] @builtin
[(number_literal) (float_literal)] @number
(interpolation) @none
[(string_content) (character_literal)] @string
(escape_sequence) @escape
[(line_comment) (block_comment)] @comment
(label) @label
[
  (visibility_modifier) (inheritance_modifier) (member_modifier) (class_modifier) (function_modifier) (property_modifier)
  (parameter_modifier) (reification_modifier)
] @keyword
[
  "as" "as?" "by" "catch" "class" "companion" "constructor" "do" "else" "finally" "for" "fun" "get"
  "if" "import" "in" "!in" "init" "interface" "is" "!is" "object" "package" "return" "set" "throw" "try" "typealias"
  "val" "var" "when" "where" "while"
] @keyword
["=" "==" "===" "!=" "!==" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "&&" "||" "!" "!!" "?:" "?." "->" "::" "+=" "-=" "++" "--" ".."] @operator
