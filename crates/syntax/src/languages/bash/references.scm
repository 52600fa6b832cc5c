; Uses of names in Bash.
(command name: (command_name (word) @_source) argument: (_) (#any-of? @_source "source" "." "load" "bats_load_library")) @import

; Words that run what stands behind them.
(command name: (command_name (word) @_run) . argument: (word) @name (#any-of? @_run "run" "command" "exec" "eval" "time" "builtin" "sudo" "nohup" "refute" "assert")) @reference.call
(command name: (command_name (word) @_trap) . argument: (word) @name (#any-of? @_trap "trap" "export" "unset" "type" "hash" "complete")) @reference.value
(command name: (command_name (word) @_complete) argument: (word) @_flag . argument: (word) @name (#any-of? @_complete "complete" "export" "unset" "trap" "declare" "typeset" "compgen") (#any-of? @_flag "-F" "-f")) @reference.value
(declaration_command ["export" "declare" "typeset"] (word) @_flag (variable_name) @name (#eq? @_flag "-f")) @reference.value
(command name: (command_name (word) @name) (#match? @name "^[A-Za-z_.:@][A-Za-z0-9_.:@?!+-]*$") (#not-any-of? @name ":" "." "@test")) @reference.call

; Variables that live in a function only.
(declaration_command ["local" "declare" "typeset"] (variable_assignment name: (variable_name) @name value: (simple_expansion (variable_name) @value)) (#not-match? @value "^[0-9]+$")) @binding.alias
(declaration_command ["local" "declare" "typeset"] (variable_assignment name: (variable_name) @name value: (command_substitution . (command name: (command_name (word) @value)) .))) @binding.call
(variable_assignment name: (variable_name) @name value: (command_substitution . (command name: (command_name (word) @value)) .)) @binding.call
(declaration_command ["local" "declare" "typeset"] (variable_assignment name: (variable_name) @name)) @binding.local
(declaration_command ["local" "declare" "typeset"] (variable_name) @name) @binding.local
(for_statement variable: (variable_name) @name) @binding.local
(variable_assignment name: (variable_name) @name)
(variable_assignment name: (subscript name: (variable_name) @name))

(simple_expansion (variable_name) @name (#match? @name "^[A-Za-z_]")) @reference.value
(expansion (variable_name) @name (#match? @name "^[A-Za-z_]")) @reference.value
(subscript name: (variable_name) @name) @reference.value
