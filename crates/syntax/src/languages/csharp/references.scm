; Uses of names in C#.
(using_directive) @import

(attribute name: (identifier) @name) @reference.decorator
(attribute name: (qualified_name qualifier: (_) @receiver name: (identifier) @name)) @reference.decorator
(invocation_expression function: (identifier) @name arguments: (_) @arguments) @reference.call
(invocation_expression function: (generic_name (identifier) @name) arguments: (_) @arguments) @reference.call
(invocation_expression function: (member_access_expression expression: _ @receiver name: (identifier) @name) arguments: (_) @arguments) @reference.method
(invocation_expression function: (member_access_expression expression: _ @receiver name: (generic_name (identifier) @name)) arguments: (_) @arguments) @reference.method
(invocation_expression function: (conditional_access_expression condition: (_) @receiver (member_binding_expression name: (identifier) @name)) arguments: (_) @arguments) @reference.method
(invocation_expression function: (conditional_access_expression condition: (_) @receiver (member_binding_expression name: (generic_name (identifier) @name))) arguments: (_) @arguments) @reference.method
(object_creation_expression type: (identifier) @name arguments: (_) @arguments) @reference.new
(object_creation_expression type: (identifier) @name) @reference.new
(object_creation_expression type: (generic_name (identifier) @name) arguments: (_) @arguments) @reference.new
(object_creation_expression type: (generic_name (identifier) @name)) @reference.new
(object_creation_expression type: (qualified_name qualifier: (_) @receiver name: (identifier) @name) arguments: (_) @arguments) @reference.new
(object_creation_expression type: (qualified_name qualifier: (_) @receiver name: (generic_name (identifier) @name)) arguments: (_) @arguments) @reference.new
(object_creation_expression type: (qualified_name qualifier: (_) @receiver name: (generic_name (identifier) @name))) @reference.new
(object_creation_expression type: (qualified_name qualifier: (_) @receiver name: (identifier) @name)) @reference.new
(local_declaration_statement (variable_declaration type: (identifier) @name (variable_declarator (implicit_object_creation_expression (argument_list) @arguments)))) @reference.new
(constructor_initializer ["base" "this"] @name (argument_list) @arguments) @reference.call
(primary_constructor_base_type type: (identifier) @name (argument_list) @arguments) @reference.new

(variable_declaration type: (identifier) @reference.type)
(parameter type: (identifier) @reference.type)
(method_declaration returns: (identifier) @reference.type)
(local_function_statement type: (identifier) @reference.type)
(property_declaration type: (identifier) @reference.type)
(indexer_declaration type: (identifier) @reference.type)
(operator_declaration type: (identifier) @reference.type)
(delegate_declaration type: (identifier) @reference.type)
(foreach_statement type: (identifier) @reference.type)
(catch_declaration type: (identifier) @reference.type)
(cast_expression type: (identifier) @reference.type)
(typeof_expression type: (identifier) @reference.type)
(array_type type: (identifier) @reference.type)
(nullable_type type: (identifier) @reference.type)
(declaration_pattern type: (identifier) @reference.type)
(recursive_pattern type: (identifier) @reference.type)
(constant_pattern (identifier) @reference.type)
(as_expression right: (identifier) @reference.type)
(is_expression right: (identifier) @reference.type)
(type_parameter_constraint type: (identifier) @reference.type)
(explicit_interface_specifier (identifier) @reference.type)
(type_argument_list (identifier) @reference.type)
(base_list (identifier) @reference.type)
(generic_name . (identifier) @reference.type)
(qualified_name qualifier: (_) @receiver name: (identifier) @name) @reference.type
(member_access_expression expression: _ @receiver name: (identifier) @name) @reference.member
(conditional_access_expression condition: (_) @receiver (member_binding_expression name: (identifier) @name)) @reference.member

; What is said about types.
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @name (object_creation_expression type: (_) @value))) @binding.constructed
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @name (invocation_expression function: (_) @value))) @binding.call
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @name (await_expression (invocation_expression function: (_) @value)))) @binding.call
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @name (cast_expression type: (_) @value))) @binding.annotated
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @name (as_expression right: (_) @value))) @binding.annotated
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @name [(identifier) (member_access_expression)] @value)) @binding.alias
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @name)) @binding.local
(variable_declaration type: (_) @value (variable_declarator name: (identifier) @name)) @binding.annotated
(property_declaration type: (_) @value name: (identifier) @name) @binding.annotated
(parameter type: (_) @value name: (identifier) @name) @binding.annotated
(parameter_list type: (_) @value name: (identifier) @name) @binding.annotated
(foreach_statement type: (implicit_type) left: (identifier) @name right: (_) @value) @binding.element
(foreach_statement type: (_) @value left: (identifier) @name) @binding.annotated
(catch_declaration type: (_) @value name: (identifier) @name) @binding.annotated
(declaration_pattern type: (_) @value name: (identifier) @name) @binding.annotated
(recursive_pattern type: (_) @value name: (identifier) @name) @binding.annotated
(declaration_expression type: (implicit_type) name: (identifier) @name) @binding.local
(declaration_expression type: (_) @value name: (identifier) @name) @binding.annotated
(assignment_expression left: [(identifier) (member_access_expression)] @name right: (object_creation_expression type: (_) @value)) @binding.constructed
(assignment_expression left: (member_access_expression) @name right: (identifier) @value) @binding.alias
(parameter . name: (identifier) @name) @binding.local
(implicit_parameter) @name @binding.local
(var_pattern name: (identifier) @name) @binding.local
(from_clause name: (identifier) @name) @binding.local
(type_parameter name: (identifier) @name)
(argument name: (identifier) @name)
(attribute_argument name: (identifier) @name)
(labeled_statement . (identifier) @name)
(initializer_expression (assignment_expression left: (identifier) @reference.member))
(type_parameter_constraints_clause . (identifier) @name)

(identifier) @reference.value
