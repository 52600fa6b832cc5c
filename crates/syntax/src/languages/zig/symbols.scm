; Definitions of Zig.
(variable_declaration . (identifier) @name (struct_declaration)) @definition.struct
(variable_declaration . (identifier) @name (union_declaration)) @definition.struct
(variable_declaration . (identifier) @name (opaque_declaration)) @definition.struct
(variable_declaration . (identifier) @name (enum_declaration)) @definition.enum
(variable_declaration . (identifier) @name (error_set_declaration)) @definition.enum
(enum_declaration (container_field name: (identifier) @name) @definition.variant)
(error_set_declaration (identifier) @name @definition.variant)
(container_field name: (identifier) @name) @definition.field
(function_declaration name: (identifier) @name) @definition.function
(function_signature name: (identifier) @name) @definition.function
(test_declaration (string (string_content) @name)) @definition.function
(test_declaration (identifier) @name) @definition.function
(source_file (variable_declaration . (identifier) @name) @definition.constant)
(struct_declaration (variable_declaration . (identifier) @name) @definition.constant)
(enum_declaration (variable_declaration . (identifier) @name) @definition.constant)
(union_declaration (variable_declaration . (identifier) @name) @definition.constant)
(opaque_declaration (variable_declaration . (identifier) @name) @definition.constant)

(comment) @comment

[
  (if_statement)
  (if_expression)
  (for_statement)
  (for_expression)
  (while_statement)
  (while_expression)
  (switch_case)
  (catch_expression)
  (binary_expression operator: ["and" "or" "orelse"])
] @branch

; The names of another container are taken in.
(using_namespace_declaration [(identifier) (field_expression)] @base.extends)
