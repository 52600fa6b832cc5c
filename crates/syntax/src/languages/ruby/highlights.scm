; Colours of Ruby, adapted from tree-sitter-ruby's highlights.scm (MIT). Where two patterns name a place, the first counts.
((identifier) @keyword (#any-of? @keyword "private" "protected" "public" "require" "require_relative" "include" "extend" "prepend" "raise" "attr_accessor" "attr_reader" "attr_writer" "module_function"))
(method name: (_) @function)
(singleton_method name: (_) @function)
(setter (identifier) @function)
(alias name: (_) @function)
(class name: (constant) @type)
(module name: (constant) @namespace)
(call method: [(identifier) (constant)] @function)
(block_parameters (identifier) @parameter)
(method_parameters (identifier) @parameter)
(lambda_parameters (identifier) @parameter)
(destructured_parameter (identifier) @parameter)
(optional_parameter name: (identifier) @parameter)
(keyword_parameter name: (identifier) @parameter)
(splat_parameter name: (identifier) @parameter)
(hash_splat_parameter name: (identifier) @parameter)
(block_parameter name: (identifier) @parameter)
[(class_variable) (instance_variable) (global_variable)] @property
[(self) (super)] @builtin
((constant) @constant (#match? @constant "^[A-Z][A-Z0-9_]+$"))
(constant) @type
[(nil) (true) (false)] @constant
[(integer) (float) (rational) (complex)] @number
[(simple_symbol) (delimited_symbol) (hash_key_symbol) (bare_symbol)] @constant
(interpolation) @none
[(string) (bare_string) (subshell) (heredoc_body) (heredoc_beginning) (character)] @string
(regex) @regexp
(escape_sequence) @escape
(comment) @comment
[
  "alias" "and" "begin" "break" "case" "class" "def" "do" "else" "elsif" "end" "ensure" "for" "if" "in" "module" "next" "or"
  "rescue" "retry" "return" "then" "unless" "until" "when" "while" "yield" "not" "undef" "defined?" "redo"
] @keyword
["=" "=>" "->" "==" "!=" "<" ">" "<=" ">=" "<=>" "===" "=~" "!~" "+" "-" "*" "/" "%" "**" "<<" ">>" "&&" "||" "!" "&." "+=" "-=" "||=" "&&="] @operator
