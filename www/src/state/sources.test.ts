import assert from "node:assert/strict";
import { test } from "node:test";
import type { Input } from "portolan";
import { archiveName, dropSource, filesSource, folderSource, isArchive, type Source } from "./sources.ts";

function inFolder(path: string): File {
  const file = new File(["x"], path.split("/").at(-1) ?? "");
  Object.defineProperty(file, "webkitRelativePath", { value: path });
  return file;
}

const inputOf = (source: Source): Input => ("input" in source ? source.input : []);
const pathsOf = (input: Input) =>
  typeof input === "object" && "files" in input ? input.files.map(({ path }) => path) : [];

test("a chosen folder gives its name, its paths are below it", () => {
  const source = folderSource([inFolder("hono/src/a.ts"), inFolder("hono/readme.md")]);
  assert.equal(source.name, "hono");
  assert.deepEqual(pathsOf(inputOf(source)), ["src/a.ts", "readme.md"]);
  assert.throws(() => folderSource([]), /empty/);
});

test("archives are known by their endings and named without them", async () => {
  assert.deepEqual(["a.zip", "b-1.0.tgz", "c.tar.gz", "D.CRATE", "e.ts", "zip"].map(isArchive), [
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  assert.deepEqual(["b-1.0.tgz", "c.tar.gz", ".zip"].map(archiveName), ["b-1.0", "c", ".zip"]);
  const source = await filesSource([new File(["x"], "hono-4.6.0.tgz")]);
  const input = inputOf(source);
  assert.equal(source.name, "hono-4.6.0");
  assert.ok(typeof input === "object" && "archive" in input);
});

test("an index that was saved to a file is opened, not indexed, whatever its name", async () => {
  const source = await filesSource([new File(["x"], "hono.index")]);
  assert.equal(source.name, "hono");
  assert.ok("index" in source);
  assert.ok("index" in (await filesSource([new File(["PORTSEAL…"], "from a friend")])));
  assert.ok("input" in (await filesSource([new File(["PORT"], "port.txt")])));
});

test("the files of an index in shards are opened together, named after the root", async () => {
  const shard = new File(["PORTOLAN…"], `linux-${"0".repeat(32)}.portolan`);
  const source = await filesSource([shard, new File(["PTLNROOT…"], "linux.portolan")]);
  assert.equal(source.name, "linux");
  assert.ok("shards" in source && source.shards.length === 2);
  const version = await filesSource([new File(["PTLNBNDL…"], "linux.portolan")]);
  assert.ok("shards" in version, "as a server sends a version");
});

test("a dropped folder is walked through entries where there are no handles, without what is never indexed", async () => {
  const fileEntry = (fullPath: string) => ({
    isDirectory: false,
    name: fullPath.split("/").at(-1),
    fullPath,
    file: (done: (file: File) => void) => done(new File(["x"], "f")),
  });
  const folder = (fullPath: string, children: unknown[]) => ({
    isDirectory: true,
    name: fullPath.split("/").at(-1),
    fullPath,
    createReader: () => {
      const batches = [children.slice(0, 1), children.slice(1), []];
      return { readEntries: (done: (some: unknown[]) => void) => done(batches.shift() ?? []) };
    },
  });
  const root = folder("/app", [
    fileEntry("/app/main.go"),
    folder("/app/node_modules", [fileEntry("/app/node_modules/x.js")]),
    folder("/app/pkg", [fileEntry("/app/pkg/b.go")]),
  ]);
  const transfer = { items: [{ kind: "file", webkitGetAsEntry: () => root }], files: [] } as unknown as DataTransfer;
  const source = await dropSource(transfer);
  assert.equal(source.name, "app");
  assert.deepEqual([...pathsOf(inputOf(source))].sort(), ["main.go", "pkg/b.go"]);
});

test("dropping text is refused in words", async () => {
  const transfer = { items: [{ kind: "string" }], files: [] } as unknown as DataTransfer;
  await assert.rejects(dropSource(transfer), /no file was dropped/);
});
