; Uses of names in Dart.
[(import_or_export) (part_directive) (part_of_directive)] @import
(library_name) @import

(annotation name: (identifier) @name) @reference.decorator
(call_expression function: (identifier) @name arguments: (_) @arguments) @reference.call
(call_expression function: (instantiation_expression function: (identifier) @name) arguments: (_) @arguments) @reference.call
(call_expression function: (member_expression object: _ @receiver property: (identifier) @name) arguments: (_) @arguments) @reference.method
(call_expression function: (null_aware_member_expression object: _ @receiver property: (identifier) @name) arguments: (_) @arguments) @reference.method
(call_expression function: (instantiation_expression function: (member_expression object: _ @receiver property: (identifier) @name)) arguments: (_) @arguments) @reference.method
(cascade . _ @receiver (cascade_section (cascade_call_expression property: (identifier) @name arguments: (_) @arguments))) @reference.method
(new_expression type: (type (type_identifier) @receiver . (type_identifier) @name) arguments: (_) @arguments) @reference.new
(new_expression type: (type . (type_identifier) @name .) arguments: (_) @arguments) @reference.new
(new_expression type: (type . (type_identifier) @name . (type_arguments)) arguments: (_) @arguments) @reference.new
(const_object_expression type: (type (type_identifier) @receiver . (type_identifier) @name) arguments: (_) @arguments) @reference.new
(const_object_expression type: (type . (type_identifier) @name .) arguments: (_) @arguments) @reference.new
(const_object_expression type: (type . (type_identifier) @name . (type_arguments)) arguments: (_) @arguments) @reference.new
(initializer_list_entry "super" @name (arguments) @arguments) @reference.call
(type (type_identifier) @receiver . (type_identifier) @name) @reference.type
(type_parameter name: (type_identifier) @name)
(type_identifier) @reference.type
(member_expression object: _ @receiver property: (identifier) @name) @reference.member
(null_aware_member_expression object: _ @receiver property: (identifier) @name) @reference.member
(assignable_expression object: _ @receiver property: (identifier) @name) @reference.member

; What is said about types.
(formal_parameter (type) @value name: (identifier) @name) @binding.annotated
(declaration (type) @value (initialized_identifier_list (initialized_identifier name: (identifier) @name))) @binding.annotated
(declaration (type) @value (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @binding.annotated
(top_level_variable_declaration type: (_) @value (_ (initialized_identifier name: (identifier) @name))) @binding.annotated
(top_level_variable_declaration type: (_) @value (_ (static_final_declaration name: (identifier) @name))) @binding.annotated
(initialized_identifier name: (identifier) @name value: (call_expression function: (_) @value)) @binding.call
(static_final_declaration name: (identifier) @name value: (call_expression function: (_) @value)) @binding.call
(initialized_variable_declaration (type) @value name: (identifier) @name) @binding.annotated
(initialized_variable_declaration name: (identifier) @name value: (call_expression function: (_) @value)) @binding.call
(initialized_variable_declaration name: (identifier) @name value: (unary_expression (await_expression (call_expression function: (_) @value)))) @binding.call
(initialized_variable_declaration name: (identifier) @name value: (new_expression type: (_) @value)) @binding.constructed
(initialized_variable_declaration name: (identifier) @name value: (type_cast_expression (type_cast (type) @value))) @binding.annotated
(initialized_variable_declaration name: (identifier) @name value: (cascade . (call_expression function: (_) @value))) @binding.call
(initialized_variable_declaration name: (identifier) @name value: [(identifier) (member_expression)] @value) @binding.alias
(for_statement (type) @value name: (identifier) @name value: (_)) @binding.annotated
(for_statement name: (identifier) @name value: (_) @value) @binding.element
(for_element name: (identifier) @name value: (_) @value) @binding.element
(try_statement type: (_) @value . (catch_clause exception: (identifier) @name)) @binding.annotated
(assignment_expression left: (assignable_expression) @name right: (call_expression function: (_) @value)) @binding.call
(assignment_expression left: (assignable_expression) @name right: (new_expression type: (_) @value)) @binding.constructed
(assignment_expression left: (assignable_expression property: (_)) @name right: (identifier) @value) @binding.alias
(initialized_variable_declaration name: (identifier) @name) @binding.local
(formal_parameter (identifier) @name) @binding.local
(formal_parameter name: (identifier) @name) @binding.local
(catch_clause exception: (identifier) @name) @binding.local
(catch_clause stack_trace: (identifier) @name) @binding.local
(field_formal_parameter name: (identifier) @name)
(super_formal_parameter name: (identifier) @name)
(typed_identifier name: (identifier) @name)
(field_initializer name: (identifier) @name)
(label (identifier) @name)

(identifier_dollar_escaped) @reference.value
(identifier) @reference.value
