; Uses of names in Scala.
[(import_declaration) (export_declaration)] @import
(package_clause name: (package_identifier) @import)

(annotation name: (type_identifier) @name arguments: (arguments) @arguments) @reference.decorator
(annotation name: (type_identifier) @name) @reference.decorator
(call_expression function: (identifier) @name arguments: (arguments) @arguments) @reference.call
(call_expression function: (identifier) @name) @reference.call
(call_expression function: (generic_function function: (identifier) @name) arguments: (arguments) @arguments) @reference.call
(call_expression function: (field_expression value: (_) @receiver field: (_) @name) arguments: (arguments) @arguments) @reference.method
(call_expression function: (field_expression value: (_) @receiver field: (_) @name)) @reference.method
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (_) @name)) arguments: (arguments) @arguments) @reference.method
(infix_expression left: (_) @receiver operator: (identifier) @name) @reference.method
(instance_expression . (type_identifier) @name (arguments) @arguments) @reference.new
(instance_expression . (type_identifier) @name) @reference.new
(instance_expression . (generic_type type: (type_identifier) @name) (arguments) @arguments) @reference.new
(instance_expression . (generic_type type: (type_identifier) @name)) @reference.new
(instance_expression . (stable_type_identifier (_) @receiver . (type_identifier) @name .) (arguments) @arguments) @reference.new
(instance_expression . (stable_type_identifier (_) @receiver . (type_identifier) @name .)) @reference.new
(extends_clause type: (type_identifier) @name . arguments: (arguments) @arguments) @reference.new
(extends_clause type: (generic_type type: (type_identifier) @name) . arguments: (arguments) @arguments) @reference.new
(stable_type_identifier (_) @receiver . (type_identifier) @name .) @reference.type
(field_expression value: (_) @receiver field: (_) @name) @reference.member
(type_identifier) @reference.type

; What is said about types.
(parameter name: (_) @name type: (_) @value) @binding.annotated
(class_parameter name: (_) @name type: (_) @value) @binding.annotated
(binding name: (_) @name type: (_) @value) @binding.annotated
(val_definition pattern: (identifier) @name type: (_) @value) @binding.annotated
(var_definition pattern: (identifier) @name type: (_) @value) @binding.annotated
(val_declaration name: (identifier) @name type: (_) @value) @binding.annotated
(var_declaration name: (identifier) @name type: (_) @value) @binding.annotated
(typed_pattern pattern: (identifier) @name type: (_) @value) @binding.annotated
(val_definition pattern: (identifier) @name value: (instance_expression . (_) @value)) @binding.constructed
(val_definition pattern: (identifier) @name value: (call_expression function: (generic_function function: (_) @value))) @binding.call
(val_definition pattern: (identifier) @name value: (call_expression function: (_) @value)) @binding.call
(val_definition pattern: (identifier) @name value: [(identifier) (field_expression)] @value) @binding.alias
(var_definition pattern: (identifier) @name value: (instance_expression . (_) @value)) @binding.constructed
(var_definition pattern: (identifier) @name value: (call_expression function: (_) @value)) @binding.call
(enumerator . (identifier) @name "<-" (_) @value) @binding.element
(enumerator . (identifier) @name . (call_expression function: (_) @value)) @binding.call
(enumerator . (identifier) @name . [(identifier) (field_expression)] @value) @binding.alias
(arguments (assignment_expression left: (identifier) @name))
(assignment_expression left: [(identifier) (field_expression)] @name right: (instance_expression . (_) @value)) @binding.constructed
(assignment_expression left: (field_expression) @name right: (identifier) @value) @binding.alias
(val_definition pattern: (identifier) @name) @binding.local
(var_definition pattern: (identifier) @name) @binding.local
(lambda_expression parameters: (identifier) @name) @binding.local
(binding name: (_) @name) @binding.local
(colon_argument lambda_start: (identifier) @name) @binding.local
(tuple_pattern (identifier) @name) @binding.local
(case_class_pattern pattern: (identifier) @name) @binding.local
((case_clause pattern: (identifier) @name) @binding.local (#match? @name "^[a-z_]"))
((identifier) @name (#any-of? @name "this" "super"))
(self_type . (identifier) @name) @binding.local
(field_expression value: (wildcard) @name) @binding.local
(type_parameters name: (identifier) @name)
(interpolated_string_expression interpolator: (identifier) @name)

(identifier) @reference.value
