; Uses of names that C and C++ share.
(preproc_include) @import

(call_expression function: (identifier) @name arguments: (_) @arguments) @reference.call
(call_expression function: (parenthesized_expression (identifier) @name) arguments: (_) @arguments) @reference.call
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @name) arguments: (_) @arguments) @reference.method
(compound_literal_expression type: (type_descriptor type: (type_identifier) @name)) @reference.new
(field_designator (field_identifier) @name)
(type_identifier) @reference.type
(field_expression argument: (_) @receiver field: (field_identifier) @name) @reference.member

; What is said about types.
(parameter_declaration type: (_) @value declarator: (_) @name) @binding.annotated
(declaration type: (_) @value declarator: (_) @name) @binding.annotated
(statement_identifier) @name

(identifier) @reference.value
