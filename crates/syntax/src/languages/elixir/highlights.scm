; Colours of Elixir, adapted from tree-sitter-elixir's highlights.scm (Apache-2.0). Where two patterns name a place, the first counts.
(unary_operator operator: "@" operand: (call target: (identifier) @comment (arguments [(string) (charlist) (sigil)] @comment)) (#any-of? @comment "moduledoc" "typedoc" "doc"))
(unary_operator operator: "@" @attribute operand: [(identifier) @attribute (call target: (identifier) @attribute)])
(call target: (identifier) @keyword (#any-of? @keyword "def" "defdelegate" "defexception" "defguard" "defguardp" "defimpl" "defmacro" "defmacrop" "defmodule" "defn" "defnp" "defoverridable" "defp" "defprotocol" "defstruct" "alias" "case" "cond" "for" "if" "import" "quote" "raise" "receive" "require" "reraise" "super" "throw" "try" "unless" "unquote" "unquote_splicing" "use" "with"))
(call target: (identifier) @function)
(call target: (dot right: (identifier) @function))
(binary_operator operator: "|>" right: (identifier) @function)
((identifier) @builtin (#any-of? @builtin "__MODULE__" "__DIR__" "__ENV__" "__CALLER__" "__STACKTRACE__"))
(alias) @type
[(boolean) (nil) (char) (atom) (quoted_atom)] @constant
[(keyword) (quoted_keyword)] @property
[(integer) (float)] @number
(escape_sequence) @escape
(interpolation) @none
[(string) (charlist) (sigil)] @string
(comment) @comment
["when" "and" "or" "not" "in" "not in" "fn" "do" "end" "catch" "rescue" "after" "else"] @keyword
(binary_operator operator: _ @operator)
(unary_operator operator: _ @operator)
