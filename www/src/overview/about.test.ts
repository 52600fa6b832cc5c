import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutOf, firstParagraph, manifestsAmong } from "./about.ts";

const about = (path: string, text: string, readme = "") => aboutOf([{ path, text }], readme);

test("an npm package says its name, its entries and its licence", () => {
  const found = about(
    "package.json",
    JSON.stringify({
      name: "shop",
      version: "1.4.0",
      description: "Sells things.",
      license: "MIT",
      main: "./index.js",
      bin: { shop: "bin/shop.js" },
      exports: { ".": { types: "./index.d.ts", import: "./index.mjs" } },
    }),
  );
  assert.equal(found.what, "npm package with a command shop 1.4.0");
  assert.equal(found.description, "Sells things.");
  assert.equal(found.licence, "MIT");
  assert.deepEqual(found.entries, ["index.js", "bin/shop.js", "index.mjs"]);
});

test("tables of TOML: a crate, a workspace, Python", () => {
  const crate = about(
    "Cargo.toml",
    '[package]\nname = "tax"\nversion = "0.2.0"\ndescription = "Adds \\"tax\\""\n\n[dependencies]\nname = "no"\n',
  );
  assert.equal(crate.what, "Rust crate tax 0.2.0");
  assert.equal(crate.description, 'Adds "tax"');
  assert.equal(
    about("Cargo.toml", '[workspace]\nmembers = []\n[workspace.package]\nlicense = "MIT"').what,
    "Cargo workspace",
  );
  assert.equal(about("pyproject.toml", "[tool.poetry]\nname = \"p\"\ndescription = 'd'").description, "d");
  assert.equal(about("go.mod", "module example.org/x\n\ngo 1.22").what, "Go module example.org/x");
});

test("damaged manifests say nothing, and the README speaks", () => {
  for (const [path, text] of [
    ["package.json", "{"],
    ["package.json", "[1]"],
    ["package.json", '{"name":5,"exports":[1,null]}'],
    ["Cargo.toml", "[package\nname"],
    ["composer.json", "null"],
  ] as const)
    assert.equal(about(path, text, "# T\n\nFour words of prose.").description, "Four words of prose.", text);
});

test("the first paragraph is prose", () => {
  assert.equal(
    firstParagraph(
      "<!-- x -->\n# Shop\n\n[![build](https://a/b.svg)](https://a) ![x](y)\n\n- a list of many words here\n\nA **shop** with [a link](https://a/) and `code`,\nwrapped.\n\nMore.",
    ),
    "A shop with a link and code, wrapped.",
  );
  assert.equal(firstParagraph("```\nnot this code at all\n```"), "");
  assert.equal(firstParagraph("Title of the thing\n=====\n"), "");
  assert.ok(firstParagraph("word ".repeat(200)).length < 330);
});

test("a README of HTML: headings, badges and rows of links are no prose", () => {
  const readme = `<p align="center">
	<a href="https://example.org"><img src="logo.svg" alt="Shop"></a>
	<h3 align="center">a <a href="https://example.com"><img src="x.svg"></a> project</h3>
</p>
<h1>Sells many things to you</h1>
<p align="center">
	<a href="a">Releases</a> &nbsp;·&nbsp;
	<a href="b">Documentation of the shop</a> ·
	<a href="c">Get Help</a>
</p>
<p align="center">Shop sells <a href="d">things</a> &amp; services by default.</p>`;
  assert.equal(firstParagraph(readme), "Shop sells things & services by default.");
  assert.equal(
    firstParagraph("[One](a) | [Two words](b) | [Three](c)\n\nWords that are not links."),
    "Words that are not links.",
  );
});

test("manifests of the top folder only, in order", () => {
  assert.deepEqual(manifestsAmong(["a/package.json", "go.mod", "package.json"]), ["package.json", "go.mod"]);
});
