; Definitions of C#.
(namespace_declaration name: (_) @name) @definition.module
(file_scoped_namespace_declaration name: (_) @package)
(class_declaration name: (_) @name) @definition.class
(struct_declaration name: (_) @name) @definition.struct
(record_declaration name: (_) @name) @definition.struct
(record_declaration (parameter_list (parameter name: (_) @name) @definition.field))
(interface_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_member_declaration name: (_) @name) @definition.variant
(delegate_declaration name: (_) @name) @definition.type
(method_declaration name: (_) @name) @definition.method
(local_function_statement name: (_) @name) @definition.function
(constructor_declaration name: (_) @name) @definition.constructor
(destructor_declaration name: (_) @name) @definition.method
(operator_declaration operator: _ @name) @definition.method
(conversion_operator_declaration type: (_) @name) @definition.method
(indexer_declaration "this" @name) @definition.method
(property_declaration name: (_) @name value: (arrow_expression_clause)) @definition.method
(property_declaration name: (_) @name accessors: (accessor_list (accessor_declaration body: (_)))) @definition.method
(property_declaration name: (_) @name) @definition.field
(event_declaration name: (_) @name) @definition.field
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @definition.field
(field_declaration (variable_declaration (variable_declarator name: (_) @name [(lambda_expression) (anonymous_method_expression)] @function))) @definition.method
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @definition.field
(local_declaration_statement (variable_declaration (variable_declarator name: (_) @name [(lambda_expression) (anonymous_method_expression)] @function))) @definition.function

(attribute_list) @decorator
(comment) @comment

[
  (if_statement)
  (for_statement)
  (foreach_statement)
  (while_statement)
  (do_statement)
  (switch_section)
  (switch_expression_arm)
  (catch_clause)
  (conditional_expression)
  (binary_expression operator: ["&&" "||" "??"])
] @branch

; A base is written like an interface; the name tells them apart.
(class_declaration (base_list [(identifier) (generic_name)] @base.implements) (#match? @base.implements "^I[A-Z]"))
(class_declaration (base_list [(identifier) (generic_name)] @base.extends) (#match? @base.extends "^([^I]|I[^A-Z]|I$)"))
(class_declaration (base_list (qualified_name name: (_) @_name) @base.implements) (#match? @_name "^I[A-Z]"))
(class_declaration (base_list (qualified_name name: (_) @_name) @base.extends) (#match? @_name "^([^I]|I[^A-Z]|I$)"))
(class_declaration (base_list (primary_constructor_base_type type: (_) @base.extends)))
(record_declaration (base_list [(identifier) (generic_name)] @base.implements) (#match? @base.implements "^I[A-Z]"))
(record_declaration (base_list [(identifier) (generic_name)] @base.extends) (#match? @base.extends "^([^I]|I[^A-Z]|I$)"))
(record_declaration (base_list (primary_constructor_base_type type: (_) @base.extends)))
(struct_declaration (base_list (_) @base.implements))
(interface_declaration (base_list (_) @base.extends))
