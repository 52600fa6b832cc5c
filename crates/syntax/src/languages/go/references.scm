; Uses of names in Go.
(import_spec) @import

(call_expression function: (identifier) @name arguments: (_) @arguments) @reference.call
(call_expression function: (selector_expression operand: (_) @receiver field: (_) @name) arguments: (_) @arguments) @reference.method
(call_expression function: (parenthesized_expression (identifier) @name) arguments: (_) @arguments) @reference.call
(call_expression function: (index_expression operand: (identifier) @name) arguments: (_) @arguments) @reference.call
(call_expression function: (type_instantiation_expression type: (type_identifier) @name) arguments: (_) @arguments) @reference.call
(type_conversion_expression type: (generic_type type: (type_identifier) @name)) @reference.call
(type_conversion_expression type: (generic_type type: (qualified_type package: (_) @receiver name: (_) @name))) @reference.method
(composite_literal type: (type_identifier) @name) @reference.new
(composite_literal type: (qualified_type package: (_) @receiver name: (_) @name)) @reference.new
(composite_literal type: (generic_type type: (type_identifier) @name)) @reference.new
(composite_literal type: (generic_type type: (qualified_type package: (_) @receiver name: (_) @name))) @reference.new
(keyed_element key: (literal_element (identifier) @name))
(qualified_type package: (_) @receiver name: (_) @name) @reference.type
(type_parameter_declaration name: (_) @name)
(type_identifier) @reference.type
(selector_expression operand: (_) @receiver field: (_) @name) @reference.member

; What is said about types.
(parameter_declaration name: (identifier) @name type: (_) @value) @binding.annotated
(variadic_parameter_declaration name: (identifier) @name type: (_) @value) @binding.annotated
(var_spec name: (identifier) @name type: (_) @value) @binding.annotated
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (composite_literal type: (_) @value))) @binding.constructed
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (unary_expression operand: (composite_literal type: (_) @value)))) @binding.constructed
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (call_expression function: (identifier) @_make arguments: (argument_list . (_) @value))) (#any-of? @_make "new" "make")) @binding.constructed
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (call_expression function: (identifier) @_append arguments: (argument_list . (_) @value))) (#eq? @_append "append")) @binding.alias
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (call_expression function: (_) @value))) @binding.call
(short_var_declaration left: (expression_list . (_) . (identifier) @name) right: (expression_list . (call_expression) @value .)) @binding.alias
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (type_assertion_expression type: (_) @value))) @binding.annotated
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . [(identifier) (selector_expression) (index_expression)] @value)) @binding.alias
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (unary_expression operator: "&" operand: [(identifier) (selector_expression) (index_expression)] @value))) @binding.alias
(short_var_declaration left: (expression_list (_) . (identifier) @name .) right: (expression_list (_) . (call_expression function: (_) @value) .)) @binding.call
(var_spec name: (identifier) @name value: (expression_list . (composite_literal type: (_) @value))) @binding.constructed
(var_spec name: (identifier) @name value: (expression_list . (unary_expression operand: (composite_literal type: (_) @value)))) @binding.constructed
(var_spec . name: (identifier) name: (identifier) @name value: (expression_list . (call_expression) @value .)) @binding.alias
(var_spec name: (identifier) @name value: (expression_list . (call_expression function: (_) @value))) @binding.call
(range_clause left: (expression_list (_) . (identifier) @name .) right: (_) @value) @binding.element
(short_var_declaration left: (expression_list (identifier) @name)) @binding.local
(range_clause left: (expression_list (identifier) @name)) @binding.local
(type_switch_statement alias: (expression_list (identifier) @name)) @binding.local
(var_spec name: (identifier) @name) @binding.local

(identifier) @reference.value
