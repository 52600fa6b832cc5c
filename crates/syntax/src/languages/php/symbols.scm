; Definitions of PHP.
(namespace_definition name: (_) @name body: (_)) @definition.module
(namespace_definition name: (_) @package !body)
(class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(trait_declaration name: (_) @name) @definition.trait
(enum_declaration name: (_) @name) @definition.enum
(enum_case name: (_) @name) @definition.variant
(function_definition name: (_) @name) @definition.function
(method_declaration name: (name) @name (#eq? @name "__construct")) @definition.constructor
(method_declaration name: (_) @name) @definition.method
(const_declaration (const_element . (name) @name)) @definition.constant
(property_declaration (property_element name: (variable_name (name) @name))) @definition.field
(property_promotion_parameter name: (variable_name (name) @name)) @definition.field
(assignment_expression left: (variable_name) @name right: [(anonymous_function) (arrow_function)] @function) @definition.function
(assignment_expression left: (member_access_expression object: (_) @owner name: (name) @name) right: [(anonymous_function) (arrow_function)] @function) @definition.method
(array_element_initializer . (string) @name [(anonymous_function) (arrow_function)] @function .) @definition.function
(object_creation_expression (anonymous_class "class" @name)) @definition.class
(program (expression_statement (function_call_expression function: (name) @_define arguments: (arguments . (argument (string) @name))) @definition.constant) (#eq? @_define "define"))

(expression_statement (assignment_expression) @wrapped) @wrapper
(attribute_list) @decorator
(comment) @comment

[
  (if_statement)
  (else_if_clause)
  (for_statement)
  (foreach_statement)
  (while_statement)
  (do_statement)
  (case_statement)
  (match_conditional_expression)
  (catch_clause)
  (conditional_expression)
  (binary_expression operator: ["&&" "||" "??" "and" "or"])
] @branch

(class_declaration (base_clause (_) @base.extends))
(interface_declaration (base_clause (_) @base.extends))
(anonymous_class (base_clause (_) @base.extends))
(class_interface_clause (_) @base.implements)
(declaration_list (use_declaration [(name) (qualified_name)] @base.extends))
