; Uses of names in Zig.
(builtin_function (builtin_identifier) @_import (arguments (string)) (#any-of? @_import "@import" "@embedFile")) @import

(call_expression function: (identifier) @name) @reference.call
(call_expression function: (field_expression object: (_) @receiver member: (identifier) @name)) @reference.method
(struct_initializer . (identifier) @name) @reference.new
(struct_initializer . (field_expression object: (_) @receiver member: (identifier) @name)) @reference.new
(struct_initializer . (call_expression function: (identifier) @name)) @reference.new
(initializer_list (assignment_expression left: (field_expression member: (identifier) @name)))
(field_expression !object member: (identifier) @name)
(parameter type: (identifier) @reference.type)
(function_declaration type: (identifier) @reference.type)
(container_field type: (identifier) @reference.type)
(variable_declaration type: (identifier) @reference.type)
[(pointer_type (identifier) @reference.type) (nullable_type (identifier) @reference.type) (slice_type (identifier) @reference.type) (array_type (identifier) @reference.type) (error_union_type (identifier) @reference.type)]
(parameter type: (field_expression object: (_) @receiver member: (identifier) @name)) @reference.type
(field_expression object: (_) @receiver member: (identifier) @name) @reference.member
(calling_convention (identifier) @name)
(block_label (identifier) @name)
(break_label (identifier) @name)

; What is said about types.
(parameter name: (identifier) @name type: (_) @value) @binding.annotated
(variable_declaration . (identifier) @name type: (_) @value) @binding.annotated
(variable_declaration . (identifier) @name (struct_initializer . (_) @value)) @binding.constructed
(variable_declaration . (identifier) @name (unary_expression argument: (struct_initializer . (_) @value))) @binding.constructed
(variable_declaration . (identifier) @name (call_expression function: (_) @value)) @binding.call
(variable_declaration . (identifier) @name (try_expression (call_expression function: (_) @value))) @binding.call
(variable_declaration . (identifier) @name (try_expression (catch_expression . (call_expression function: (_) @value)))) @binding.call
(variable_declaration . (identifier) @name (catch_expression . (call_expression function: (_) @value))) @binding.call
(variable_declaration . (identifier) @name (binary_expression left: (call_expression function: (_) @value) operator: "orelse")) @binding.call
(variable_declaration . (identifier) @name (binary_expression left: [(identifier) (field_expression)] @value operator: "orelse")) @binding.alias
(variable_declaration . (identifier) @name (unary_expression argument: [(identifier) (field_expression)] @value)) @binding.alias
(variable_declaration . (identifier) @name . [(identifier) (field_expression) (dereference_expression) (null_coercion_expression)] @value) @binding.alias
(for_statement . (_) @value (payload . (identifier) @name)) @binding.element
(while_statement condition: (call_expression function: (_) @value) (payload . (identifier) @name)) @binding.call
(while_statement condition: (try_expression (call_expression function: (_) @value)) (payload . (identifier) @name)) @binding.call
(if_statement condition: (call_expression function: (_) @value) (payload . (identifier) @name)) @binding.call
(if_statement condition: [(identifier) (field_expression)] @value (payload . (identifier) @name)) @binding.alias
(variable_declaration . (identifier) @name) @binding.local
(payload (identifier) @name) @binding.local

(identifier) @reference.value
