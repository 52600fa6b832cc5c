//! Confidence in plain words: how sure the index is that a name means a definition, and why.

const reasons: Record<string, string> = {
  structure: "this is the definition itself",
  "lexical-scope": "it is declared in a function around it",
  "same-file": "it is declared in the same file",
  import: "it is imported by name from the file that defines it",
  "re-export": "it is imported from a file that passes it on",
  "glob-import": "it is imported together with everything else of a module",
  "module-member": "it is a member of an imported module",
  path: "its path is written out",
  "self-type": "it is a member of the type around it",
  "type-member": "it is a member of the type before it",
  "receiver-type": "it is a member of the type that the value before it was made with",
  "inferred-type": "it is a member of the type that follows from other calls",
  inherited: "a supertype has it",
  "trait-bound": "the trait or interface of the value before it has it",
  "same-package": "another file of the same package declares it",
  "usual-type": "values of this name nearly always have the type that has it",
  "unique-member": "it is the only member of this name in the repository",
  "unique-name": "it is the only definition of this name in the repository",
  "import-statement": "the import says so",
  heritage: "the head of a type names it",
  "structural-type": "it has the methods of the interface",
  override: "it overrides a method of the same name",
  "compiler-index": "a compiler's index says so",
};

/** The rule that found a definition, as a clause after “because”. */
export function because(reason: string): string {
  return reasons[reason] ?? reason.replaceAll("-", " ");
}

/** How sure it is, for a share of right results between 0 and 1. */
export function sureness(confidence: number): string {
  if (confidence >= 0.995) return "Certain";
  if (confidence >= 0.95) return "Nearly certain";
  if (confidence >= 0.8) return "Likely";
  return confidence >= 0.6 ? "Probable" : "A guess";
}

/** `Likely, because it is the only definition of this name in the repository (right in 80 of 100 cases)`. */
export function inPlainWords(confidence: number, reason: string): string {
  const sure = sureness(confidence);
  const cases = confidence >= 0.995 ? "" : ` (right in ${Math.round(confidence * 100)} of 100 cases)`;
  return `${sure}, because ${because(reason)}${cases}`;
}
