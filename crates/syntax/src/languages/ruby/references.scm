; Uses of names in Ruby.
(call !receiver method: (identifier) @_require arguments: (argument_list (string)) (#any-of? @_require "require" "require_relative" "load" "autoload")) @import

(assignment left: (call receiver: (_) @receiver method: (_) @name)) @reference.member
; `Foo.new(1)` makes a Foo; the word `new` says no more.
(call receiver: (constant) @name method: (identifier) @_new arguments: (_)? @arguments (#eq? @_new "new")) @reference.new
(call receiver: (scope_resolution scope: (_)? @receiver name: (constant) @name) method: (identifier) @_new arguments: (_)? @arguments (#eq? @_new "new")) @reference.new
(call receiver: [(constant) (scope_resolution)] method: (identifier) @name (#eq? @name "new"))
(call receiver: (_) @receiver method: [(identifier) (constant) (operator)] @name arguments: (_)? @arguments) @reference.method
(call !receiver method: (_) @name arguments: (_)? @arguments) @reference.call
(super) @reference.call
(scope_resolution scope: (_) @receiver name: (constant) @name) @reference.member
(block_argument (simple_symbol))

; What is said about types.
(assignment left: [(identifier) (instance_variable) (class_variable) (constant)] @name right: (call receiver: [(constant) (scope_resolution)] @value method: (identifier) @_new (#eq? @_new "new"))) @binding.constructed
(operator_assignment left: [(identifier) (instance_variable) (class_variable)] @name operator: "||=" right: (call receiver: [(constant) (scope_resolution)] @value method: (identifier) @_new (#eq? @_new "new"))) @binding.constructed
(assignment left: [(identifier) (instance_variable) (class_variable) (constant)] @name right: (binary right: (call receiver: [(constant) (scope_resolution)] @value method: (identifier) @_new (#eq? @_new "new")))) @binding.constructed
(assignment left: [(identifier) (instance_variable) (class_variable) (constant)] @name right: (call) @value) @binding.call
(operator_assignment left: [(identifier) (instance_variable) (class_variable)] @name operator: "||=" right: (call) @value) @binding.call
(assignment left: [(identifier) (instance_variable) (class_variable) (constant)] @name right: [(identifier) (instance_variable) (self) (constant) (scope_resolution)] @value) @binding.alias
(operator_assignment left: [(identifier) (instance_variable) (class_variable)] @name operator: "||=" right: [(identifier) (instance_variable) (constant) (scope_resolution)] @value) @binding.alias
(call receiver: (_) @value method: (identifier) @_each block: (_ parameters: (block_parameters . (identifier) @name)) (#any-of? @_each "each" "map" "each_with_index" "select" "reject" "find" "flat_map" "any?" "all?" "sort_by" "filter_map" "each_with_object" "detect" "collect")) @binding.element
(for pattern: (identifier) @name value: (in (_) @value)) @binding.element
(rescue exceptions: (exceptions . [(constant) (scope_resolution)] @value .) variable: (exception_variable (identifier) @name)) @binding.annotated
(assignment left: [(identifier) (instance_variable)] @name) @binding.local
(operator_assignment left: [(identifier) (instance_variable)] @name) @binding.local
(left_assignment_list [(identifier) (instance_variable)] @name) @binding.local
(destructured_left_assignment (identifier) @name) @binding.local
(rest_assignment (identifier) @name) @binding.local
(method_parameters (identifier) @name) @binding.local
(block_parameters (identifier) @name) @binding.local
(lambda_parameters (identifier) @name) @binding.local
(destructured_parameter (identifier) @name) @binding.local
(optional_parameter name: (identifier) @name) @binding.local
(keyword_parameter name: (identifier) @name) @binding.local
(splat_parameter name: (identifier) @name) @binding.local
(hash_splat_parameter name: (identifier) @name) @binding.local
(block_parameter name: (identifier) @name) @binding.local
(exception_variable (identifier) @name) @binding.local
(for pattern: (_) @name) @binding.local
(method body: (_) "end" @name) @binding.local
(singleton_method body: (_) "end" @name) @binding.local
(method "=" @name body: (_)) @binding.local
(singleton_method "=" @name body: (_)) @binding.local

; A bare name that no variable has is a call.
(body_statement (identifier) @name (#any-of? @name "private" "protected" "public" "module_function" "private_constant"))
(identifier) @reference.call
(constant) @reference.value
