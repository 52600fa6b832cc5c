; Uses and bindings that only JavaScript's grammar has under these names.
(formal_parameters (identifier) @name) @binding.local
(formal_parameters (assignment_pattern left: (identifier) @name)) @binding.local
