; Uses of names in Haskell.
(import) @import

(apply function: (variable) @name) @reference.call
(apply function: (qualified module: (module) @receiver id: (variable) @name)) @reference.path
(infix operator: (infix_id (variable) @name)) @reference.call
(infix operator: (infix_id (qualified module: (module) @receiver id: (variable) @name))) @reference.path
(infix operator: (operator) @name (#any-of? @name "+" "-" "*" "/" "$" "$!" "." "==" "/=" "<" ">" "<=" ">=" "&&" "||" "++" ">>=" ">>" "=<<" "<$>" "<*>" "*>" "<*" "<>" "<$" "$>" "!!" "^" "^^" "**" "<|>" ">=>" "<=<" "&" "<&>" "&&&" "***" "%"))
(infix operator: (operator) @name) @reference.call
(infix operator: (qualified module: (module) @receiver id: (operator) @name)) @reference.path
(infix left_operand: (variable) @name operator: (operator) @_apply (#any-of? @_apply "$" "$!" "<$>" "=<<" "<$!>")) @reference.call
(infix left_operand: (qualified module: (module) @receiver id: (variable) @name) operator: (operator) @_apply (#any-of? @_apply "$" "$!" "<$>" "=<<" "<$!>")) @reference.path
(exp (variable) @name) @reference.call
(exp (qualified module: (module) @receiver id: (variable) @name)) @reference.path
(bind pattern: (_) expression: (variable) @name) @reference.call
(match expression: (variable) @name) @reference.value
(record expression: (constructor) @name) @reference.new
(record expression: (qualified module: (module) @receiver id: (constructor) @name)) @reference.new
(qualified module: (module) @receiver id: (name) @name) @reference.type
(qualified module: (module) @receiver id: (_) @name) @reference.member

; Type variables.
(type_params (variable) @name)
(type_params bind: (variable) @name)
(type_patterns (variable) @name)
(function parameter: (variable) @name)
(function result: (variable) @name)
(apply constructor: (_) argument: (variable) @name)
(apply constructor: (variable) @name)
(quantified_variables (variable) @name)
(field_update field: (field_name (variable) @name)) @reference.value
(exports (export type: (name) @name)) @reference.type
(exports (export variable: (variable) @name)) @reference.value

; Variables.
(patterns [(variable) @name (as bind: (variable) @name) (tuple (variable) @name) (list (variable) @name) (strict (variable) @name)]) @binding.local
(patterns (parens pattern: [(apply argument: (variable) @name) (infix (variable) @name) (apply function: (apply argument: (variable) @name)) (tuple (variable) @name) (signature pattern: (variable) @name)])) @binding.local
(function . (infix left_operand: (variable) @name) match: (_)) @binding.local
(function . (infix right_operand: (variable) @name) match: (_)) @binding.local
(bind pattern: [(variable) @name (tuple (variable) @name) (parens (apply argument: (variable) @name)) (apply argument: (variable) @name) (list (variable) @name) (as bind: (variable) @name)]) @binding.local
(bind name: (variable) @name) @binding.local
(generator pattern: [(variable) @name (tuple (variable) @name) (apply argument: (variable) @name)]) @binding.local
(alternative pattern: [(variable) @name (apply argument: (variable) @name) (apply function: (apply argument: (variable) @name)) (apply function: (apply function: (apply argument: (variable) @name))) (tuple (variable) @name) (infix (variable) @name) (as bind: (variable) @name) (list (variable) @name) (parens (apply argument: (variable) @name))]) @binding.local
(field_pattern (variable) @name) @binding.local

(name) @reference.type
(constructor) @reference.value
(variable) @reference.value
