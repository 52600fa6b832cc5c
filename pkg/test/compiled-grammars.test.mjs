// Grammar files that are compiled here, not fetched with a digest: they read what the native parsers read, by the cases of the native tests.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Portolan } from "portolan";

import { folderWith } from "./fixture.mjs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** The compiled languages, with the ending of their files. */
const LANGUAGES = { swift: "swift", dart: "dart" };
/** Those of documents, which only structural search parses. */
const DOCUMENTS = { markdown: "md", sql: "sql" };

/** Sources of a native test file, each with its symbols: kind, name, first and last line. */
function casesOf(language) {
  const cases = [
    ...read(`crates/syntax/tests/suite/${language}.rs`).matchAll(
      /check_symbols\(\s*\w+,\s*r#"([\s\S]*?)"#,\s*expect!\[\[r#"([\s\S]*?)"#\]\]/g,
    ),
  ];
  return cases.map(([, source, expected]) => ({
    source,
    symbols: [...expected.matchAll(/^ *([A-Z]\w+) (.+?) (\d+)-(\d+)(?= )/gm)]
      .map(([, kind, name, from, to]) => `${kind.toLowerCase()} ${name} ${from}-${to}`)
      .sort(),
  }));
}

/** The symbols of an outline and all that they contain, in the words of the native tests. */
const flat = (symbols) =>
  symbols.flatMap(({ symbol, children = [] }) => [
    `${symbol.kind.replaceAll(/[_-]/g, "")} ${symbol.qualified_name} ${symbol.start_line}-${symbol.end_line}`,
    ...flat(children),
  ]);

test("every compiled grammar is among them", () => {
  const compiled = [...read("grammars.toml").matchAll(/^\[compiled\.(\w+)\]$/gm)].map(([, name]) => name);
  assert.deepEqual(compiled.sort(), Object.keys({ ...LANGUAGES, ...DOCUMENTS }).sort());
});

for (const [language, ending] of Object.entries(LANGUAGES)) {
  test(`${language} is read as natively`, async () => {
    const cases = casesOf(language);
    assert.ok(cases.length >= 4 && cases.every(({ symbols }) => symbols.length > 0), `${cases.length} cases`);
    const path = (n) => `src/case${n}.${ending}`;
    const index = await Portolan.index(
      folderWith(Object.fromEntries(cases.map(({ source }, n) => [path(n), source]))),
      { embeddings: false },
    );
    for (const [n, { symbols }] of cases.entries()) {
      assert.deepEqual(flat((await index.outline(path(n))).symbols).sort(), symbols);
    }
    index.close();
  });
}

/** Searches in documents of a language, as the native tests ask them: form, text and the lines that are found. */
function searchesOf(language) {
  const source = read("crates/syntax/tests/suite/structural_documents.rs");
  const [, body] = new RegExp(`fn ${language}_has_a_tree\\(\\) \\{([\\s\\S]*?)\\n\\}\\n`).exec(source);
  const [, text] = /let text =\s*r#"([\s\S]*?)"#;/.exec(body);
  const searches = body.matchAll(
    /check(_query)?\(\s*Language::\w+,\s*(?:r#"([\s\S]*?)"#|"((?:[^"\\]|\\.)*)"),\s*text,\s*expect!\[\[r#"([\s\S]*?)"#\]\]/g,
  );
  return [...searches].map(([, isQuery, raw, plain, expected]) => ({
    text,
    form: { [isQuery ? "query" : "pattern"]: raw ?? plain },
    found: [...expected.matchAll(/^ *(\d+): (.*?)(?= \| |$)/gm)].map(([, line, piece]) => `${line} ${piece}`),
  }));
}

for (const [language, ending] of Object.entries({
  ...DOCUMENTS,
  toml: "toml",
  json: "json",
  yaml: "yml",
  html: "html",
  css: "css",
})) {
  test(`structural search in ${language} finds what it finds natively`, async () => {
    const searches = searchesOf(language);
    assert.ok(searches.length >= 2 && searches.every(({ found }) => found.length > 0), JSON.stringify(searches));
    const path = `docs/case.${ending}`;
    const index = await Portolan.index(folderWith({ [path]: searches[0].text, "a.js": "f(1);\n" }), {
      embeddings: false,
    });
    for (const { form, found } of searches) {
      const { matches, languages } = await index.structural({ ...form, languages: [language] });
      assert.deepEqual(languages, [language]);
      assert.deepEqual(
        matches.map(({ start_line, text }) => `${start_line} ${text.replaceAll("\n", "⏎")}`),
        found,
      );
    }
    const { languages } = await index.structural("f($A)");
    assert.deepEqual(languages, ["javascript"], "documents only if they are named");
    index.close();
  });
}
