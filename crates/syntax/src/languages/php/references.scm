; Uses of names in PHP.
(namespace_use_declaration) @import
(namespace_definition name: (_) @import)
[(include_expression) (include_once_expression) (require_expression) (require_once_expression)] @import

(attribute (name) @name) @reference.decorator
(attribute (qualified_name (namespace_name) @receiver (name) @name .)) @reference.decorator
(function_call_expression function: (name) @name arguments: (_) @arguments) @reference.call
(function_call_expression function: (qualified_name (namespace_name) @receiver (name) @name .) arguments: (_) @arguments) @reference.path
(function_call_expression function: (qualified_name . (name) @name .) arguments: (_) @arguments) @reference.call
(function_call_expression function: (variable_name) @name arguments: (_) @arguments) @reference.call
(member_call_expression object: (_) @receiver name: (name) @name arguments: (_) @arguments) @reference.method
(nullsafe_member_call_expression object: (_) @receiver name: (name) @name arguments: (_) @arguments) @reference.method
(scoped_call_expression scope: (_) @receiver name: (name) @name arguments: (_) @arguments) @reference.path
(object_creation_expression . (name) @name (arguments) @arguments) @reference.new
(object_creation_expression . (name) @name) @reference.new
(object_creation_expression . (qualified_name (namespace_name) @receiver (name) @name .) (arguments) @arguments) @reference.new
(object_creation_expression . (qualified_name (namespace_name) @receiver (name) @name .)) @reference.new
(object_creation_expression . (qualified_name . (name) @name .) (arguments) @arguments) @reference.new
(class_constant_access_expression . (_) @receiver (name) @name .) @reference.member
(scoped_property_access_expression scope: (_) @receiver name: (variable_name (name) @name)) @reference.member
(member_access_expression object: (_) @receiver name: (name) @name) @reference.member
(nullsafe_member_access_expression object: (_) @receiver name: (name) @name) @reference.member
(class_constant_access_expression . (name) @reference.type)
(scoped_call_expression scope: (name) @reference.type)
(scoped_property_access_expression scope: (name) @reference.type)
(named_type (name) @reference.type)
(base_clause (name) @reference.type)
(class_interface_clause (name) @reference.type)
(declaration_list (use_declaration [(name) (qualified_name)] @reference.type))
(binary_expression operator: "instanceof" right: (name) @reference.type)
(qualified_name (namespace_name) @receiver (name) @name .) @reference.type

; What is said about types.
(simple_parameter type: (_) @value name: (variable_name) @name) @binding.annotated
(variadic_parameter type: (_) @value name: (variable_name) @name) @binding.annotated
(property_promotion_parameter type: (_) @value name: (variable_name) @name) @binding.annotated
(property_declaration type: (_) @value (property_element name: (variable_name (name) @name))) @binding.annotated
(assignment_expression left: [(variable_name) (member_access_expression)] @name right: (object_creation_expression . [(name) (qualified_name)] @value)) @binding.constructed
(assignment_expression left: [(variable_name) (member_access_expression)] @name right: (function_call_expression function: (_) @value)) @binding.call
(assignment_expression left: [(variable_name) (member_access_expression)] @name right: [(member_call_expression) (nullsafe_member_call_expression) (scoped_call_expression)] @value) @binding.call
(assignment_expression left: [(variable_name) (member_access_expression)] @name right: [(variable_name) (member_access_expression)] @value) @binding.alias
(assignment_expression left: [(variable_name) (member_access_expression)] @name right: (clone_expression (_) @value)) @binding.alias
(foreach_statement . (_) @value . (variable_name) @name) @binding.element
(foreach_statement . (_) @value (pair (_) (variable_name) @name .)) @binding.element
(foreach_statement (pair . (variable_name) @name)) @binding.local
(catch_clause type: (type_list . (_) @value) name: (variable_name) @name) @binding.annotated
(assignment_expression left: (variable_name) @name) @binding.local
(simple_parameter name: (variable_name) @name) @binding.local
(variadic_parameter name: (variable_name) @name) @binding.local
(list_literal (variable_name) @name) @binding.local
(array_element_initializer (by_ref (variable_name) @name)) @binding.local
(static_variable_declaration name: (variable_name) @name) @binding.local
(global_declaration (variable_name) @name)

; A constant or a class where a value is wanted.
(argument (name) @reference.value)
(return_statement (name) @reference.value)
(assignment_expression right: (name) @reference.value)
(binary_expression (name) @reference.value)
(array_element_initializer (name) @reference.value)
(echo_statement (name) @reference.value)
(property_element default_value: (name) @reference.value)
(const_element (name) (name) @reference.value)
(conditional_expression (name) @reference.value)
(subscript_expression (name) @reference.value)
(simple_parameter default_value: (name) @reference.value)
