; Definitions of Elixir: all of them are calls.
(call target: (identifier) @_def (arguments . (alias) @name) (#eq? @_def "defmodule")) @definition.module
(call target: (identifier) @_def (arguments . (alias) @name) (#eq? @_def "defprotocol")) @definition.interface
(call target: (identifier) @_def (arguments . (alias) @base.implements (keywords (pair key: (keyword) @_for value: (_) @name))) (#eq? @_def "defimpl") (#match? @_for "^for:")) @definition.impl
(call target: (identifier) @_def (arguments . (alias) @base.implements @name .) (#eq? @_def "defimpl")) @definition.impl
(call target: (identifier) @_def (arguments . [
  (identifier) @name
  (call target: (identifier) @name)
  (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
]) (#any-of? @_def "def" "defp" "defn" "defnp" "defdelegate")) @definition.function
(call target: (identifier) @_def (arguments . [
  (identifier) @name
  (call target: (identifier) @name)
  (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
]) (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp")) @definition.macro
(call target: (identifier) @_test (arguments . (string (quoted_content) @name)) (do_block) (#any-of? @_test "test" "describe" "property" "feature")) @definition.function
(call target: (identifier) @_def (arguments [(list [(atom) @name (keywords (pair key: (keyword) @name))]) (keywords (pair key: (keyword) @name))]) (#any-of? @_def "defstruct" "defexception")) @definition.field
(unary_operator operator: "@" operand: (call target: (identifier) @_type (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::"))) (#any-of? @_type "type" "typep" "opaque")) @definition.type
(unary_operator operator: "@" operand: (call target: (identifier) @_call (arguments . [(binary_operator left: (call target: (identifier) @name)) (binary_operator left: (binary_operator left: (call target: (identifier) @name)) operator: "when")])) (#any-of? @_call "callback" "macrocallback")) @definition.method
(unary_operator operator: "@" operand: (call target: (identifier) @name (arguments . (_) .)) (#not-any-of? @name "after_compile" "before_compile" "behaviour" "callback" "compile" "deprecated" "derive" "dialyzer" "doc" "enforce_keys" "external_resource" "impl" "macrocallback" "moduledoc" "moduletag" "on_definition" "on_load" "opaque" "optional_callbacks" "since" "spec" "tag" "type" "typedoc" "typep" "vsn")) @definition.constant

(unary_operator operator: "@" operand: (call target: (identifier) @_said) (#any-of? @_said "doc" "spec" "impl" "deprecated" "typedoc" "tag" "since")) @decorator
(unary_operator operator: "@" operand: (call target: (identifier) @_said (arguments . [(string) (sigil)] @doc)) (#eq? @_said "moduledoc"))
(unary_operator operator: "@" operand: (call target: (identifier) @_said (arguments . (alias) @base.implements)) (#eq? @_said "behaviour"))
(comment) @comment

(call target: (identifier) @_branch (#any-of? @_branch "if" "unless" "for" "with")) @branch
(call target: (identifier) @_case (do_block (stab_clause) @branch) (#any-of? @_case "case" "cond" "receive" "try"))
(rescue_block (stab_clause) @branch)
(anonymous_function (stab_clause) (stab_clause) @branch)
(binary_operator operator: ["&&" "||" "and" "or"]) @branch
