; Uses of names in Python.
[(import_statement) (import_from_statement) (future_import_statement)] @import

(decorator (identifier) @name) @reference.decorator
(decorator (attribute object: (_) @receiver attribute: (_) @name)) @reference.decorator
(decorator (call function: (identifier) @name arguments: (_) @arguments)) @reference.decorator
(decorator (call function: (attribute object: (_) @receiver attribute: (_) @name) arguments: (_) @arguments)) @reference.decorator
(call function: (identifier) @name arguments: (_) @arguments) @reference.call
(call function: (attribute object: (_) @receiver attribute: (_) @name) arguments: (_) @arguments) @reference.method

(type (identifier) @reference.type)
(type (attribute object: (_) @receiver attribute: (_) @name)) @reference.type
(type (generic_type (identifier) @reference.type))
(type (subscript value: (identifier) @reference.type))
(type (binary_operator (identifier) @reference.type))
(attribute object: (_) @receiver attribute: (_) @name) @reference.member

; What is said about types.
(call function: (identifier) @_test arguments: (argument_list . (identifier) @name . (_) @value) (#eq? @_test "isinstance")) @binding.annotated
(typed_parameter . (identifier) @name type: (_) @value) @binding.annotated
(typed_default_parameter name: (identifier) @name type: (_) @value) @binding.annotated
(assignment left: (_) @name type: (_) @value) @binding.annotated
(assignment left: [(identifier) (attribute)] @name right: (call function: (_) @value)) @binding.call
(assignment left: [(identifier) (attribute)] @name right: (await (call function: (_) @value))) @binding.call
(assignment left: [(identifier) (attribute)] @name right: [(identifier) (attribute)] @value) @binding.alias
(assignment left: [(identifier) (attribute)] @name right: (boolean_operator left: (_) right: (call function: (_) @value))) @binding.call
(assignment left: [(identifier) (attribute)] @name right: (boolean_operator left: [(identifier) (attribute)] @value)) @binding.alias
(named_expression name: (identifier) @name value: (call function: (_) @value)) @binding.call
(with_item value: (as_pattern (call function: (_) @value) alias: (as_pattern_target (identifier) @name))) @binding.call
(for_statement left: (identifier) @name right: (_) @value) @binding.element
(for_in_clause left: (identifier) @name right: (_) @value) @binding.element
(as_pattern (identifier) @value alias: (as_pattern_target (identifier) @name)) @binding.annotated
(assignment left: (identifier) @name) @binding.local
(pattern_list (identifier) @name) @binding.local
(tuple_pattern (identifier) @name) @binding.local
(parameters (identifier) @name) @binding.local
(lambda_parameters (identifier) @name) @binding.local
(default_parameter name: (identifier) @name) @binding.local
(as_pattern_target (identifier) @name) @binding.local
(list_splat_pattern (identifier) @name) @binding.local
(dictionary_splat_pattern (identifier) @name) @binding.local
(keyword_argument name: (identifier) @name)

(identifier) @reference.value
