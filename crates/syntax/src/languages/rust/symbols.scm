; Definitions of Rust.
(function_item name: (_) @name) @definition.function
(function_signature_item name: (_) @name) @definition.function
(struct_item name: (_) @name) @definition.struct
(union_item name: (_) @name) @definition.struct
(enum_item name: (_) @name) @definition.enum
(enum_variant name: (_) @name) @definition.variant
(trait_item name: (_) @name) @definition.trait
(impl_item type: (_) @name) @definition.impl
(mod_item name: (_) @name body: (_)) @definition.module
(type_item name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type
(const_item name: (_) @name) @definition.constant
(static_item name: (_) @name) @definition.constant
(field_declaration name: (_) @name) @definition.field
(macro_definition name: (_) @name) @definition.macro

; What macros define at the top of a file or inside an impl or module: functions by a name they are given (where the
; macro is one of this file), and types written out in their arguments.
(source_file (macro_invocation macro: (identifier) (token_tree . (identifier) @name)) @definition.function)
(source_file (expression_statement (macro_invocation macro: (identifier) (token_tree . (identifier) @name)) @definition.function))
(declaration_list (macro_invocation macro: (identifier) (token_tree . (identifier) @name)) @definition.function)
(source_file (macro_invocation (token_tree "struct" . (identifier) @name @definition.struct)))
(source_file (expression_statement (macro_invocation (token_tree "struct" . (identifier) @name @definition.struct))))
(source_file (macro_invocation (token_tree "enum" . (identifier) @name @definition.enum)))

(attribute_item) @decorator
[(line_comment) (block_comment)] @comment

[
  (if_expression)
  (while_expression)
  (for_expression)
  (loop_expression)
  (match_arm)
  (try_expression)
  (binary_expression operator: ["&&" "||"])
] @branch

(impl_item trait: (_) @base.implements)
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @base.extends))
