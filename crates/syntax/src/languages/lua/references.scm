; Uses of names in Lua.
(function_call name: (identifier) @_require arguments: (arguments . (string) .) (#eq? @_require "require")) @import
(function_call name: (identifier) @_call arguments: (arguments . (identifier) @_require . (string)) (#eq? @_call "pcall") (#eq? @_require "require")) @import
(chunk (return_statement) @import)

(function_call name: (identifier) @name arguments: (_) @arguments) @reference.call
(function_call name: (dot_index_expression table: (_) @receiver field: (_) @name) arguments: (_) @arguments) @reference.method
(function_call name: (method_index_expression table: (_) @receiver method: (_) @name) arguments: (_) @arguments) @reference.method
(dot_index_expression table: (_) @receiver field: (identifier) @name) @reference.member
(field name: (identifier) @name)
(goto_statement (identifier) @name)
(label_statement (identifier) @name)
(attribute (identifier) @name)

; What is said about types.
(assignment_statement (variable_list name: (dot_index_expression) @name) (expression_list value: [(identifier) (dot_index_expression) (function_call) (binary_expression) (parenthesized_expression)])) @binding.local
(return_statement "return" @name (expression_list . [(identifier) (dot_index_expression) (function_call) (binary_expression) (parenthesized_expression) (table_constructor)])) @binding.local
(for_generic_clause (variable_list . name: (identifier) . name: (identifier) @name) (expression_list . (function_call name: (identifier) @_each arguments: (arguments . (_) @value .))) (#any-of? @_each "ipairs" "pairs")) @binding.element
(variable_list name: (identifier) @name) @binding.local
(parameters name: (identifier) @name) @binding.local
(for_numeric_clause name: (identifier) @name) @binding.local

(identifier) @reference.value
