; Definitions of Ruby.
(module name: (constant) @name) @definition.module
(module name: (scope_resolution scope: (_)? @owner name: (_) @name)) @definition.module
(class name: (constant) @name) @definition.class
(class name: (scope_resolution scope: (_)? @owner name: (_) @name)) @definition.class
(class superclass: (superclass (_) @base.extends))
(singleton_class value: (_) @owner body: (body_statement (method name: (_) @name) @definition.method))
(method name: (_) @name) @definition.function
(singleton_method object: (_) @owner name: (_) @name) @definition.method
(alias name: (_) @name) @definition.method

; Definitions that are calls.
(call !receiver method: (identifier) @_attr arguments: (argument_list [(simple_symbol) (string)] @name) (#any-of? @_attr "attr_accessor" "attr_reader" "attr_writer" "attr" "cattr_accessor" "mattr_accessor" "class_attribute")) @definition.field
(call !receiver method: (identifier) @_alias arguments: (argument_list . (simple_symbol) @name) (#any-of? @_alias "alias_method" "define_method" "def_delegator")) @definition.method
(call !receiver method: (identifier) @_forward arguments: (argument_list (_) (simple_symbol) @name) (#eq? @_forward "def_delegators")) @definition.method
(call !receiver method: (identifier) @_forward arguments: (argument_list (simple_symbol) @name (pair)) (#eq? @_forward "delegate")) @definition.method
(call method: (identifier) @_test arguments: (argument_list . [(string (string_content) @name) (constant) @name (scope_resolution) @name]) block: (_) @function (#any-of? @_test "describe" "context" "it" "specify" "feature" "scenario" "test" "should" "shared_examples" "shared_context")) @definition.function
(call !receiver method: (identifier) @_visible arguments: (argument_list . (_) @wrapped .) (#any-of? @_visible "private" "protected" "public" "private_class_method" "module_function")) @wrapper
(call !receiver method: (identifier) @_mixin arguments: (argument_list [(constant) (scope_resolution)] @base.implements) (#any-of? @_mixin "include" "prepend" "extend"))

; Constants, some of which are classes.
(assignment left: (constant) @name right: (call receiver: (constant) @_kind method: (identifier) @_new) (#any-of? @_kind "Struct" "Class" "Data") (#any-of? @_new "new" "define")) @definition.class
(assignment left: (constant) @name right: (call receiver: (constant) @_kind method: (identifier) @_new) (#eq? @_kind "Module") (#eq? @_new "new")) @definition.module
(assignment left: (constant) right: (call receiver: (constant) @_kind method: (identifier) @_new arguments: (argument_list (simple_symbol) @name) @definition.field) (#any-of? @_kind "Struct" "Data") (#any-of? @_new "new" "define"))
(assignment left: (constant) right: (call receiver: (constant) @_kind method: (identifier) @_new arguments: (argument_list . [(constant) (scope_resolution)] @base.extends)) (#eq? @_kind "Class") (#eq? @_new "new"))
(assignment left: (constant) @name right: (lambda) @function) @definition.function
(assignment left: (constant) @name) @definition.constant
(assignment left: (scope_resolution scope: (_) @owner name: (constant) @name)) @definition.constant
(operator_assignment left: (constant) @name) @definition.constant
(assignment left: (class_variable) @name) @definition.variable
(program (assignment left: (global_variable) @name) @definition.variable)
(assignment left: (identifier) @name right: (lambda) @function) @definition.function

(comment) @comment

[
  (if)
  (elsif)
  (unless)
  (while)
  (until)
  (for)
  (when)
  (in_clause)
  (rescue)
  (conditional)
  (if_modifier)
  (unless_modifier)
  (while_modifier)
  (until_modifier)
  (rescue_modifier)
  (binary operator: ["&&" "||" "and" "or"])
] @branch
