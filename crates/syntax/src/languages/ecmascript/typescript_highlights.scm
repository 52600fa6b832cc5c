; Colours that only TypeScript has, adapted from tree-sitter-typescript's highlights.scm (MIT).
(type_identifier) @type
(predefined_type) @type
(function_signature name: (identifier) @function)
(method_signature name: (_) @function)
(abstract_method_signature name: (_) @function)
(required_parameter pattern: (identifier) @parameter)
(optional_parameter pattern: (identifier) @parameter)
[
  "abstract" "declare" "enum" "implements" "interface" "keyof" "namespace" "private" "protected" "public" "type" "readonly"
  "override" "satisfies" "infer" "is" "asserts" "module" "global"
] @keyword
