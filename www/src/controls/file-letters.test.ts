import assert from "node:assert/strict";
import { test } from "node:test";
import { familyOf, lettersOf } from "./file-letters.ts";

const table: [string, string, string][] = [
  ["src/a.ts", "ts", "code"],
  ["src/a.test.ts", "ts", "test"],
  ["tests/Cart.java", "jv", "test"],
  ["README.md", "md", "text"],
  ["LICENSE-MIT", "§", "other"],
  ["Makefile", "mk", "other"],
  ["a/b", "·", "other"],
  ["x.unknownending", "un", "other"],
  ["latest.css", "#", "style"],
  ["gpj.\u202Esj", "·", "other"],
];

for (const [path, letters, family] of table)
  test(`icon of ${JSON.stringify(path)}`, () => assert.deepEqual([lettersOf(path), familyOf(path)], [letters, family]));
