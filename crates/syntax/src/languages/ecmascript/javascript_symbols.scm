; Definitions that only JavaScript's grammar has under these names.
(field_definition property: (_) @name value: [(arrow_function) (function_expression)] @function) @definition.method
(field_definition property: (_) @name) @definition.field
(class_heritage (_) @base.extends)
