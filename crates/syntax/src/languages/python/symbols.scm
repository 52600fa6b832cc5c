; Definitions of Python.
(function_definition name: (_) @name) @definition.function
(class_definition name: (_) @name) @definition.class
(assignment left: (identifier) @name right: (lambda) @function) @definition.function
(type_alias_statement left: (type (identifier) @name)) @definition.type
(module (expression_statement (assignment left: (identifier) @name) @definition.variable))
(module (expression_statement (assignment left: (pattern_list (identifier) @name)) @definition.variable))
(module (expression_statement (assignment right: (assignment left: (identifier) @name) @definition.variable)))
(module (if_statement consequence: (block (expression_statement (assignment left: (identifier) @name) @definition.variable))))
(module (if_statement alternative: (_ (block (expression_statement (assignment left: (identifier) @name) @definition.variable)))))
(module (try_statement (block (expression_statement (assignment left: (identifier) @name) @definition.variable))))
(module (try_statement (_ (block (expression_statement (assignment left: (identifier) @name) @definition.variable)))))
(module (with_statement body: (block (expression_statement (assignment left: (identifier) @name) @definition.variable))))
(module (for_statement body: (block (expression_statement (assignment left: (identifier) @name) @definition.variable))))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @definition.field)))
(class_definition body: (block (if_statement consequence: (block (expression_statement (assignment left: (identifier) @name) @definition.field)))))
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name) (#any-of? @_self "self" "cls")) @definition.field
(assignment left: (pattern_list (attribute object: (identifier) @_self attribute: (identifier) @name (#eq? @_self "self")) @definition.field))

(decorated_definition definition: (_) @wrapped) @wrapper
(decorator) @decorator
(comment) @comment
(function_definition body: (block . (expression_statement (string) @doc)))
(class_definition body: (block . (expression_statement (string) @doc)))

[
  (if_statement)
  (elif_clause)
  (for_statement)
  (while_statement)
  (except_clause)
  (case_clause)
  (conditional_expression)
  (boolean_operator)
  (if_clause)
  (for_in_clause)
] @branch

(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript) (call)] @base.extends))
