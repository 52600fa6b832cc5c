// docs/openapi.json and the server say the same about addresses, and about what fields of requests may hold; limits without their object.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { wholeNumbers } from "../../crates/edge/worker/numbers.mjs";
import { ObjectLimiter } from "../dist/shared/limiter.js";
import { methodsAt } from "../dist/shared/methods.js";
import { sourceOf } from "../dist/shared/manifest.js";
import { isRepositoryName } from "../dist/shared/names.js";
import { KIND, LANGUAGE, RELATION, REPOSITORY } from "./openapi-fields.mjs";

const { paths, components } = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));

test("the methods of an address are those of the document", () => {
  for (const [path, operations] of Object.entries(paths)) {
    const methods = Object.keys(operations).flatMap((name) =>
      name === "get" ? ["GET", "HEAD"] : [name.toUpperCase()],
    );
    const allowed = methodsAt(path.replace(/\{\w+\}/g, "x"));
    assert.deepEqual([...allowed].sort(), [...methods, "OPTIONS"].sort(), path);
  }
  assert.equal(methodsAt("/v1/structural"), undefined);
  assert.equal(methodsAt("/v1/repos/a/b/c"), undefined);
});

test("every number of a request has bounds", () => {
  const requests = Object.entries(components.schemas).filter(([name]) => name.endsWith("Request"));
  assert.ok(requests.length > 30);
  for (const [name, { properties = {} }] of requests)
    for (const [field, { type, minimum, maximum }] of Object.entries(properties))
      if (type === "integer") assert.ok(minimum >= 0 && maximum > minimum, `${name}.${field}`);
});

test("words of fields are those of the engine", () => {
  const listed = (file, pattern) => {
    const text = readFileSync(new URL(`../../crates/${file}`, import.meta.url), "utf8");
    return new Set([...text.matchAll(pattern)].map(([, word]) => word));
  };
  const languages = listed("syntax/src/language/mod.rs", /"([a-z]+)"/g);
  for (const language of LANGUAGE.enum) assert.ok(languages.has(language), language);
  assert.equal(new Set([...KIND.enum, ...RELATION.enum]).size, KIND.enum.length + RELATION.enum.length);
});

test("names of repositories in the document are those that the server takes", () => {
  const fits = (name) => name.length <= REPOSITORY.maxLength && new RegExp(REPOSITORY.pattern).test(name);
  const names = [
    "a",
    "a/b",
    "a.b",
    "a.",
    ".a",
    "_a",
    "a_",
    "a/",
    "/a",
    "",
    "a//b",
    "a b",
    "a/b/c/d/e/f/g/h",
    "a/b/c/d/e/f/g/h/i",
  ];
  for (const name of [...names, "x".repeat(100), "x".repeat(101)])
    assert.equal(fits(name), isRepositoryName(name), name);
});

test("a source of null is refused, and whole numbers may be written with a fraction", () => {
  assert.deepEqual(sourceOf(undefined), {});
  assert.throws(() => sourceOf(null), { code: "version.invalid" });
  const numbers = (json, path = "/v1/search") => wholeNumbers(json, path);
  assert.equal(numbers('{"limit":9.0,"offset":-3.00}'), '{"limit":9,"offset":-3}');
  assert.equal(
    numbers('{"a":9.05,"b":1.0e3,"c":"9.0 \\" 8.0","d":[2.0]}'),
    '{"a":9.05,"b":1.0e3,"c":"9.0 \\" 8.0","d":[2]}',
  );
  assert.equal(numbers('{"parameters":{"x":9.0}}', "/v1/cypher"), '{"parameters":{"x":9.0}}');
  const long = `{"query":"${"\\\\".repeat(200_000)} 1.0"`;
  assert.equal(numbers(long), long);
  const open = `${'"'.repeat(3)}${"\\x".repeat(100_000)}1.0`;
  assert.ok(numbers(open).length > 0);
});

test("numbers and texts without an end cost one look at each byte", () => {
  const n = 400_000;
  for (const body of [
    `1.0 ${"1".repeat(n)}`,
    `1.0 "${'\\"'.repeat(n / 2)}`,
    `1.${"0".repeat(n)}x`,
    "1.0".repeat(n / 3),
  ]) {
    const start = performance.now();
    wholeNumbers(body, "/v1/search");
    const taken = performance.now() - start;
    assert.ok(taken < 1_000, `${body.slice(0, 12)}…: ${taken} ms`);
  }
});

test("a rate holds for the isolate while the Durable Object does not answer", async () => {
  let answer = () => Promise.reject(new Error("Durable Object is overloaded"));
  const namespace = { idFromName: (name) => name, get: () => ({ fetch: () => answer() }) };
  const limiter = new ObjectLimiter(namespace);
  const rate = { per_minute: 1, burst: 2 };
  assert.deepEqual([await limiter.take("a", rate), await limiter.take("a", rate)], [0, 0]);
  assert.ok((await limiter.take("a", rate)) > 0);
  answer = async () => ({ text: async () => "<html>" });
  assert.ok((await limiter.take("a", rate)) > 0);
  answer = async () => ({ text: async () => "0" });
  assert.equal(await limiter.take("a", rate), 0);
});
