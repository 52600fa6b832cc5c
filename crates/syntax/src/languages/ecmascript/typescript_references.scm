; Uses of names that only TypeScript has.
(import_alias) @import
(call_expression function: (instantiation_expression (identifier) @name) arguments: (_) @arguments) @reference.call
(call_expression function: (non_null_expression (identifier) @name) arguments: (_) @arguments) @reference.call
(call_expression function: (non_null_expression (member_expression object: (_) @receiver property: (_) @name)) arguments: (_) @arguments) @reference.method
(class_heritage (extends_clause value: (identifier) @name)) @reference.type
(nested_type_identifier module: (_) @receiver name: (_) @name) @reference.type
(type_parameter name: (_) @name)
(type_identifier) @reference.type

(required_parameter pattern: (identifier) @name type: (type_annotation (_) @value)) @binding.annotated
(optional_parameter pattern: (identifier) @name type: (type_annotation (_) @value)) @binding.annotated
(variable_declarator name: (identifier) @name type: (type_annotation (_) @value)) @binding.annotated
(variable_declarator name: (identifier) @name value: (as_expression (_) (_) @value)) @binding.annotated
(variable_declarator name: (identifier) @name value: (satisfies_expression (new_expression constructor: (_) @value))) @binding.constructed
(variable_declarator name: (identifier) @name value: (non_null_expression (call_expression function: (_) @value))) @binding.call
(variable_declarator name: (identifier) @name value: (non_null_expression [(identifier) (member_expression)] @value)) @binding.alias
(assignment_expression left: (member_expression) @name right: (as_expression (_) (_) @value)) @binding.annotated
(required_parameter pattern: (identifier) @name) @binding.local
(optional_parameter pattern: (identifier) @name) @binding.local
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name value: (new_expression constructor: (_) @value)) @binding.constructed
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name value: (call_expression function: (_) @value)) @binding.call
