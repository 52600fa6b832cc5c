; Fields of JavaScript's classes that are only assigned; behind the patterns of functions, which count first.
(expression_statement (assignment_expression left: (member_expression object: (this) property: [(property_identifier) (private_property_identifier)] @name)) @definition.field)
