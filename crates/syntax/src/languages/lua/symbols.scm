; Definitions of Lua.
(function_declaration name: (identifier) @name) @definition.function
(function_declaration name: (dot_index_expression table: (_) @owner field: (_) @name)) @definition.function
(function_declaration name: (method_index_expression table: (_) @owner method: (_) @name)) @definition.method
(assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (function_definition) @function)) @definition.function
(assignment_statement (variable_list . name: (dot_index_expression table: (_) @owner field: (_) @name)) (expression_list . value: (function_definition) @function)) @definition.function
(field name: (identifier) @name value: (function_definition) @function) @definition.method
(field name: (string content: (_) @name) value: (function_definition) @function) @definition.method
(function_call name: (identifier) @_test arguments: (arguments . (string content: (_) @name) . (function_definition) @function) (#any-of? @_test "describe" "it" "test" "context" "insulate" "pending")) @definition.function
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name)) @definition.variable))
(chunk (variable_declaration (variable_list name: (identifier) @name)) @definition.variable)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @definition.variable)
(chunk (assignment_statement (variable_list name: (dot_index_expression table: (_) @owner field: (identifier) @name))) @definition.field)
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: [(table_constructor) (function_call)])) @definition.class)
(chunk (return_statement "return" @name (expression_list . (function_definition) @function)) @definition.function)

(variable_declaration . (assignment_statement) @wrapped .) @wrapper
(comment) @comment

[
  (if_statement)
  (elseif_statement)
  (for_statement)
  (while_statement)
  (repeat_statement)
  (binary_expression ["and" "or"])
] @branch

; Tables that look things up in another.
(chunk (variable_declaration (assignment_statement (variable_list . name: (identifier)) (expression_list . value: (function_call name: (identifier) @_set arguments: (arguments (_) (table_constructor (field name: (identifier) @_index value: [(identifier) (dot_index_expression)] @base.extends)))))) (#eq? @_set "setmetatable") (#eq? @_index "__index")))
(chunk (variable_declaration (assignment_statement (variable_list . name: (identifier)) (expression_list . value: (function_call name: (identifier) @_set arguments: (arguments (_) . [(identifier) (dot_index_expression)] @base.extends .)))) (#eq? @_set "setmetatable")))
(chunk (variable_declaration (assignment_statement (variable_list . name: (identifier)) (expression_list . value: (function_call name: (method_index_expression table: [(identifier) (dot_index_expression)] @base.extends method: (identifier) @_extend)))) (#any-of? @_extend "extend" "subclass" "derive")))
(chunk (variable_declaration (assignment_statement (variable_list . name: (identifier)) (expression_list . value: (function_call name: (identifier) @_class arguments: (arguments [(identifier) (dot_index_expression)] @base.extends)))) (#any-of? @_class "class" "Class")))
(chunk (assignment_statement (variable_list . name: (identifier)) (expression_list . value: (function_call name: (identifier) @_class arguments: (arguments [(identifier) (dot_index_expression)] @base.extends)))) (#any-of? @_class "class" "Class"))
(chunk (variable_declaration (assignment_statement (variable_list . name: (identifier)) (expression_list . value: (table_constructor (field name: (identifier) @_index value: [(identifier) (dot_index_expression)] @base.extends)))) (#eq? @_index "__index")))
