; Definitions of Swift. Extensions are blocks of members, as `impl` blocks are in Rust.
(class_declaration declaration_kind: "extension" name: (_) @name) @definition.impl
(class_declaration declaration_kind: "struct" name: (_) @name) @definition.struct
(class_declaration declaration_kind: "enum" name: (_) @name) @definition.enum
(class_declaration declaration_kind: ["class" "actor"] name: (_) @name) @definition.class
(protocol_declaration name: (_) @name) @definition.interface
(enum_entry name: (simple_identifier) @name) @definition.variant
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(function_declaration name: (simple_identifier) @name) @definition.function
(function_declaration "func" . name: _ @name) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(protocol_function_declaration "func" . name: _ @name) @definition.method
(init_declaration name: _ @name) @definition.constructor
(deinit_declaration "deinit" @name) @definition.method
(subscript_declaration "subscript" @name) @definition.method
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @definition.field
(class_body (property_declaration name: (pattern bound_identifier: (_) @name) computed_value: (_)) @definition.method)
(enum_class_body (property_declaration name: (pattern bound_identifier: (_) @name) computed_value: (_)) @definition.method)
(source_file (property_declaration name: (pattern bound_identifier: (_) @name) computed_value: (_)) @definition.function)
(property_declaration name: (pattern bound_identifier: (_) @name) value: (lambda_literal) @function) @definition.function
(source_file (property_declaration name: (pattern bound_identifier: (_) @name)) @definition.variable)
(class_body (property_declaration name: (pattern bound_identifier: (_) @name)) @definition.field)
(enum_class_body (property_declaration name: (pattern bound_identifier: (_) @name)) @definition.field)
(macro_declaration (simple_identifier) @name) @definition.macro

(attribute) @decorator
[(comment) (multiline_comment)] @comment

[
  (if_statement)
  (guard_statement)
  (for_statement)
  (while_statement)
  (repeat_while_statement)
  (switch_entry)
  (catch_block)
  (ternary_expression)
  (conjunction_expression)
  (disjunction_expression)
  (nil_coalescing_expression)
] @branch

; The first of a class may be its superclass; it is taken for that.
(class_declaration declaration_kind: "class" name: (_) . (inheritance_specifier inherits_from: (_) @base.extends))
(class_declaration declaration_kind: "class" (type_parameters) . (inheritance_specifier inherits_from: (_) @base.extends))
(class_declaration declaration_kind: "class" (inheritance_specifier) @_before . (inheritance_specifier inherits_from: (_) @base.implements))
(class_declaration declaration_kind: ["struct" "enum" "extension" "actor"] (inheritance_specifier inherits_from: (_) @base.implements))
(protocol_declaration (inheritance_specifier inherits_from: (_) @base.extends))
