; Colours that JavaScript and TypeScript share, adapted from tree-sitter-javascript's highlights.scm (MIT). Where two
; patterns name a place, the first counts.
(function_expression name: (identifier) @function)
(function_declaration name: (identifier) @function)
(generator_function_declaration name: (identifier) @function)
(method_definition name: (_) @function)
(pair key: (property_identifier) @function value: [(function_expression) (arrow_function)])
(assignment_expression left: (member_expression property: (property_identifier) @function) right: [(function_expression) (arrow_function)])
(variable_declarator name: (identifier) @function value: [(function_expression) (arrow_function)])
(new_expression constructor: (identifier) @type)
(call_expression function: (identifier) @function)
(call_expression function: (member_expression property: [(property_identifier) (private_property_identifier)] @function))
(decorator "@" @attribute)
(decorator [(identifier) @attribute (call_expression function: (identifier) @attribute)])
(arrow_function parameter: (identifier) @parameter)
([(identifier) (shorthand_property_identifier)] @constant (#match? @constant "^[A-Z_][A-Z0-9_]+$"))
((identifier) @type (#match? @type "^[A-Z]"))
[(property_identifier) (private_property_identifier) (shorthand_property_identifier)] @property
[(this) (super)] @builtin
[(true) (false) (null) (undefined)] @constant
(comment) @comment
(template_substitution) @none
[(string) (template_string)] @string
(escape_sequence) @escape
(regex "/" @regexp)
(regex) @regexp
(number) @number
[
  "as" "async" "await" "break" "case" "catch" "class" "const" "continue" "debugger" "default" "delete" "do" "else" "export"
  "extends" "finally" "for" "from" "function" "get" "if" "import" "in" "instanceof" "let" "new" "of" "return" "set"
  "static" "switch" "throw" "try" "typeof" "var" "void" "while" "with" "yield"
] @keyword
[
  "-" "--" "-=" "+" "++" "+=" "*" "*=" "**" "/" "/=" "%" "<" "<=" "=" "==" "===" "!" "!=" "!==" "=>" ">" ">=" "~" "^" "&"
  "|" "&&" "||" "??" "&&=" "||=" "??="
] @operator
