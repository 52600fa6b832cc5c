import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlain, writeChanges, WriteError } from "./folder.ts";

/** A folder in memory with the handles that a browser gives. */
function folderOf(files: Record<string, string | Uint8Array>, failing = "") {
  const disk = new Map(
    Object.entries(files).map(([path, data]) => [
      path,
      typeof data === "string" ? new TextEncoder().encode(data) : data,
    ]),
  );
  const writes: string[] = [];
  const file = (path: string) => ({
    getFile: async () => ({ arrayBuffer: async () => Uint8Array.from(disk.get(path) ?? []).buffer }),
    createWritable: async () => {
      if (path === failing && !writes.includes(path)) throw new Error("the disk is full");
      let data = new Uint8Array();
      return {
        write: async (bytes: Uint8Array) => {
          data = Uint8Array.from(bytes);
        },
        abort: async () => {},
        close: async () => {
          disk.set(path, data);
          writes.push(path);
        },
      };
    },
  });
  const folder = (prefix: string): unknown => ({
    getDirectoryHandle: async (name: string) => folder(`${prefix}${name}/`),
    getFileHandle: async (name: string) => {
      if (!disk.has(prefix + name)) throw new DOMException("not there", "NotFoundError");
      return file(prefix + name);
    },
  });
  const text = (path: string) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(disk.get(path));
  return { handle: folder("") as FileSystemDirectoryHandle, text, writes };
}

const change = (path: string, before: string, after: string) => ({ path, before, after });
const refusal = (code: string) => (error: unknown) => error instanceof WriteError && error.code === code;

test("all files are written, and a byte-order mark stays", async () => {
  const disk = folderOf({ "src/a.js": "\uFEFFone", "b.js": "two" });
  const known = new Set(["src/a.js", "b.js"]);
  await writeChanges(disk.handle, [change("src/a.js", "one", "1"), change("b.js", "two", "2")], known);
  assert.deepEqual([disk.text("src/a.js"), disk.text("b.js")], ["\uFEFF1", "2"]);
});

test("nothing is written where one file has changed, is gone, or is not UTF-8", async () => {
  const known = new Set(["a.js", "b.js"]);
  const changes = [change("a.js", "one", "1"), change("b.js", "two", "2")];
  for (const files of [
    { "a.js": "one", "b.js": "two!" },
    { "a.js": "one" },
    { "a.js": "one", "b.js": Uint8Array.from([0x74, 0xff]) },
  ]) {
    const disk = folderOf(files as Record<string, string | Uint8Array>);
    await assert.rejects(writeChanges(disk.handle, changes, known), refusal("write.changed"));
    assert.deepEqual(disk.writes, []);
  }
});

test("a path that the index does not have, or that leads out, is refused before anything is read", async () => {
  const disk = folderOf({ "a.js": "one", "../b.js": "two" });
  await assert.rejects(
    writeChanges(disk.handle, [change("a.js", "one", "1")], new Set(["c.js"])),
    refusal("write.outside"),
  );
  await assert.rejects(
    writeChanges(disk.handle, [change("../b.js", "two", "2")], new Set(["../b.js"])),
    refusal("write.outside"),
  );
  assert.deepEqual(disk.writes, []);
  for (const path of ["", "/a", "a//b", "./a", "a/..", "a\0b"]) assert.equal(isPlain(path), false, path);
  assert.equal(isPlain("src/a..b.js"), true);
});

test("where a later file fails, the files before it are restored", async () => {
  const disk = folderOf({ "a.js": "one", "b.js": "two" }, "b.js");
  const changes = [change("a.js", "one", "1"), change("b.js", "two", "2")];
  await assert.rejects(
    writeChanges(disk.handle, changes, new Set(["a.js", "b.js"])),
    (error) =>
      refusal("write.failed")(error) && /b\.js was not written: the disk is full/.test((error as Error).message),
  );
  assert.deepEqual([disk.text("a.js"), disk.text("b.js")], ["one", "two"]);
  assert.deepEqual(disk.writes, ["a.js", "a.js"]);
});
