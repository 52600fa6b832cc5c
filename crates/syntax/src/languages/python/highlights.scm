; Colours of Python, adapted from tree-sitter-python's highlights.scm (MIT). Where two patterns name a place, the first counts.
(decorator "@" @attribute)
(decorator (identifier) @attribute)
(decorator (attribute attribute: (identifier) @attribute))
(decorator (call function: (identifier) @attribute))
(decorator (call function: (attribute attribute: (identifier) @attribute)))
((call function: (identifier) @type) (#match? @type "^[A-Z]"))
(call function: (attribute attribute: (identifier) @function))
(call function: (identifier) @function)
(function_definition name: (identifier) @function)
(class_definition name: (identifier) @type)
(type (identifier) @type)
(keyword_argument name: (identifier) @parameter)
(parameters (identifier) @parameter)
(typed_parameter . (identifier) @parameter)
(default_parameter name: (identifier) @parameter)
(typed_default_parameter name: (identifier) @parameter)
(attribute attribute: (identifier) @property)
((identifier) @builtin (#any-of? @builtin "self" "cls"))
((identifier) @constant (#match? @constant "^[A-Z][A-Z0-9_]+$"))
((identifier) @type (#match? @type "^[A-Z]"))
[(none) (true) (false)] @constant
[(integer) (float)] @number
(comment) @comment
(interpolation) @none
(string) @string
(escape_sequence) @escape
[
  "as" "assert" "async" "await" "break" "class" "continue" "def" "del" "elif" "else" "except" "finally" "for" "from"
  "global" "if" "import" "lambda" "nonlocal" "pass" "raise" "return" "try" "while" "with" "yield" "match" "case"
  "and" "in" "is" "not" "or" "is not" "not in"
] @keyword
[
  "-" "-=" "!=" "*" "**" "*=" "/" "//" "/=" "&" "%" "^" "+" "->" "+=" "<" "<<" "<=" "=" ":=" "==" ">" ">=" ">>" "|" "~"
] @operator
