; Definitions that only C++ has.
(class_specifier name: (_) @name body: (_)) @definition.class
(namespace_definition name: (_) @name) @definition.module
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.interface
(field_declaration_list (declaration declarator: (_) @name) @definition.method)
(template_declaration (declaration declarator: (_) @name) @definition.function)
(linkage_specification body: (declaration declarator: (_) @name) @definition.variable)
(field_declaration_list (access_specifier "public" @section.public))
(field_declaration_list (access_specifier "protected" @section.protected))
(field_declaration_list (access_specifier "private" @section.private))
(template_declaration [(function_definition) (class_specifier) (struct_specifier) (union_specifier) (declaration) (alias_declaration) (concept_definition)] @wrapped) @wrapper

[(for_range_loop) (catch_clause)] @branch

(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base.extends)
