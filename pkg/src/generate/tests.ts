/** The cases that tests name: behaviour in the words of those who wrote it. */

import type { CodeIndex } from "../code-index.js";
import type { FileEntry } from "../../wasm/reader.js";
import { partOf } from "./parts.js";
import { spoken } from "./words.js";

/** A test case in a file. */
export interface TestCase {
  readonly path: string;
  readonly line: number;
  /** In words: `should respond with 404`. */
  readonly says: string;
  /** As the line holds it. */
  readonly name: string;
}

/** Test cases by the forms that frameworks have for them. No pattern goes over the end of a line, on which its match is counted. */
const FORMS: readonly { readonly languages: readonly string[]; readonly pattern: string; readonly name: RegExp }[] = [
  {
    languages: ["javascript", "typescript", "tsx"],
    pattern: String.raw`^[ \t]*(it|test)(\.(only|skip|todo|fails|failing|concurrent))?\(\s*['"\x60]`,
    name: /\b(?:it|test)(?:\.\w+)?\(\s*(['"`])((?:(?!\1).){3,})\1/,
  },
  { languages: ["python"], pattern: String.raw`^[ \t]*(async )?def test_\w+`, name: /def ()(test_\w+)/ },
  { languages: ["go"], pattern: String.raw`^func Test\w+\(`, name: /func ()(Test\w+)/ },
  { languages: ["rust"], pattern: String.raw`^[ \t]*(pub )?(async )?fn \w+\(`, name: /fn ()(\w+)/ },
  {
    languages: ["ruby"],
    pattern: String.raw`^[ \t]*(it|test|specify) ['"]|^[ \t]*def test_\w+`,
    name: /(?:(?:it|test|specify) (['"])((?:(?!\1).){3,})\1|def (test_\w+))/,
  },
  { languages: ["elixir"], pattern: String.raw`^[ \t]*test "`, name: /test (")([^"]{3,})"/ },
  { languages: ["php"], pattern: String.raw`function test\w+\(`, name: /function ()(test\w+)/ },
  {
    languages: ["java", "kotlin"],
    pattern: String.raw`^[ \t]*(public )?(fun|void) \w+\(`,
    name: /(?:void|fun) ()(\w+)/,
  },
  {
    languages: ["csharp"],
    pattern: String.raw`^[ \t]*public (async )?(void|Task) \w+\(`,
    name: /(?:void|Task) ()(\w+)/,
  },
  { languages: ["c", "cpp"], pattern: String.raw`^[ \t]*TEST(_IMPL|_F|_P)?\(`, name: /TEST(?:_IMPL|_F|_P)?\(()(\w+)/ },
];

/** Languages in which a helper looks like a case: the line before must say that it is one. */
const MARKED: Record<string, RegExp> = {
  rust: /#\[(tokio::|crate::)?test|#\[rstest/,
  java: /@(Test|ParameterizedTest)\b/,
  kotlin: /@Test\b/,
  csharp: /\[(Fact|Theory|Test|TestMethod)\b/,
};

const MOST = 3_000;

/** Finds the test cases of all languages with known forms. */
export async function testsOf(index: Pick<CodeIndex, "regex">, files: readonly FileEntry[]): Promise<TestCase[]> {
  const found: TestCase[] = [];
  for (const { languages, pattern, name } of FORMS) {
    const there = languages.filter((language) => files.some((file) => file.language === language));
    if (there.length === 0) continue;
    const marks = languages.map((language) => MARKED[language]).find((mark) => mark !== undefined);
    const { matches } = await index.regex({
      pattern,
      languages: there,
      limit: MOST,
      ...(marks ? { context_lines: 3 } : {}),
    });
    for (const { path, line, text, before } of matches) {
      // Tests of Rust are beside what they test.
      if (partOf(path) !== "tests" && !languages.includes("rust")) continue;
      if (marks && !before.some((above) => marks.test(above))) continue;
      const match = name.exec(text);
      const said = match?.[2] ?? match?.[3];
      if (said) found.push({ path, line, name: said, says: caseInWords(said) });
    }
  }
  return found;
}

/** `TestMuxBasic`, `test_not_found`, `GetTwoTypesReturnsBoth` in words. */
function caseInWords(name: string): string {
  if (/\s/.test(name)) return name.trim();
  return spoken(name.replace(/^(test_|tests?(?=[A-Z_]))/i, "")) || spoken(name);
}
