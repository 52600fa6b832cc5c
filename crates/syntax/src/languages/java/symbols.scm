; Definitions of Java.
(package_declaration [(scoped_identifier) (identifier)] @package)
(class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(annotation_type_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(record_declaration name: (_) @name) @definition.struct
(record_declaration parameters: (formal_parameters (formal_parameter name: (_) @name) @definition.field))
(method_declaration name: (_) @name) @definition.method
(annotation_type_element_declaration name: (_) @name) @definition.method
(constructor_declaration name: (_) @name) @definition.constructor
(compact_constructor_declaration name: (_) @name) @definition.constructor
(enum_constant name: (_) @name) @definition.variant
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant

[(marker_annotation) (annotation)] @decorator
[(line_comment) (block_comment)] @comment

[
  (if_statement)
  (for_statement)
  (enhanced_for_statement)
  (while_statement)
  (do_statement)
  (switch_label)
  (catch_clause)
  (ternary_expression)
  (binary_expression operator: ["&&" "||"])
] @branch

(superclass (_) @base.extends)
(super_interfaces (type_list (_) @base.implements))
(extends_interfaces (type_list (_) @base.extends))
