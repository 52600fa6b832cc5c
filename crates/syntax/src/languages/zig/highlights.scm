; Colours of Zig, adapted from tree-sitter-zig's highlights.scm (MIT). Where two patterns name a place, the first counts.
(parameter name: (identifier) @parameter)
(payload (identifier) @parameter)
(function_declaration name: (identifier) @function)
(call_expression function: (identifier) @function)
(call_expression function: (field_expression member: (identifier) @function))
(container_field name: (identifier) @property)
(field_expression member: (identifier) @property)
(builtin_identifier) @builtin
[(builtin_type) "anyframe"] @type
((identifier) @type (#match? @type "^[A-Z_][a-zA-Z0-9_]*$"))
((identifier) @constant (#any-of? @constant "null" "undefined" "unreachable"))
(boolean) @constant
[(integer) (float)] @number
(escape_sequence) @escape
[(string) (multiline_string) (character)] @string
(comment) @comment
(block_label (identifier) @label)
(break_label (identifier) @label)
[
  "asm" "defer" "errdefer" "test" "error" "const" "var" "struct" "union" "enum" "opaque" "async" "await" "suspend" "nosuspend"
  "resume" "fn" "and" "or" "orelse" "return" "if" "else" "switch" "for" "while" "break" "continue" "usingnamespace" "export" "try"
  "catch" "volatile" "allowzero" "noalias" "align" "callconv" "pub" "inline" "noinline" "extern" "comptime" "packed" "threadlocal"
] @keyword
["=" "+=" "-=" "*=" "/=" "==" "!=" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "&" "|" "^" "~" "!" ".*" ".?" "?" ".." "++" "**" "=>" "<<" ">>"] @operator
