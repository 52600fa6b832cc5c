; Definitions of Haskell.
(header module: (module) @package)
(data_type name: (_) @name) @definition.enum
(newtype name: (_) @name) @definition.struct
(type_synomym name: (_) @name) @definition.type
(type_family name: (_) @name) @definition.type
(data_family name: (_) @name) @definition.type
(class name: (_) @name) @definition.trait
(instance name: (_) @base.implements patterns: (type_patterns . (_) @name)) @definition.impl
(deriving_instance name: (_) @base.implements patterns: (type_patterns . (_) @name)) @definition.impl
(class context: (context context: (apply constructor: [(name) (qualified)] @base.extends)))
(class context: (context context: (_ (apply constructor: [(name) (qualified)] @base.extends))))
(data_constructor constructor: (record name: (constructor) @name)) @definition.variant
(data_constructor constructor: (prefix name: (constructor) @name)) @definition.variant
(data_constructor constructor: (prefix name: (prefix_id (constructor_operator) @name))) @definition.variant
(data_constructor constructor: (infix operator: (constructor_operator) @name)) @definition.variant
(newtype_constructor name: (constructor) @name) @definition.variant
(gadt_constructor name: (constructor) @name) @definition.variant
(field name: (field_name (variable) @name)) @definition.field
(pattern_synonym (equation synonym: (apply function: (constructor) @name))) @definition.function

(declarations (signature name: (variable) @name) @definition.function)
(declarations (signature name: (prefix_id (operator) @name)) @definition.function)
(class_declarations (signature name: (variable) @name) @definition.method)
(class_declarations (signature name: (prefix_id (operator) @name)) @definition.method)
(foreign_import signature: (signature name: (variable) @name) @definition.function)
(declarations (bind name: (variable) @name) @definition.function)
(ERROR (bind name: (variable) @name) @definition.function)
(instance_declarations (bind name: (variable) @name) @definition.method)
(class_declarations (bind name: (variable) @name) @definition.method)
(function name: (variable) @name) @definition.function
(function name: (prefix_id (operator) @name)) @definition.function
(function . (infix operator: (operator) @name) match: (_)) @definition.function
(function . (infix operator: (infix_id (variable) @name)) match: (_)) @definition.function
(local_binds (bind name: (variable) @name match: (match expression: (lambda))) @definition.function)
(signature name: (variable) @name)
(signature names: (binding_list (variable) @name))
(signature name: (prefix_id (operator) @name))
(fixity (_) @name)

(haddock) @comment
(comment) @comment

[
  (conditional)
  (alternative)
  (guards)
] @branch
(infix operator: (operator) @_and (#any-of? @_and "&&" "||")) @branch
