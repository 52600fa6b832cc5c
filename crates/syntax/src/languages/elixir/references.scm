; Uses of names in Elixir.
(call target: (identifier) @_import (arguments . [(alias) (dot)]) (#any-of? @_import "alias" "import" "require" "use")) @import

; What a specification is about is no call.
(unary_operator operator: "@" operand: (call target: (identifier) @_spec (arguments . [(binary_operator left: (call target: (identifier) @name)) (binary_operator left: (binary_operator left: (call target: (identifier) @name)))])) (#any-of? @_spec "spec" "callback" "macrocallback" "type" "typep" "opaque"))

; Words of the language.
(call target: (identifier) @name (#any-of? @name "def" "defp" "defn" "defnp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defmodule" "defprotocol" "defimpl" "defstruct" "defexception" "defoverridable" "case" "cond" "if" "unless" "with" "for" "quote" "unquote" "unquote_splicing" "receive" "try" "super"))
(unary_operator operator: "@" operand: (identifier) @name) @reference.value
(unary_operator operator: "@" operand: (call target: (identifier) @name))
((identifier) @name (#any-of? @name "__MODULE__" "__DIR__" "__ENV__" "__CALLER__" "__STACKTRACE__"))

(call target: (identifier) @name (arguments)? @arguments) @reference.call
(call target: (dot left: (_) @receiver right: (identifier) @name) (arguments) @arguments) @reference.method
(call target: (dot left: [(alias) (atom)] @receiver right: (identifier) @name)) @reference.method
(call target: (dot left: (_) @receiver right: (identifier) @name)) @reference.member
(binary_operator operator: "|>" right: (identifier) @name) @reference.call
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @name operator: "/")) @reference.value
(map (struct (alias) @name)) @reference.new

; What is said about types.
(binary_operator left: (identifier) @name operator: "=" right: (map (struct [(alias) (identifier)] @value))) @binding.constructed
(binary_operator left: (map (struct [(alias) (identifier)] @value)) operator: "=" right: (identifier) @name) @binding.constructed
(binary_operator left: (identifier) @name operator: "=" right: (call target: [(dot) (identifier)] @value)) @binding.call
(binary_operator left: (identifier) @name operator: "=" right: (identifier) @value) @binding.alias
(binary_operator left: (identifier) @name operator: "<-" right: (_) @value) @binding.element
(binary_operator left: (identifier) @name operator: ["=" "<-"]) @binding.local
(binary_operator left: [(tuple (identifier) @name) (list (identifier) @name) (tuple (tuple (identifier) @name)) (list (binary_operator [(identifier) (list)] @name))] operator: ["=" "<-"]) @binding.local
(map_content (keywords (pair value: (identifier) @name))) @reference.value
(stab_clause left: (arguments (identifier) @name)) @binding.local
(stab_clause left: (arguments [(tuple (identifier) @name) (list (identifier) @name)])) @binding.local
(stab_clause left: (binary_operator left: (arguments [(identifier) @name (tuple (identifier) @name)]) operator: "when")) @binding.local
(call target: (identifier) @_def (arguments . [(call (arguments (identifier) @name)) (binary_operator left: (call (arguments (identifier) @name)) operator: "when")]) (#any-of? @_def "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defn" "defnp" "defdelegate")) @binding.local
(call target: (identifier) @_def (arguments . [(call (arguments [(tuple (identifier) @name) (list (identifier) @name) (map (map_content (keywords (pair value: (identifier) @name))))])) (binary_operator left: (call (arguments (tuple (identifier) @name))) operator: "when")]) (#any-of? @_def "def" "defp" "defmacro" "defmacrop")) @binding.local

(alias) @reference.value
(identifier) @reference.value
