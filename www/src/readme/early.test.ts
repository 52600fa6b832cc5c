import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync, gunzipSync } from "node:zlib";
import type { Input } from "portolan";
// @ts-expect-error: a helper of the package's tests, without types
import { tarOf } from "../../../pkg/test/source-server.mjs";
import { readmeOfInput } from "./early.ts";

const file = (text: string) => new File([text], "x");

test("the README of a list of files, of its top folder only", async () => {
  const input = {
    files: [
      { path: "docs/README.md", file: file("no") },
      { path: "README.md", file: file("# Shop") },
    ],
  } as Input;
  assert.deepEqual(await readmeOfInput(input), { path: "README.md", text: "# Shop" });
  assert.equal(await readmeOfInput({ files: [] }), undefined);
});

test("the README of a folder's handle", async () => {
  const handle = {
    kind: "directory",
    async *[Symbol.asyncIterator]() {
      yield ["src", { kind: "directory" }];
      yield ["readme.txt", { kind: "file" }];
    },
    getFileHandle: async () => ({ getFile: async () => file("plain") }),
  } as unknown as Input;
  assert.deepEqual(await readmeOfInput(handle), { path: "readme.txt", text: "plain" });
});

test("other inputs have none before they are read", async () => {
  assert.equal(await readmeOfInput("owner/repo" as Input), undefined);
});

const ofArchive = (bytes: Uint8Array | Buffer) =>
  readmeOfInput({ archive: new Blob([Uint8Array.from(bytes)]) } as unknown as Input);

test("the README of a tar, packed or not, below the one folder of all", async () => {
  const packed: Buffer = tarOf("shop-main", {
    "docs/README.md": "no",
    "src/a.ts": "x".repeat(2000),
    "README.md": "# Shop\n",
  });
  assert.deepEqual(await ofArchive(packed), { path: "README.md", text: "# Shop\n" });
  assert.deepEqual(await ofArchive(gunzipSync(packed)), { path: "README.md", text: "# Shop\n" });
});

test("the README of a zip, stored and deflated", async () => {
  for (const method of [0, 8]) {
    const zip = zipOf(method, [
      ["shop-main/src/README.md", "no"],
      ["shop-main/README.md", "# Shop\n".repeat(50)],
    ]);
    assert.deepEqual(await ofArchive(zip), { path: "README.md", text: "# Shop\n".repeat(50) });
  }
});

test("a zip unpacks to no more than its list says", async () => {
  const bomb = zipOf(8, [["README.md", "# Shop\n".repeat(2_000_000)]], 7);
  assert.deepEqual(await ofArchive(bomb), { path: "README.md", text: "# Shop\n" });
  assert.equal(await ofArchive(zipOf(8, [["README.md", "# Shop\n".repeat(2_000_000)]])), undefined);
});

test("a tar of many files is read once, and no further than 48 MB", { timeout: 20_000 }, async () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`src/${n}.ts`, ""]));
  const packed: Buffer = tarOf("shop-main", { ...many, "README.md": "# Shop\n" });
  assert.equal((await ofArchive(gunzipSync(packed)))?.path, "README.md");
  const endless = Buffer.alloc(60_000_000);
  endless.write("shop-main/a.bin");
  endless.write("77777777777 ", 124);
  endless.write("0", 156);
  assert.equal(await ofArchive(endless), undefined);
});

test("what is no archive, or a damaged one, shows nothing", async () => {
  assert.equal(await ofArchive(Buffer.from("PK and nothing more")), undefined);
  await assert.rejects(ofArchive(Buffer.from("short")));
  assert.equal(await ofArchive(Buffer.alloc(2048)), undefined);
});

/** A zip with a directory; checksums are left out, since nothing here reads them. */
function zipOf(method: number, files: readonly [string, string][], claimed = Number.POSITIVE_INFINITY): Buffer {
  const bodies: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const [name, text] of files) {
    const body = method === 8 ? deflateRawSync(text) : Buffer.from(text);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(method, 8);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(body.length, 20);
    entry.writeUInt32LE(Math.min(text.length, claimed), 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    list.push(entry, Buffer.from(name));
    bodies.push(head, Buffer.from(name), body);
    at += head.length + name.length + body.length;
  }
  const contents = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(contents.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, contents, end]);
}
