; Uses of names in Java.
(import_declaration) @import
(package_declaration) @import

(marker_annotation name: (identifier) @name) @reference.decorator
(annotation name: (identifier) @name) @reference.decorator
(method_invocation object: (_) @receiver name: (_) @name arguments: (_) @arguments) @reference.method
(method_invocation name: (_) @name arguments: (_) @arguments) @reference.call
(explicit_constructor_invocation constructor: (_) @name arguments: (_) @arguments) @reference.call
(object_creation_expression type: (type_identifier) @name arguments: (_) @arguments) @reference.new
(object_creation_expression type: (generic_type (type_identifier) @name) arguments: (_) @arguments) @reference.new
(object_creation_expression type: (scoped_type_identifier (_) @receiver (type_identifier) @name .) arguments: (_) @arguments) @reference.new
(object_creation_expression type: (generic_type (scoped_type_identifier (_) @receiver (type_identifier) @name .)) arguments: (_) @arguments) @reference.new
(method_reference (_) @receiver (identifier) @name) @reference.member
(method_reference (identifier) @name "new") @reference.new
(scoped_type_identifier (_) @receiver (type_identifier) @name .) @reference.type
(type_parameter (type_identifier) @name)
(element_value_pair key: (identifier) @name)
(type_identifier) @reference.type
(field_access object: (_) @receiver field: (identifier) @name) @reference.member

; What is said about types.
(local_variable_declaration type: (type_identifier) @_var declarator: (variable_declarator name: (identifier) @name value: (object_creation_expression type: (_) @value)) (#eq? @_var "var")) @binding.constructed
(local_variable_declaration type: (type_identifier) @_var declarator: (variable_declarator name: (identifier) @name value: (method_invocation) @value) (#eq? @_var "var")) @binding.call
(local_variable_declaration type: (_) @value declarator: (variable_declarator name: (identifier) @name)) @binding.annotated
(field_declaration type: (_) @value declarator: (variable_declarator name: (identifier) @name)) @binding.annotated
(formal_parameter type: (_) @value name: (identifier) @name) @binding.annotated
(spread_parameter (_) @value (variable_declarator name: (identifier) @name)) @binding.annotated
(catch_formal_parameter (catch_type . (_) @value) name: (identifier) @name) @binding.annotated
(resource type: (_) @value name: (identifier) @name) @binding.annotated
(enhanced_for_statement type: (type_identifier) @_var name: (identifier) @name value: (_) @value (#eq? @_var "var")) @binding.element
(enhanced_for_statement type: (_) @value name: (identifier) @name) @binding.annotated
(instanceof_expression right: (_) @value name: (identifier) @name) @binding.annotated
(lambda_expression parameters: (identifier) @name) @binding.local
(inferred_parameters (identifier) @name) @binding.local
(labeled_statement (identifier) @name)
(break_statement (identifier) @name)
(continue_statement (identifier) @name)

(identifier) @reference.value
