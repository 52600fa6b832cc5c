; Definitions that C and C++ share. Names stand inside declarators; `declarator` in mod.rs finds them.
(function_definition declarator: (_) @name) @definition.function
(struct_specifier name: (_) @name body: (_)) @definition.struct
(union_specifier name: (_) @name body: (_)) @definition.struct
(enum_specifier name: (_) @name body: (_)) @definition.enum
(enumerator name: (_) @name) @definition.variant
(type_definition type: [(struct_specifier !name) (union_specifier !name)] declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier !name) declarator: (type_identifier) @name) @definition.enum
(type_definition declarator: (_) @name) @definition.type
(field_declaration declarator: (_) @name) @definition.field
(translation_unit (declaration declarator: (_) @name) @definition.variable)
(preproc_ifdef (declaration declarator: (_) @name) @definition.variable)
(preproc_if (declaration declarator: (_) @name) @definition.variable)
(preproc_else (declaration declarator: (_) @name) @definition.variable)
(declaration_list (declaration declarator: (_) @name) @definition.variable)
(preproc_function_def name: (_) @name) @definition.macro
(preproc_def name: (_) @name value: (_)) @definition.constant

(comment) @comment

[
  (if_statement)
  (for_statement)
  (while_statement)
  (do_statement)
  (case_statement)
  (conditional_expression)
  (binary_expression operator: ["&&" "||"])
] @branch
