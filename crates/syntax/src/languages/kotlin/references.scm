; Uses of names in Kotlin.
(import) @import
(package_header) @import

(annotation (constructor_invocation . (user_type . (identifier) @name .) (value_arguments) @arguments)) @reference.decorator
(annotation (user_type . (identifier) @name .)) @reference.decorator
(call_expression . (identifier) @name (value_arguments) @arguments) @reference.call
(call_expression . (identifier) @name) @reference.call
(call_expression . (navigation_expression . (_) @receiver (identifier) @name .) (value_arguments) @arguments) @reference.method
(call_expression . (navigation_expression . (_) @receiver (identifier) @name .)) @reference.method
(infix_expression . (_) @receiver . (identifier) @name) @reference.method
; `Foo<Int>(1)` reads as two comparisons.
(binary_expression left: (binary_expression left: (identifier) @name operator: "<") operator: ">" right: (parenthesized_expression)) @reference.call
(constructor_invocation . (user_type . (identifier) @name) (value_arguments) @arguments) @reference.new
(constructor_invocation . (user_type (identifier) @receiver . (identifier) @name) (value_arguments) @arguments) @reference.new
(constructor_delegation_call ["this" "super"] @name (value_arguments) @arguments) @reference.call
(user_type (identifier) @receiver . (identifier) @name) @reference.type
(user_type . (identifier) @reference.type .)
(user_type . (identifier) @reference.type . (type_arguments))
(navigation_expression . (_) @receiver (identifier) @name .) @reference.member

; What is said about types.
(parameter . (identifier) @name . (_) @value) @binding.annotated
(class_parameter (identifier) @name . (_) @value) @binding.annotated
(catch_block . (identifier) @name . (_) @value) @binding.annotated
(variable_declaration . (identifier) @name . (_) @value) @binding.annotated
(property_declaration (variable_declaration . (identifier) @name) (call_expression . [(identifier) (navigation_expression)] @value)) @binding.call
(property_declaration (variable_declaration . (identifier) @name) (unary_expression argument: (call_expression . [(identifier) (navigation_expression)] @value))) @binding.call
(property_declaration (variable_declaration . (identifier) @name) (binary_expression left: (call_expression . [(identifier) (navigation_expression)] @value) operator: "?:")) @binding.call
(property_declaration (variable_declaration . (identifier) @name) (binary_expression left: (binary_expression left: (identifier) @value operator: "<") operator: ">" right: (parenthesized_expression))) @binding.call
(property_declaration (variable_declaration . (identifier) @name) (property_delegate (call_expression (annotated_lambda (lambda_literal . (call_expression . (_) @value) .))))) @binding.call
(property_declaration (variable_declaration . (identifier) @name) (as_expression right: (_) @value)) @binding.annotated
(property_declaration (variable_declaration . (identifier) @name) [(identifier) (navigation_expression)] @value) @binding.alias
(property_declaration (variable_declaration . (identifier) @name) (unary_expression argument: [(identifier) (navigation_expression)] @value)) @binding.alias
(property_declaration (variable_declaration . (identifier) @name) (binary_expression left: [(identifier) (navigation_expression)] @value operator: "?:")) @binding.alias
(for_statement (variable_declaration . (identifier) @name) . (_) @value) @binding.element
(assignment left: [(identifier) (navigation_expression)] @name right: (call_expression . (_) @value)) @binding.call
(assignment left: (navigation_expression) @name right: (identifier) @value) @binding.alias
(variable_declaration . (identifier) @name) @binding.local
(lambda_literal . "{" @name) @binding.local
(function_body "=" @name) @binding.local
(setter . (identifier) @name) @binding.local
(value_argument . (identifier) @name "=")
(type_parameter (identifier) @name)
(type_constraint . (identifier) @name)
(this_expression (identifier) @name)
(labeled_expression (identifier) @name)
(return_expression (label) @name)

(identifier) @reference.value
