; Uses of names that JavaScript and TypeScript share.
(import_statement) @import
(export_statement source: (_)) @import
(export_statement (export_clause)) @import
(call_expression function: (import) arguments: (arguments (string))) @import
(call_expression function: (identifier) @_require arguments: (arguments . (string) .) (#eq? @_require "require")) @import
(expression_statement (assignment_expression left: (member_expression object: [(identifier) (member_expression)]))) @import
(expression_statement (assignment_expression left: (identifier) right: (assignment_expression))) @import
(program (variable_declaration (variable_declarator value: (assignment_expression)) @import))

(decorator (identifier) @name) @reference.decorator
(decorator (member_expression object: (_) @receiver property: (_) @name)) @reference.decorator
(decorator (call_expression function: (identifier) @name arguments: (_) @arguments)) @reference.decorator
(decorator (call_expression function: (member_expression object: (_) @receiver property: (_) @name) arguments: (_) @arguments)) @reference.decorator
(call_expression function: (identifier) @name arguments: (_) @arguments) @reference.call
(call_expression function: (member_expression object: (_) @receiver property: (_) @name) arguments: (_) @arguments) @reference.method
(call_expression function: (super) @name arguments: (_) @arguments) @reference.call
(new_expression constructor: (identifier) @name arguments: (_)? @arguments) @reference.new
(new_expression constructor: (member_expression object: (_) @receiver property: (_) @name) arguments: (_)? @arguments) @reference.new
(member_expression object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @name) @reference.member

; What is said about types.
(variable_declarator name: (identifier) @name value: (new_expression constructor: (_) @value)) @binding.constructed
(variable_declarator name: (identifier) @name value: (call_expression function: (_) @value)) @binding.call
(variable_declarator name: (identifier) @name value: (await_expression (call_expression function: (_) @value))) @binding.call
(variable_declarator name: (identifier) @name value: [(identifier) (member_expression)] @value) @binding.alias
(variable_declarator name: (identifier) @name value: (this) @value) @binding.alias
(assignment_expression left: [(identifier) (member_expression)] @name right: (new_expression constructor: (_) @value)) @binding.constructed
(assignment_expression left: [(identifier) (member_expression)] @name right: (call_expression function: (_) @value)) @binding.call
(assignment_expression left: [(identifier) (member_expression)] @name right: (await_expression (call_expression function: (_) @value))) @binding.call
(assignment_expression left: [(identifier) (member_expression)] @name right: [(identifier) (member_expression)] @value) @binding.alias
(for_in_statement left: (identifier) @name operator: "of" right: (_) @value) @binding.element
(variable_declarator name: (identifier) @name) @binding.local
(for_in_statement left: (identifier) @name) @binding.local
(object_pattern (shorthand_property_identifier_pattern) @name) @binding.local
(pair_pattern value: (identifier) @name) @binding.local
(array_pattern (identifier) @name) @binding.local
(rest_pattern (identifier) @name) @binding.local
(arrow_function parameter: (identifier) @name) @binding.local
(catch_clause parameter: (identifier) @name) @binding.local

(identifier) @reference.value
(shorthand_property_identifier) @reference.value
