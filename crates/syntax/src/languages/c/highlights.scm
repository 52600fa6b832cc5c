; Colours that C and C++ share, adapted from tree-sitter-c's highlights.scm (MIT). Where two patterns name a place, the
; first counts.
(call_expression function: (identifier) @function)
(call_expression function: (field_expression field: (field_identifier) @function))
(function_declarator declarator: (identifier) @function)
(preproc_function_def name: (identifier) @macro)
(preproc_def name: (identifier) @macro)
(parameter_declaration declarator: (identifier) @parameter)
(parameter_declaration declarator: (pointer_declarator declarator: (identifier) @parameter))
(enumerator name: (identifier) @constant)
((identifier) @constant (#match? @constant "^[A-Z][A-Z0-9_]*$"))
[(type_identifier) (primitive_type) (sized_type_specifier)] @type
(field_identifier) @property
(statement_identifier) @label
[(string_literal) (system_lib_string) (char_literal)] @string
(escape_sequence) @escape
(number_literal) @number
[(null) (true) (false)] @constant
(comment) @comment
[
  "break" "case" "const" "continue" "default" "do" "else" "enum" "extern" "for" "goto" "if" "inline" "return" "sizeof" "static"
  "struct" "switch" "typedef" "union" "volatile" "while" "#define" "#elif" "#else" "#endif" "#if" "#ifdef" "#ifndef"
  "#include" (preproc_directive)
] @keyword
[
  "--" "-" "-=" "->" "=" "!=" "*" "&" "&&" "+" "++" "+=" "<" "==" ">" "||" "<=" ">=" "/" "%" "!" "|" "^" "~" "<<" ">>" "?"
] @operator
