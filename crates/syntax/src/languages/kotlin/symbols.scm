; Definitions of Kotlin. Whether a class is an enum stands in its modifiers: see mod.rs.
(package_header (qualified_identifier) @package)
(class_declaration "interface" name: (_) @name) @definition.interface
(class_declaration name: (_) @name) @definition.class
(object_declaration name: (_) @name) @definition.class
(companion_object name: (_) @name) @definition.class
(companion_object !name "companion" @name) @definition.class
(enum_entry . (identifier) @name) @definition.variant
(enum_entry (modifiers) . (identifier) @name) @definition.variant
(type_alias type: (_) @name) @definition.type
(function_declaration [(user_type) (nullable_type)] @owner . name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function
; Behind two annotations the grammar takes a function without parameters for `internal fun (A.b() {})`.
((infix_expression (identifier) @_fun . (call_expression . (call_expression . (navigation_expression . (_) @owner (identifier) @name .)) (annotated_lambda))) @definition.function (#eq? @_fun "fun"))
((infix_expression (identifier) @_fun . (call_expression . (call_expression . (identifier) @name) (annotated_lambda))) @definition.function (#eq? @_fun "fun"))
(secondary_constructor "constructor" @name) @definition.constructor
(class_parameter ["val" "var"] (identifier) @name) @definition.field
(source_file (property_declaration [(user_type) (nullable_type)] @owner . (variable_declaration . (identifier) @name)) @definition.method)
(class_body (property_declaration (variable_declaration . (identifier) @name) (getter (function_body))) @definition.method)
(source_file (property_declaration (variable_declaration . (identifier) @name) (getter (function_body))) @definition.function)
(property_declaration (variable_declaration . (identifier) @name) [(lambda_literal) (anonymous_function)] @function) @definition.function
(source_file (property_declaration (variable_declaration . (identifier) @name)) @definition.variable)
(class_body (property_declaration (variable_declaration . (identifier) @name)) @definition.field)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name)) @definition.field)

(annotation) @decorator
[(line_comment) (block_comment)] @comment

[
  (if_expression)
  (for_statement)
  (while_statement)
  (do_while_statement)
  (when_entry)
  (catch_block)
  (binary_expression operator: ["&&" "||" "?:"])
] @branch

(delegation_specifier (constructor_invocation . (user_type) @base.extends))
(class_declaration "interface" (delegation_specifiers (delegation_specifier (user_type) @base.extends)))
(class_declaration "class" (delegation_specifiers (delegation_specifier (user_type) @base.implements)))
(object_declaration (delegation_specifiers (delegation_specifier (user_type) @base.implements)))
(companion_object (delegation_specifiers (delegation_specifier (user_type) @base.implements)))
(delegation_specifier (explicit_delegation . (user_type) @base.implements))
