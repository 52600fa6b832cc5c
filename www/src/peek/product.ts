//! Product code first: uses in tests, and in examples and documents, come after those that make the program.

export type Part = "product" | "tests" | "examples";

export const PARTS: readonly { readonly id: Part; readonly title: string }[] = [
  { id: "product", title: "Product code" },
  { id: "tests", title: "Tests" },
  { id: "examples", title: "Examples, benchmarks and documents" },
];

const testFolder = /(^|\/)(tests?|specs?|__tests__|__mocks__|testing|testdata|e2e|fixtures?)\//i;
const testFile =
  /(^|\/)(test_[^/]*|[^/]*[._-](test|tests|spec|e2e|bench)\.[^/]+|[^/]*_test\.[^/]+|conftest\.py|[^/]*(Test|Tests|Spec|IT)\.(java|kt|cs|scala|swift|php))$/;
const exampleFolder = /(^|\/)(examples?|samples?|demos?|benchmarks?|benches|docs?|documentation)\//i;
const document = /\.(md|mdx|rst|adoc|txt|ipynb)$/i;

/** The part of a repository that a file belongs to, by its path. */
export function partOf(path: string): Part {
  if (testFolder.test(path) || testFile.test(path)) return "tests";
  return exampleFolder.test(path) || document.test(path) ? "examples" : "product";
}

/** Items by part, product code first; parts without items are left out, the order within a part stays. */
export function byPart<T>(items: readonly T[], pathOf: (item: T) => string): { title: string; id: Part; items: T[] }[] {
  const groups = new Map<Part, T[]>();
  for (const item of items) {
    const part = partOf(pathOf(item));
    const group = groups.get(part);
    if (group) group.push(item);
    else groups.set(part, [item]);
  }
  return PARTS.flatMap(({ id, title }) => {
    const group = groups.get(id);
    return group ? [{ id, title, items: group }] : [];
  });
}
