; Definitions of Go.
(package_clause (package_identifier) @package)
(function_declaration name: (_) @name) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @owner)) name: (_) @name) @definition.method
(type_spec name: (_) @name type: (struct_type)) @definition.struct
(type_spec name: (_) @name type: (interface_type)) @definition.interface
(type_spec name: (_) @name) @definition.type
(type_alias name: (_) @name) @definition.type
(method_elem name: (_) @name) @definition.method
(field_declaration name: (_) @name) @definition.field
(const_spec (identifier) @name) @definition.constant
(var_spec name: (identifier) @name value: (expression_list . (func_literal) @function .)) @definition.function
(var_spec (identifier) @name) @definition.variable
(short_var_declaration left: (expression_list . (identifier) @name .) right: (expression_list . (func_literal) @function .)) @definition.function

(type_declaration . (type_spec) @wrapped .) @wrapper
(type_declaration . (type_alias) @wrapped .) @wrapper
(const_declaration . (const_spec) @wrapped .) @wrapper
(var_declaration . (var_spec) @wrapped .) @wrapper
(comment) @comment

[
  (if_statement)
  (for_statement)
  (expression_case)
  (type_case)
  (communication_case)
  (binary_expression operator: ["&&" "||"])
] @branch

(struct_type (field_declaration_list (field_declaration !name type: (_) @base.extends)))
(interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type)] @base.extends .))
