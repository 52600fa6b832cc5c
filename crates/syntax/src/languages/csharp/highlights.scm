; Colours of C#, adapted from tree-sitter-c-sharp's highlights.scm (MIT). Where two patterns name a place, the first counts.
(method_declaration name: (identifier) @function)
(local_function_statement name: (identifier) @function)
(invocation_expression function: (identifier) @function)
(invocation_expression function: (generic_name (identifier) @function))
(invocation_expression function: (member_access_expression name: (identifier) @function))
(invocation_expression function: (member_access_expression name: (generic_name (identifier) @function)))
(invocation_expression function: (conditional_access_expression (member_binding_expression name: (identifier) @function)))
(attribute name: (_) @attribute)
(namespace_declaration name: (_) @namespace)
(file_scoped_namespace_declaration name: (_) @namespace)
(using_directive (_) @namespace)
(class_declaration name: (identifier) @type)
(interface_declaration name: (identifier) @type)
(struct_declaration name: (identifier) @type)
(record_declaration name: (identifier) @type)
(enum_declaration name: (identifier) @type)
(constructor_declaration name: (identifier) @type)
(object_creation_expression type: (identifier) @type)
(generic_name (identifier) @type)
(base_list (identifier) @type)
(type_argument_list (identifier) @type)
(variable_declaration type: (identifier) @type)
(method_declaration returns: (identifier) @type)
(property_declaration type: (identifier) @type)
(parameter type: (identifier) @type)
(parameter name: (identifier) @parameter)
(enum_member_declaration name: (identifier) @constant)
(property_declaration name: (identifier) @property)
(field_declaration (variable_declaration (variable_declarator name: (identifier) @property)))
(member_access_expression name: (identifier) @property)
[(predefined_type) (implicit_type)] @type
["this" "base"] @builtin
[(integer_literal) (real_literal)] @number
[(string_literal) (verbatim_string_literal) (raw_string_literal) (character_literal) (string_content) (interpolation_start)] @string
(escape_sequence) @escape
[(boolean_literal) (null_literal)] @constant
(comment) @comment
(modifier) @keyword
[
  "as" "await" "break" "case" "catch" "checked" "class" "continue" "default" "delegate" "do" "else" "enum" "event"
  "explicit" "finally" "fixed" "for" "foreach" "get" "goto" "if" "implicit" "in" "init" "interface" "is" "lock"
  "namespace" "new" "operator" "out" "params" "record" "ref" "return" "set" "sizeof" "stackalloc" "struct" "switch"
  "throw" "try" "typeof" "unchecked" "using" "when" "where" "while" "with" "yield" "from" "select" "let"
] @keyword
["=" "==" "!=" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "&&" "||" "!" "??" "?" "=>" "+=" "-=" "++" "--" "&" "|"] @operator
