; Definitions of Bash.
(function_definition name: (word) @name) @definition.function
(command name: (command_name (word) @_test) . argument: [(string (string_content) @name) (raw_string) @name] (#eq? @_test "@test")) @definition.function
(command name: (command_name (word) @_alias) argument: (concatenation . (word) @name) (#eq? @_alias "alias")) @definition.function
(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable)
(program (declaration_command (variable_name) @name) @definition.variable)
(program (if_statement (variable_assignment name: (variable_name) @name) @definition.variable))
(program (list (variable_assignment name: (variable_name) @name) @definition.variable))

(comment) @comment

[
  (if_statement)
  (elif_clause)
  (for_statement)
  (c_style_for_statement)
  (while_statement)
  (case_item)
  (list ["&&" "||"])
  (binary_expression operator: ["&&" "||"])
  (ternary_expression)
] @branch
