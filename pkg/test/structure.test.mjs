// Which folder of pkg/src and www/src may import from which: the tables of ARCHITECTURE.md, compared with the imports.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import ts from "typescript";

const root = fileURLToPath(new URL("../../", import.meta.url));
const architecture = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

/** Folders and what each may import, by the table under a heading. A row of files at the root makes them one group. */
function tableUnder(heading) {
  const [, section] = architecture.split(`\n### ${heading}\n`);
  assert.ok(section, `ARCHITECTURE.md has a section "${heading}"`);
  const rows = section.split(/\n#/)[0].matchAll(/^\| (?:\*(.+?)\*: )?(.+?) \| (.+?) \|/gm);
  const names = (text) => [...text.matchAll(/`([^`]+)`|\*([^*]+)\*/g)].map(([, code, group]) => code ?? group);
  return [...rows]
    .slice(1)
    .filter(([line]) => !line.startsWith("|---"))
    .flatMap(([, group, members, allowed]) =>
      group
        ? [{ name: group, files: names(members), allowed: names(allowed) }]
        : names(members).map((name) => ({ name, files: [], allowed: names(allowed) })),
    );
}

/** Every import of one group's file from another group's, as `[from, to, file]`. */
function importsIn(source, groups) {
  const groupOf = (path) => {
    const [folder, ...rest] = relative(source, path).split(sep);
    if (rest.length > 0) return folder;
    return groups.find(({ files }) => files.includes(folder.replace(/\.tsx?$/, "")))?.name;
  };
  const files = readdirSync(source, { recursive: true })
    .map((path) => join(source, path))
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path));
  return files.flatMap((file) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(file, "utf8"), true, true);
    const shown = relative(root, file).split(sep).join("/");
    assert.ok(groupOf(file), `${shown} belongs to a row of the table`);
    return importedFiles
      .filter(({ fileName }) => /^\.\.?\//.test(fileName))
      .map(({ fileName }) => join(dirname(file), fileName.replace(/\.js$/, ".ts")))
      .filter((path) => /\.tsx?$/.test(path) && path.startsWith(source) && existsSync(path))
      .map((path) => [groupOf(file), groupOf(path), shown])
      .filter(([from, to]) => from !== to);
  });
}

/** A way from a group over the groups that it may import back to itself. */
function circleIn(groups) {
  const allowed = new Map(groups.map(({ name, allowed }) => [name, allowed]));
  const walk = (name, way) => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    for (const next of allowed.get(name) ?? []) {
      const circle = walk(next, [...way, name]);
      if (circle) return circle;
    }
    return undefined;
  };
  for (const { name } of groups) {
    const circle = walk(name, []);
    if (circle) return circle.join(" → ");
  }
  return undefined;
}

for (const [heading, folder] of [
  ["Folders of the package", "pkg/src/"],
  ["Folders of the page", "www/src/"],
]) {
  const groups = tableUnder(heading);
  const imports = importsIn(join(root, folder), groups);

  test(`${folder}: a folder imports only from those that the table allows`, () => {
    const allowed = (from, to) => groups.find(({ name }) => name === from)?.allowed.includes(to);
    const faults = imports
      .filter(([from, to]) => !allowed(from, to))
      .map(([, to, file]) => `${file} imports from ${to}`);
    assert.deepEqual([...new Set(faults)], []);
  });

  test(`${folder}: the table allows nothing that no file does`, () => {
    const unused = groups.flatMap(({ name, allowed }) =>
      allowed
        .filter((other) => !imports.some(([from, to]) => from === name && to === other))
        .map((other) => `${name}: ${other}`),
    );
    assert.deepEqual(unused, []);
  });

  test(`${folder}: no import circle crosses folders`, () => assert.equal(circleIn(groups), undefined));
}

test("a circle is found", () => {
  const groups = [
    { name: "a", allowed: ["b"] },
    { name: "b", allowed: ["c"] },
    { name: "c", allowed: ["b"] },
  ];
  assert.equal(circleIn(groups), "b → c → b");
  assert.equal(circleIn(groups.slice(0, 2)), undefined);
});

/** A module that is made of others, one that is only within others, and one of types only. */
const BUNDLED = ["node/cli", "node/parse", "wasm-module"];

test("the list of the package's files has every source file", () => {
  const listed = readFileSync(join(root, "tests/packaging/contents.txt"), "utf8").split("\n");
  const named = (path) =>
    path
      .split(sep)
      .join("/")
      .replace(/\.(ts|js)$/, "");
  const isOwn = (name) => !BUNDLED.includes(name) && !name.startsWith("hosted/");
  const sources = readdirSync(join(root, "pkg/src"), { recursive: true })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
    .map(named);
  const modules = listed
    .filter((path) => path.startsWith("dist/") && path.endsWith(".js"))
    .map((path) => named(path.slice("dist/".length)));
  assert.deepEqual(
    modules.filter(isOwn).sort(),
    sources.filter(isOwn).sort(),
    "UPDATE_SNAPSHOTS=1 cargo xtask test packaging --filter list writes tests/packaging/contents.txt",
  );
});
