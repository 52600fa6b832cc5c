; Colours of Lua, adapted from tree-sitter-lua's highlights.scm (MIT). Where two patterns name a place, the first counts.
(function_call name: (identifier) @builtin (#any-of? @builtin "assert" "error" "getmetatable" "ipairs" "next" "pairs" "pcall" "print" "rawget" "rawset" "require" "select" "setmetatable" "tonumber" "tostring" "type" "unpack" "xpcall"))
(function_declaration name: (identifier) @function)
(function_declaration name: (dot_index_expression field: (identifier) @function))
(function_declaration name: (method_index_expression method: (identifier) @function))
(function_call name: (identifier) @function)
(function_call name: (dot_index_expression field: (identifier) @function))
(function_call name: (method_index_expression method: (identifier) @function))
(field name: (identifier) @property)
(dot_index_expression field: (identifier) @property)
(parameters (identifier) @parameter)
(attribute (identifier) @attribute)
((identifier) @builtin (#any-of? @builtin "self" "_G" "_ENV"))
((identifier) @constant (#match? @constant "^[A-Z][A-Z0-9_]+$"))
[(nil) (true) (false) (vararg_expression)] @constant
(number) @number
(escape_sequence) @escape
(string) @string
(comment) @comment
(hash_bang_line) @comment
(label_statement) @label
(break_statement) @keyword
[
  "and" "do" "else" "elseif" "end" "for" "function" "goto" "if" "in" "local" "not" "or" "repeat" "return" "then" "until" "while"
] @keyword
["=" "==" "~=" "<" ">" "<=" ">=" "+" "-" "*" "/" "//" "%" "^" ".." "#" "&" "|" "~" "<<" ">>"] @operator
