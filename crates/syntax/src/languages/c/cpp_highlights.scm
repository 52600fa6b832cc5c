; Colours that only C++ has, adapted from tree-sitter-cpp's highlights.scm (MIT).
(call_expression function: (qualified_identifier name: (identifier) @function))
(template_function name: (identifier) @function)
(template_method name: (field_identifier) @function)
(function_declarator declarator: (qualified_identifier name: (identifier) @function))
(function_declarator declarator: (field_identifier) @function)
(namespace_identifier) @namespace
[(auto) (this)] @builtin
(raw_string_literal) @string
[
  "catch" "class" "co_await" "co_return" "co_yield" "constexpr" "constinit" "consteval" "delete" "explicit" "final"
  "friend" "mutable" "namespace" "noexcept" "new" "override" "private" "protected" "public" "template" "throw" "try"
  "typename" "using" "concept" "requires" "virtual"
] @keyword
