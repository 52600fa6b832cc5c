(comment) @comment
(float) @number
(string) @string
(binary_operator
  lhs: (identifier) @function
  operator: "<-"
  rhs: (function_definition))
