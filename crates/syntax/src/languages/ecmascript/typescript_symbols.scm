; Definitions that only TypeScript has.
(function_signature name: (_) @name) @definition.function
(variable_declarator name: (identifier) @name value: (as_expression (parenthesized_expression [(arrow_function) (function_expression)] @function))) @definition.function
(variable_declarator name: (identifier) @name value: (satisfies_expression (parenthesized_expression [(arrow_function) (function_expression)] @function))) @definition.function
(abstract_class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name) @definition.enum
(enum_body name: (property_identifier) @name @definition.variant)
(enum_assignment name: (_) @name) @definition.variant
(internal_module name: (_) @name) @definition.module
(module name: (_) @name) @definition.module
(method_signature name: (property_identifier) @name (#eq? @name "constructor")) @definition.constructor
(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)] @function) @definition.method
(public_field_definition name: (_) @name) @definition.field
(interface_body (property_signature name: (_) @name type: (type_annotation (function_type))) @definition.method)
(interface_body (property_signature name: (_) @name) @definition.field)
(type_alias_declaration value: (object_type (method_signature name: (_) @name) @definition.method))
(type_alias_declaration value: (object_type (property_signature name: (_) @name) @definition.field))
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.field
(required_parameter "readonly" pattern: (identifier) @name) @definition.field
(ambient_declaration (_) @wrapped) @wrapper
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant))
(ambient_declaration (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable))
(internal_module body: (statement_block (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant))))
(expression_statement (internal_module) @wrapped) @wrapper

(class_heritage (extends_clause value: (_) @base.extends))
(class_heritage (implements_clause [(type_identifier) (nested_type_identifier) (generic_type)] @base.implements))
(extends_type_clause type: (_) @base.extends)
