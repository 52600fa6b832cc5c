; Definitions of Dart. Extensions are blocks of members, as `impl` blocks are in Rust.
(class_declaration name: (_) @name) @definition.class
(class_declaration (mixin_application_class . (identifier) @name)) @definition.class
(mixin_declaration name: (_) @name) @definition.trait
(enum_declaration name: (_) @name) @definition.enum
(enum_entry name: (_) @name) @definition.variant
(extension_declaration class: (_) @name) @definition.impl
(extension_type_declaration name: (extension_type_name . (identifier) @name)) @definition.class
(extension_type_representation name: (_) @name) @definition.field
(type_alias . (type_identifier) @name) @definition.type
(function_declaration signature: (function_signature name: (_) @name)) @definition.function
(external_function_declaration signature: (function_signature name: (_) @name)) @definition.function
(getter_declaration signature: (getter_signature name: (_) @name)) @definition.function
(setter_declaration signature: (setter_signature name: (_) @name)) @definition.function
(local_function_declaration (function_signature name: (_) @name)) @definition.function
(method_declaration signature: (method_signature [(function_signature name: (_) @name) (getter_signature name: (_) @name) (setter_signature name: (_) @name) (operator_signature operator: _ @name)])) @definition.method
(declaration [(function_signature name: (_) @name) (getter_signature name: (_) @name) (setter_signature name: (_) @name) (operator_signature operator: _ @name)]) @definition.method
(method_declaration signature: (method_signature [(constructor_signature name: (identifier) @name . parameters: (_)) (constant_constructor_signature name: (identifier) @name . parameters: (_)) (factory_constructor_signature name: (identifier) @name . parameters: (_)) (redirecting_factory_constructor_signature name: (identifier) @name . parameters: (_))])) @definition.constructor
(declaration [(constructor_signature name: (identifier) @name . parameters: (_)) (constant_constructor_signature name: (identifier) @name . parameters: (_)) (factory_constructor_signature name: (identifier) @name . parameters: (_)) (redirecting_factory_constructor_signature name: (identifier) @name . parameters: (_))]) @definition.constructor
(declaration (initialized_identifier_list (initialized_identifier name: (_) @name value: (function_expression) @function))) @definition.method
(declaration (initialized_identifier_list (initialized_identifier name: (_) @name))) @definition.field
(declaration (static_final_declaration_list (static_final_declaration name: (_) @name value: (function_expression) @function))) @definition.method
(declaration (static_final_declaration_list (static_final_declaration name: (_) @name))) @definition.field
(top_level_variable_declaration (initialized_identifier_list (initialized_identifier name: (_) @name value: (function_expression) @function))) @definition.function
(top_level_variable_declaration (initialized_identifier_list (initialized_identifier name: (_) @name))) @definition.variable
(top_level_variable_declaration (static_final_declaration_list (static_final_declaration name: (_) @name value: (function_expression) @function))) @definition.function
(top_level_variable_declaration (static_final_declaration_list (static_final_declaration name: (_) @name))) @definition.variable
(initialized_variable_declaration name: (_) @name value: (function_expression) @function) @definition.function

(annotation) @decorator
[(comment) (documentation_comment)] @comment

[
  (if_statement)
  (if_element)
  (for_statement)
  (for_element)
  (while_statement)
  (do_statement)
  (switch_statement_case)
  (switch_expression_case)
  (catch_clause)
  (conditional_expression)
  (logical_and_expression)
  (logical_or_expression)
  (if_null_expression)
] @branch

(superclass type: (_) @base.extends)
(mixin_application . (type) @base.extends)
(mixins (type) @base.extends)
(mixin_declaration (type) @base.extends)
(interfaces (type) @base.implements)
