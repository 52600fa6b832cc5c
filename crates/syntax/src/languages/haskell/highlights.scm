; Colours of Haskell, adapted from tree-sitter-haskell's highlights.scm (MIT). Where two patterns name a place, the first counts.
(pragma) @attribute
[(comment) (haddock)] @comment
(function name: (variable) @function)
(signature name: (variable) @function)
(declarations (bind name: (variable) @function))
(apply function: (variable) @function)
(apply function: (qualified id: (variable) @function))
(infix operator: (infix_id (variable) @function))
(field_name (variable) @property)
(patterns (variable) @parameter)
(module (module_id) @namespace)
(constructor) @constant
(name) @type
[(integer) (float)] @number
[(string) (char)] @string
((variable) @builtin (#any-of? @builtin "undefined" "error" "otherwise" "return" "pure"))
[
  "if" "then" "else" "case" "of" "import" "qualified" "module" "where" "let" "in" "class" "instance" "data" "newtype" "family"
  "type" "as" "hiding" "deriving" "via" "stock" "anyclass" "do" "mdo" "rec" "infix" "infixl" "infixr" "forall"
] @keyword
[(operator) (constructor_operator) (all_names) (wildcard) "=" "|" "::" "=>" "->" "<-" "\\" "`" "@"] @operator
