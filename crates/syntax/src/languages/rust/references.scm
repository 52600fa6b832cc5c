; Uses of names in Rust.
(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import

(call_expression function: (identifier) @name arguments: (_) @arguments) @reference.call
(call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @name) arguments: (_) @arguments) @reference.method
(call_expression function: (scoped_identifier path: (_)? @receiver name: (_) @name) arguments: (_) @arguments) @reference.path
(call_expression function: (generic_function function: (identifier) @name) arguments: (_) @arguments) @reference.call
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @name)) arguments: (_) @arguments) @reference.method
(call_expression function: (generic_function function: (scoped_identifier path: (_)? @receiver name: (_) @name)) arguments: (_) @arguments) @reference.path

(struct_expression name: (type_identifier) @name) @reference.new
(struct_expression name: (scoped_type_identifier path: (_)? @receiver name: (_) @name)) @reference.new
(struct_expression name: (generic_type_with_turbofish type: (type_identifier) @name)) @reference.new
(tuple_struct_pattern type: (identifier) @name) @reference.new
(tuple_struct_pattern type: (scoped_identifier path: (_)? @receiver name: (_) @name)) @reference.new

(macro_invocation macro: (identifier) @name) @reference.macro
(macro_invocation macro: (scoped_identifier path: (_)? @receiver name: (_) @name)) @reference.macro
(macro_invocation macro: [(identifier) (scoped_identifier)] @_macro (token_tree) @quoted (#match? @_macro "(^|::)(quote|quote_spanned|parse_quote|parse_quote_spanned)$"))
(macro_invocation macro: [(identifier) (scoped_identifier)] @_macro (token_tree) @tokens (#not-match? @_macro "(^|::)(quote|quote_spanned|parse_quote|parse_quote_spanned)$"))
(source_file (macro_invocation (token_tree) @region))
(source_file (expression_statement (macro_invocation (token_tree) @region)))
(declaration_list (macro_invocation (token_tree) @region))

(attribute_item (attribute (identifier) @name)) @reference.decorator
(attribute_item (attribute (scoped_identifier path: (_)? @receiver name: (_) @name))) @reference.decorator

(scoped_type_identifier path: (_)? @receiver name: (_) @name) @reference.type
(type_identifier) @reference.type
(scoped_identifier path: (_)? @receiver name: (_) @name) @reference.value
(field_expression value: (_) @receiver field: (field_identifier) @name) @reference.member

; What is said about types.
(let_declaration pattern: (identifier) @name type: (_) @value) @binding.annotated
(let_declaration pattern: (mut_pattern (identifier) @name) type: (_) @value) @binding.annotated
(parameter pattern: (identifier) @name type: (_) @value) @binding.annotated
(parameter pattern: (mut_pattern (identifier) @name) type: (_) @value) @binding.annotated
(let_declaration pattern: (identifier) @name value: (struct_expression name: (_) @value)) @binding.constructed
(let_declaration pattern: (identifier) @name value: (call_expression function: (_) @value)) @binding.call
(let_declaration pattern: (identifier) @name value: (await_expression (call_expression function: (_) @value))) @binding.call
(let_declaration pattern: (identifier) @name value: (try_expression (call_expression function: (_) @value))) @binding.call
(let_declaration pattern: (identifier) @name value: (try_expression (await_expression (call_expression function: (_) @value)))) @binding.call
(let_declaration pattern: (identifier) @name value: (reference_expression value: (call_expression function: (_) @value))) @binding.call
(let_declaration pattern: (identifier) @name value: (identifier) @value) @binding.alias
(let_declaration pattern: (identifier) @name value: (field_expression) @value) @binding.alias
(let_declaration pattern: (identifier) @name value: (scoped_identifier) @value) @binding.alias
(let_declaration pattern: (identifier) @name value: (try_expression [(identifier) (field_expression)] @value)) @binding.alias
(let_declaration pattern: (identifier) @name value: (reference_expression value: [(identifier) (field_expression)] @value)) @binding.alias
(let_condition pattern: (tuple_struct_pattern type: (_) (identifier) @name) value: (call_expression function: (_) @value)) @binding.call
(let_condition pattern: (tuple_struct_pattern type: (_) (identifier) @name) value: [(identifier) (field_expression)] @value) @binding.alias
(for_expression pattern: (identifier) @name value: (_) @value) @binding.element
(let_declaration pattern: (identifier) @name) @binding.local
(let_declaration pattern: (mut_pattern (identifier) @name) value: (struct_expression name: (_) @value)) @binding.constructed
(let_declaration pattern: (mut_pattern (identifier) @name) value: (call_expression function: (_) @value)) @binding.call
(mut_pattern (identifier) @name) @binding.local
(tuple_pattern (identifier) @name) @binding.local
(tuple_struct_pattern type: (_) @value . (identifier) @name (#not-match? @value "^(Some|Ok)$")) @binding.element
(tuple_struct_pattern type: (_) (identifier) @name) @binding.local
(closure_parameters (identifier) @name) @binding.local
(field_pattern name: (shorthand_field_identifier) @name) @binding.local
(field_pattern pattern: (identifier) @name) @binding.local
(ref_pattern (identifier) @name) @binding.local
(for_expression pattern: (identifier) @name) @binding.local

(identifier) @reference.value
(shorthand_field_initializer (identifier) @reference.value)
