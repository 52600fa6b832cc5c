; Colours of Scala, adapted from tree-sitter-scala's highlights.scm (MIT). Where two patterns name a place, the first counts.
(function_definition name: (identifier) @function)
(function_declaration name: (identifier) @function)
(call_expression function: (identifier) @function)
(call_expression function: (field_expression field: (identifier) @function))
(generic_function function: (identifier) @function)
(annotation) @attribute
(package_clause (package_identifier) @namespace)
(import_declaration path: (identifier) @namespace)
(class_definition name: (identifier) @type)
(object_definition name: (identifier) @type)
(trait_definition name: (identifier) @type)
(enum_definition name: (identifier) @type)
(simple_enum_case name: (identifier) @constant)
(full_enum_case name: (identifier) @type)
(type_identifier) @type
(type_parameters name: (identifier) @type)
(parameter name: (identifier) @parameter)
(class_parameter name: (identifier) @parameter)
(binding name: (identifier) @parameter)
(template_body (val_definition pattern: (identifier) @property))
(template_body (var_definition pattern: (identifier) @property))
(field_expression field: (identifier) @property)
((identifier) @builtin (#any-of? @builtin "this" "super"))
((identifier) @type (#match? @type "^[A-Z]"))
[(integer_literal) (floating_point_literal)] @number
(interpolation) @none
[(string) (interpolated_string) (character_literal)] @string
(escape_sequence) @escape
[(boolean_literal) (null_literal)] @constant
[(comment) (block_comment)] @comment
[(access_modifier) (inline_modifier) (opaque_modifier)] @keyword
[
  "abstract" "case" "catch" "class" "def" "do" "else" "enum" "export" "extends" "extension" "final" "finally" "for"
  "given" "if" "implicit" "import" "lazy" "match" "new" "object" "override" "package" "return" "sealed" "then" "throw"
  "trait" "try" "type" "using" "val" "var" "while" "with" "yield" "derives" "end"
] @keyword
["=" "=>" "<-" "@" ":" "<:" ">:"] @operator
(operator_identifier) @operator
