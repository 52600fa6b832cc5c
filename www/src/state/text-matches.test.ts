import assert from "node:assert/strict";
import { test } from "node:test";
import { callsIn } from "./text-matches.ts";

test("names before a parenthesis are calls, each once, at their first line", () => {
  const lines = [
    "function createApplication() {",
    "  // mixin(never) in a comment",
    "  var app = function(req, res, next) { app.handle(req, res, next); };",
    "  mixin(app, EventEmitter.prototype, false);",
    "  if (app) mixin(app, proto, false);",
    "  app.init ();",
    "}",
  ];
  const { items, more } = callsIn(lines, { path: "lib/express.js", start_line: 36, name: "createApplication" });
  assert.deepEqual(
    items.map(({ name, line }) => [name, line]),
    [
      ["handle", 38],
      ["mixin", 39],
      ["init", 41],
    ],
  );
  assert.equal(more, false);
});
