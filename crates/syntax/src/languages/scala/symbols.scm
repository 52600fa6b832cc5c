; Definitions of Scala.
(package_clause name: (package_identifier) @package)
(class_definition name: (_) @name) @definition.class
(object_definition name: (_) @name) @definition.class
(package_object name: (_) @name) @definition.module
(trait_definition name: (_) @name) @definition.trait
(enum_definition name: (_) @name) @definition.enum
(simple_enum_case name: (_) @name) @definition.variant
(full_enum_case name: (_) @name) @definition.variant
(given_definition name: (_) @name) @definition.class
(given_definition !name return_type: (_) @name) @definition.class
(type_definition name: (_) @name) @definition.type
(extension_definition parameters: (parameters . (parameter type: (_) @owner)) body: (function_definition name: (_) @name) @definition.method)
(function_definition name: (identifier) @name (#eq? @name "this")) @definition.constructor
(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function
(val_definition pattern: (identifier) @name value: (lambda_expression) @function) @definition.function
(var_definition pattern: (identifier) @name value: (lambda_expression) @function) @definition.function
(template_body [(val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)] @definition.field)
(template_body (val_definition pattern: (tuple_pattern (identifier) @name)) @definition.field)
(template_body [(val_declaration name: (identifier) @name) (var_declaration name: (identifier) @name)] @definition.field)
(with_template_body [(val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)] @definition.field)
(enum_body [(val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)] @definition.field)
(compilation_unit [(val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)] @definition.variable)
(class_parameter ["val" "var"] name: (_) @name) @definition.field
(class_definition "case" class_parameters: (class_parameters (class_parameter name: (_) @name) @definition.field))

(annotation) @decorator
[(comment) (block_comment)] @comment

[
  (if_expression)
  (for_expression)
  (while_expression)
  (do_while_expression)
  (case_clause)
] @branch
((infix_expression operator: (operator_identifier) @_operator) @branch (#any-of? @_operator "&&" "||"))

(extends_clause . type: (_) @base.extends)
(extends_clause ["with" ","] @_before . type: (_) @base.implements)
(given_definition return_type: (_) @base.implements)
