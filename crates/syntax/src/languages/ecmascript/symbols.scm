; Definitions that JavaScript and TypeScript share.
(function_declaration name: (_) @name) @definition.function
(generator_function_declaration name: (_) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
(method_definition name: (property_identifier) @name (#eq? @name "constructor")) @definition.constructor
(method_definition name: (_) @name) @definition.method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)] @function) @definition.function
(variable_declarator name: (identifier) @name value: (parenthesized_expression [(arrow_function) (function_expression)] @function)) @definition.function
(variable_declarator name: (identifier) @name value: (class) @function) @definition.class
(program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @definition.constant))
(program (export_statement declaration: (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @definition.constant)))
(program (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable))
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)))
(program (export_statement declaration: (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)))
(program (lexical_declaration (variable_declarator name: [(object_pattern (shorthand_property_identifier_pattern) @name) (object_pattern (pair_pattern value: (identifier) @name)) (array_pattern (identifier) @name)]) @definition.constant))
(program (export_statement declaration: (lexical_declaration (variable_declarator name: [(object_pattern (shorthand_property_identifier_pattern) @name) (object_pattern (pair_pattern value: (identifier) @name)) (array_pattern (identifier) @name)]) @definition.constant)))
(pair key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression) (generator_function)] @function) @definition.method
(expression_statement (assignment_expression left: (member_expression object: (_) @owner property: (property_identifier) @name) right: [(arrow_function) (function_expression) (generator_function)] @function) @definition.method)
(expression_statement (assignment_expression left: (member_expression object: (_) @owner property: (property_identifier) @name) right: (class) @function) @definition.class)
(expression_statement (assignment_expression left: (subscript_expression) @name right: [(arrow_function) (function_expression) (generator_function)] @function) @definition.function)
(expression_statement (assignment_expression left: (identifier) @name right: [(arrow_function) (function_expression) (generator_function)] @function) @definition.function)
(assignment_expression right: (assignment_expression left: (member_expression object: (_) @owner property: (property_identifier) @name) right: [(arrow_function) (function_expression) (generator_function)] @function) @definition.method)
(export_statement "default" @default value: [(arrow_function) (function_expression) (generator_function) (class)] @definition.anonymous)
(export_statement "default" @default declaration: [(function_declaration) (class_declaration)] @definition.anonymous)
(function_expression name: (identifier) @name) @definition.function
(class name: (_) @name) @definition.class
[(arrow_function) (function_expression) (generator_function)] @definition.anonymous

(export_statement declaration: (_) @wrapped) @wrapper
(export_statement value: (_) @wrapped) @wrapper
(lexical_declaration . (variable_declarator) @wrapped .) @wrapper
(variable_declaration . (variable_declarator) @wrapped .) @wrapper
(expression_statement (assignment_expression) @wrapped) @wrapper
(decorator) @decorator
(comment) @comment

[
  (if_statement)
  (for_statement)
  (for_in_statement)
  (while_statement)
  (do_statement)
  (switch_case)
  (catch_clause)
  (ternary_expression)
  (binary_expression operator: ["&&" "||" "??"])
] @branch
