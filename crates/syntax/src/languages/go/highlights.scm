; Colours of Go, adapted from tree-sitter-go's highlights.scm (MIT). Where two patterns name a place, the first counts.
(call_expression function: (identifier) @builtin (#any-of? @builtin "append" "cap" "clear" "close" "complex" "copy" "delete" "imag" "len" "make" "max" "min" "new" "panic" "print" "println" "real" "recover"))
(call_expression function: (identifier) @function)
(call_expression function: (selector_expression field: (field_identifier) @function))
(function_declaration name: (identifier) @function)
(method_declaration name: (field_identifier) @function)
(method_elem name: (field_identifier) @function)
(parameter_declaration name: (identifier) @parameter)
(variadic_parameter_declaration name: (identifier) @parameter)
(package_identifier) @namespace
(type_identifier) @type
(field_identifier) @property
(keyed_element key: (literal_element (identifier) @property))
[(interpreted_string_literal) (raw_string_literal) (rune_literal)] @string
(escape_sequence) @escape
[(int_literal) (float_literal) (imaginary_literal)] @number
[(true) (false) (nil) (iota)] @constant
(comment) @comment
(label_name) @label
[
  "break" "case" "chan" "const" "continue" "default" "defer" "else" "fallthrough" "for" "func" "go" "goto" "if" "import"
  "interface" "map" "package" "range" "return" "select" "struct" "switch" "type" "var"
] @keyword
[
  "--" "-" "-=" ":=" "!" "!=" "..." "*" "*=" "/" "/=" "&" "&&" "&=" "%" "^" "+" "++" "+=" "<-" "<" "<<" "<=" "=" "==" ">"
  ">=" ">>" "|" "|=" "||" "~"
] @operator
