; Colours of Bash, adapted from tree-sitter-bash's highlights.scm (MIT). Where two patterns name a place, the first counts.
(function_definition name: (word) @function)
((command_name (word) @builtin) (#any-of? @builtin "." ":" "alias" "cd" "command" "echo" "eval" "exec" "exit" "printf" "read" "return" "set" "shift" "shopt" "source" "test" "trap" "type" "wait"))
(command_name (word) @function)
(variable_assignment name: (variable_name) @property)
(variable_name) @property
(special_variable_name) @builtin
[(string) (raw_string) (ansi_c_string) (heredoc_body) (heredoc_start) (heredoc_end)] @string
(number) @number
(file_descriptor) @number
(comment) @comment
((word) @attribute (#match? @attribute "^-"))
[
  "case" "do" "done" "elif" "else" "esac" "export" "fi" "for" "function" "if" "in" "select" "then" "unset" "until" "while"
  "local" "declare" "typeset" "readonly"
] @keyword
["&&" "||" "|" ">" ">>" "<" "<<" "<<<" "$" "=" "+=" "==" "!=" "=~"] @operator
