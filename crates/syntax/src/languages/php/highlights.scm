; Colours of PHP, adapted from tree-sitter-php's highlights.scm (MIT). Where two patterns name a place, the first counts.
(function_definition name: (name) @function)
(method_declaration name: (name) @function)
(function_call_expression function: (name) @function)
(function_call_expression function: (qualified_name (name) @function))
(member_call_expression name: (name) @function)
(nullsafe_member_call_expression name: (name) @function)
(scoped_call_expression name: (name) @function)
(object_creation_expression (name) @type)
(attribute (name) @attribute)
(class_declaration name: (name) @type)
(interface_declaration name: (name) @type)
(trait_declaration name: (name) @type)
(enum_declaration name: (name) @type)
(enum_case name: (name) @constant)
(base_clause (name) @type)
(class_interface_clause (name) @type)
(named_type (name) @type)
[(primitive_type) (cast_type)] @type
(scoped_call_expression scope: (name) @type)
(class_constant_access_expression . (name) @type)
(namespace_name (name) @namespace)
(namespace_use_clause (name) @namespace)
(qualified_name (name) @type)
(const_element (name) @constant)
(property_element (variable_name) @property)
(member_access_expression name: (name) @property)
((variable_name) @builtin (#eq? @builtin "$this"))
(simple_parameter name: (variable_name) @parameter)
(property_promotion_parameter name: (variable_name) @parameter)
(variadic_parameter name: (variable_name) @parameter)
((name) @constant (#match? @constant "^_?[A-Z][A-Z0-9_]+$"))
(relative_scope) @builtin
[(integer) (float)] @number
(escape_sequence) @escape
[(string) (string_content) (heredoc) (nowdoc) (shell_command_expression)] @string
[(boolean) (null)] @constant
(comment) @comment
(php_tag) @tag
[(visibility_modifier) (static_modifier) (abstract_modifier) (final_modifier) (readonly_modifier) (var_modifier)] @keyword
[
  "as" "break" "case" "catch" "class" "clone" "const" "continue" "declare" "default" "do" "echo" "else" "elseif" "enum"
  "extends" "finally" "fn" "for" "foreach" "function" "global" "goto" "if" "implements" "include" "include_once"
  "instanceof" "insteadof" "interface" "match" "namespace" "new" "require" "require_once" "return" "switch" "throw"
  "trait" "try" "use" "while" "yield" "and" "or" "xor"
] @keyword
["=" "==" "===" "!=" "!==" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "." "&&" "||" "!" "??" "?" "=>" "->" "::" "+=" "-=" ".=" "++" "--" "&" "|"] @operator
