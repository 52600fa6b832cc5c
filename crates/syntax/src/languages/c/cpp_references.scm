; Uses of names that only C++ has.
(using_declaration) @import
(destructor_name (identifier) @name)

(call_expression function: (qualified_identifier) @name arguments: (_) @arguments) @reference.path
(call_expression function: (template_function name: (identifier) @name) arguments: (_) @arguments) @reference.call
(call_expression function: (field_expression argument: (_) @receiver field: (template_method name: (field_identifier) @name)) arguments: (_) @arguments) @reference.method
(call_expression function: (field_expression argument: (_) @receiver field: (dependent_name (template_method name: (field_identifier) @name))) arguments: (_) @arguments) @reference.method
(new_expression type: (type_identifier) @name arguments: (_)? @arguments) @reference.new
(new_expression type: (template_type name: (type_identifier) @name) arguments: (_)? @arguments) @reference.new
(new_expression type: (qualified_identifier) @name arguments: (_)? @arguments) @reference.new
(compound_literal_expression type: (type_identifier) @name) @reference.new
(compound_literal_expression type: (template_type name: (type_identifier) @name)) @reference.new
(compound_literal_expression type: (qualified_identifier) @name) @reference.new
(declaration type: (type_identifier) @name declarator: (init_declarator value: [(argument_list) (initializer_list)] @arguments)) @reference.new
(declaration type: (template_type name: (type_identifier) @name) declarator: (init_declarator value: [(argument_list) (initializer_list)] @arguments)) @reference.new
(declaration type: (qualified_identifier) @name declarator: (init_declarator value: [(argument_list) (initializer_list)] @arguments)) @reference.new
(field_initializer (field_identifier) @name) @reference.member
(qualified_identifier name: (type_identifier)) @reference.type
(qualified_identifier name: (template_type)) @reference.type
(qualified_identifier name: (identifier)) @reference.value
(type_parameter_declaration (type_identifier) @name)
(optional_type_parameter_declaration name: (type_identifier) @name)
(namespace_identifier) @reference.value

(declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: (_) @name value: (call_expression function: (_) @value))) @binding.call
(declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: (_) @name value: (new_expression type: (_) @value))) @binding.constructed
(declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: (_) @name value: (compound_literal_expression type: (_) @value))) @binding.constructed
(declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: (_) @name value: [(identifier) (field_expression)] @value)) @binding.alias
(for_range_loop type: (placeholder_type_specifier) declarator: (_) @name right: (_) @value) @binding.element
(for_range_loop type: (_) @value declarator: (_) @name) @binding.annotated
(optional_parameter_declaration type: (_) @value declarator: (_) @name) @binding.annotated
(structured_binding_declarator (identifier) @name) @binding.local
