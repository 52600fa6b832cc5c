(call
  function: (identifier) @name
  arguments: (_) @arguments) @reference.call
