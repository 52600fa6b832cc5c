; Uses and bindings that only JavaScript's grammar has under these names.
(formal_parameters (identifier) @name) @binding.local
(formal_parameters (assignment_pattern left: (identifier) @name)) @binding.local
(field_definition property: [(property_identifier) (private_property_identifier)] @name value: (new_expression constructor: (_) @value)) @binding.constructed
(field_definition property: [(property_identifier) (private_property_identifier)] @name value: (call_expression function: (_) @value)) @binding.call
