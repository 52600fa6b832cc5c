import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { byPath, fileOfArchive } from "./find.ts";

/** A tar of files as `tar` makes it. */
function packed(files: Record<string, string>, ...options: string[]): Blob {
  const folder = mkdtempSync(join(tmpdir(), "portolan-archive-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    execFileSync(
      "tar",
      ["cf", "out.tar", ...options, ...new Set(Object.keys(files).map((path) => path.split("/")[0]!))],
      {
        cwd: folder,
      },
    );
    return new Blob([Uint8Array.from(readFileSync(join(folder, "out.tar")))]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const long = `shop/${"deep/".repeat(40)}picture.png`;
const files = { "shop/a.txt": "one", [long]: "long name", "shop/img/logo.png": "picture".repeat(500) };

test("a file of a tar, with long names in the ways of GNU and POSIX, gzipped or not", async () => {
  for (const options of [["--format=gnu"], ["--format=posix"], ["--format=gnu", "-z"]]) {
    const archive = packed(files, ...options);
    const read = async (path: string) => {
      const head = await fileOfArchive(archive, path, 1000);
      return head && { text: new TextDecoder().decode(head.bytes), size: head.size };
    };
    assert.deepEqual(await read("a.txt"), { text: "one", size: 3 }, options.join());
    assert.deepEqual(await read(long.slice(5)), { text: "long name", size: 9 });
    assert.deepEqual(await read("img/logo.png"), { text: "picture".repeat(500).slice(0, 1000), size: 3500 });
    assert.equal(await read("shop/a.txt"), undefined);
  }
});

test("paths are those of the index", () => {
  const paths = (...list: string[]) => [...byPath(list.map((path) => ({ path }))).keys()];
  assert.deepEqual(paths("repo-main/", "repo-main/a", "repo-main\\b//c", "./repo-main/d"), ["a", "b/c", "d"]);
  assert.deepEqual(paths("a/x", "b/x"), ["a/x", "b/x"]);
  assert.deepEqual(paths("../etc/passwd", "/etc/a", "c:\\x", "a/x", "a/x"), ["x"]);
});

test("a damaged archive gives what is before the damage", async () => {
  const whole = packed({ "first/a.txt": "one", "second/b.txt": "b".repeat(9000) }, "--format=gnu");
  const cut = whole.slice(0, 6000);
  assert.equal((await fileOfArchive(cut, "first/a.txt", 10))?.size, 3);
  await assert.rejects(fileOfArchive(new Blob(["short"]), "a.txt", 10));
});

test("records of a header are read once, whatever their lengths say", async () => {
  const header = (type: string, size: number) => {
    const head = new Uint8Array(512);
    const put = (text: string, at: number) => head.set(new TextEncoder().encode(text), at);
    put("name", 0);
    put(size.toString(8).padStart(11, "0"), 124);
    put(type, 156);
    return head;
  };
  // A length of one, with 60,000 zeros before it: each byte would begin a record of its own.
  const record = new TextEncoder().encode(`${"0".repeat(60_000)}1 path=x\n`);
  const padded = new Uint8Array(Math.ceil(record.length / 512) * 512);
  padded.set(record);
  const many = Array.from({ length: 40 }, () => [header("x", record.length), padded]).flat();
  const archive = new Blob([...many, header("0", 0), new Uint8Array(1024)]);
  const started = performance.now();
  assert.equal((await fileOfArchive(archive, "name", 10))?.size, 0);
  assert.ok(performance.now() - started < 2_000, `${performance.now() - started} ms`);
});
