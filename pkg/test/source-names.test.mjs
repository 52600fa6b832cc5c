// Which source a text names: no file is read and no host asked.
import assert from "node:assert/strict";
import { test } from "node:test";

import { fileOfSource, nameOfSource, parseSource, textOfName } from "../dist/sources/parse.js";

const repository = (host, name, more = {}) => ({ kind: "repository", host, name, ...more });
const TABLE = [
  ["honojs/hono", repository("github", "honojs/hono")],
  [" honojs/hono ", repository("github", "honojs/hono")],
  ["honojs/hono@v4.6", repository("github", "honojs/hono", { refAndPath: "v4.6" })],
  ["honojs/hono@feature/tax/src", repository("github", "honojs/hono", { refAndPath: "feature/tax/src" })],
  ["honojs/hono/src/jsx", repository("github", "honojs/hono", { path: "src/jsx" })],
  ["github:honojs/hono", repository("github", "honojs/hono")],
  ["gitlab:group/team/project@main", repository("gitlab", "group/team/project", { refAndPath: "main" })],
  ["codeberg:forgejo/forgejo", repository("codeberg", "forgejo/forgejo")],
  ["gitea:gitea/tea", repository("gitea", "gitea/tea")],
  ["https://github.com/honojs/hono", repository("github", "honojs/hono")],
  ["https://github.com/honojs/hono.git", repository("github", "honojs/hono")],
  ["github.com/honojs/hono/", repository("github", "honojs/hono")],
  ["https://github.com/honojs/hono/issues/12", repository("github", "honojs/hono")],
  [
    "https://github.com/honojs/hono/tree/main/src/jsx",
    repository("github", "honojs/hono", { refAndPath: "main/src/jsx" }),
  ],
  [
    "https://github.com/honojs/hono/blob/main/src/hono.ts#L3-L9",
    repository("github", "honojs/hono", { refAndPath: "main/src/hono.ts", isFile: true, lines: "3-9" }),
  ],
  [
    "https://gitlab.com/group/team/project/-/tree/main/lib",
    repository("gitlab", "group/team/project", { refAndPath: "main/lib" }),
  ],
  ["https://gitlab.com/group/project/-/issues", repository("gitlab", "group/project")],
  [
    "https://codeberg.org/forgejo/forgejo/src/branch/main/README.md",
    repository("codeberg", "forgejo/forgejo", { refAndPath: "main/README.md", isFile: true }),
  ],
  [
    "https://codeberg.org/forgejo/forgejo/src/tag/v1/models",
    repository("codeberg", "forgejo/forgejo", { refAndPath: "v1/models" }),
  ],
  ["https://example.org/a/shop-1.0.tar.gz?x=1", { kind: "archive", url: "https://example.org/a/shop-1.0.tar.gz?x=1" }],
  [
    "https://github.com/o/r/archive/refs/tags/v1.zip",
    { kind: "archive", url: "https://github.com/o/r/archive/refs/tags/v1.zip" },
  ],
  ["https://docs.example.org/guide/", { kind: "site", url: "https://docs.example.org/guide/" }],
  ["npm:express", { kind: "package", registry: "npm", name: "express" }],
  ["npm:@scope/name@1.2.3", { kind: "package", registry: "npm", name: "@scope/name", version: "1.2.3" }],
  ["crate:serde@1.0.200", { kind: "package", registry: "crate", name: "serde", version: "1.0.200" }],
  ["npm:../../etc", undefined],
  ["npm:", undefined],
  ["crate:a/b", undefined],
  ["owner", undefined],
  ["owner/repo@", undefined],
  ["owner/../secret", undefined],
  ["owner/repo/../../secret", undefined],
  ["https://user:secret@example.org/a.zip", undefined],
  ["ftp://example.org/a.zip", undefined],
  ["https://github.com/", undefined],
  ["javascript:alert(1)", undefined],
  ["owner/repo\u202etxt", undefined],
  ["", undefined],
  [`o/${"r".repeat(3000)}`, undefined],
];

for (const [text, expected] of TABLE)
  test(`${JSON.stringify(text.slice(0, 80))} names ${expected ? expected.kind : "nothing"}`, () => {
    assert.deepEqual(parseSource(text), expected);
  });

test("an own host replaces the public one, and further ones are known by their names and addresses", () => {
  const own = [
    { id: "github", forge: "github", web: "https://git.acme.example", api: "https://git.acme.example/api/v3" },
    {
      id: "forge",
      forge: "gitea",
      web: "https://forge.acme.example/git",
      api: "https://forge.acme.example/git/api/v1",
    },
  ];
  assert.deepEqual(parseSource("https://git.acme.example/a/b", own), repository("github", "a/b"));
  assert.deepEqual(parseSource("https://forge.acme.example/git/a/b", own), repository("forge", "a/b"));
  assert.deepEqual(parseSource("forge:a/b", own), repository("forge", "a/b"));
  assert.equal(parseSource("https://github.com/a/b", own).kind, "site");
});

test("the name of an index leads back to its source", () => {
  for (const text of [
    "honojs/hono",
    "honojs/hono@feature/x",
    "honojs/hono/src",
    "gitlab:a/b/c@main",
    "npm:@a/b@1.0.0",
    "crate:serde",
  ]) {
    const source = parseSource(text);
    const again = textOfName(nameOfSource(source));
    assert.deepEqual(parseSource(again), source, text);
  }
  assert.equal(textOfName("src"), undefined);
  assert.equal(textOfName("my/folder"), undefined);
  assert.equal(nameOfSource(parseSource("https://github.com/o/r/blob/v1/src/a.ts#L2")), "github/o/r@v1");
  assert.deepEqual(fileOfSource(parseSource("https://github.com/o/r/blob/v1/src/a.ts#L2")), {
    path: "src/a.ts",
    lines: "2",
  });
});
