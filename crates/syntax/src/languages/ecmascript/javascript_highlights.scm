; Colours that only JavaScript's grammar has under these names.
(class_declaration name: (identifier) @type)
(formal_parameters (identifier) @parameter)
