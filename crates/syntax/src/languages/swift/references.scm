; Uses of names in Swift.
(import_declaration) @import

(attribute (user_type . (type_identifier) @name)) @reference.decorator
(call_expression . (simple_identifier) @name (call_suffix (value_arguments) @arguments)) @reference.call
(call_expression . (simple_identifier) @name) @reference.call
(call_expression . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @name)) (call_suffix (value_arguments) @arguments)) @reference.method
(call_expression . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @name))) @reference.method
(constructor_expression constructed_type: (user_type (type_identifier) @receiver . (type_identifier) @name) (constructor_suffix (value_arguments) @arguments)) @reference.new
(constructor_expression constructed_type: (user_type . (type_identifier) @name) (constructor_suffix (value_arguments) @arguments)) @reference.new
(macro_invocation . (simple_identifier) @name) @reference.macro
(user_type (type_identifier) @receiver . (type_identifier) @name) @reference.type
(user_type . (type_identifier) @reference.type)
(navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @name)) @reference.member

; What is said about types.
(parameter name: (simple_identifier) @name name: (_) @value) @binding.annotated
(lambda_parameter name: (simple_identifier) @name name: (_) @value) @binding.annotated
(property_declaration name: (pattern bound_identifier: (_) @name) . (type_annotation name: (_) @value)) @binding.annotated
(protocol_property_declaration name: (pattern bound_identifier: (_) @name) . (type_annotation name: (_) @value)) @binding.annotated
(property_declaration name: (pattern bound_identifier: (_) @name) . value: (constructor_expression constructed_type: (_) @value)) @binding.constructed
(property_declaration name: (pattern bound_identifier: (_) @name) . value: (call_expression . (_) @value)) @binding.call
(property_declaration name: (pattern bound_identifier: (_) @name) . value: (try_expression expr: (call_expression . (_) @value))) @binding.call
(property_declaration name: (pattern bound_identifier: (_) @name) . value: (await_expression expr: (call_expression . (_) @value))) @binding.call
(property_declaration name: (pattern bound_identifier: (_) @name) . value: (try_expression expr: (await_expression expr: (call_expression . (_) @value)))) @binding.call
(property_declaration name: (pattern bound_identifier: (_) @name) . value: (nil_coalescing_expression value: (call_expression . (_) @value))) @binding.call
(property_declaration name: (pattern bound_identifier: (_) @name) . value: (as_expression name: (_) @value)) @binding.annotated
(property_declaration name: (pattern bound_identifier: (_) @name) . value: [(simple_identifier) (navigation_expression)] @value) @binding.alias
(if_statement bound_identifier: (simple_identifier) @name . condition: (call_expression . (_) @value)) @binding.call
(if_statement bound_identifier: (simple_identifier) @name . condition: (as_expression name: (_) @value)) @binding.annotated
(if_statement bound_identifier: (simple_identifier) @name . condition: [(simple_identifier) (navigation_expression)] @value) @binding.alias
(guard_statement bound_identifier: (simple_identifier) @name . condition: (call_expression . (_) @value)) @binding.call
(guard_statement bound_identifier: (simple_identifier) @name . condition: (as_expression name: (_) @value)) @binding.annotated
(guard_statement bound_identifier: (simple_identifier) @name . condition: [(simple_identifier) (navigation_expression)] @value) @binding.alias
(for_statement item: (pattern bound_identifier: (_) @name) collection: (_) @value) @binding.element
(catch_block error: (pattern (pattern bound_identifier: (_) @name) name: (_) @value)) @binding.annotated
(assignment target: (directly_assignable_expression) @name result: (constructor_expression constructed_type: (_) @value)) @binding.constructed
(assignment target: (directly_assignable_expression) @name result: (call_expression . (_) @value)) @binding.call
(assignment target: (directly_assignable_expression (navigation_expression)) @name result: (simple_identifier) @value) @binding.alias
(lambda_parameter name: (simple_identifier) @name) @binding.local
(pattern bound_identifier: (_) @name) @binding.local
(pattern (simple_identifier) @name) @binding.local
(if_statement bound_identifier: (simple_identifier) @name)
(guard_statement bound_identifier: (simple_identifier) @name)
(value_argument_label (simple_identifier) @name)
(call_suffix name: (simple_identifier) @name)
(parameter external_name: (simple_identifier) @name)
(enum_type_parameters (simple_identifier) @name)
(prefix_expression operation: "." target: (simple_identifier) @name)
(directive (simple_identifier) @name)
(type_parameter (type_identifier) @name)

(simple_identifier) @reference.value
