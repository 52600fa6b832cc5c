(binary_operator
  lhs: (identifier) @name
  operator: ["<-" "="]
  rhs: (function_definition) @function) @definition.function

(comment) @comment
