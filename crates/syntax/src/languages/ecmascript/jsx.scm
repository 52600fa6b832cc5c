; Elements name components; those in lower case are the host's.
(jsx_opening_element name: (identifier) @name) @reference.jsx
(jsx_opening_element name: (member_expression object: (_) @receiver property: (_) @name)) @reference.jsx
(jsx_self_closing_element name: (identifier) @name) @reference.jsx
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (_) @name)) @reference.jsx
(jsx_closing_element name: (identifier) @name)
(jsx_closing_element name: (member_expression property: (_) @name))
