import assert from "node:assert/strict";
import { test } from "node:test";
import { contentOf, decoded, hexRows } from "./content.ts";

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)));

const table: [string, Uint8Array, string][] = [
  ["logo.PNG", bytes([0x89], "PNG"), "image"],
  ["a/drawing.svg", bytes("<svg/>"), "image"],
  ["a.ipynb", bytes("{}"), "notebook"],
  ["a.csv", bytes("a,b\n1,2\n"), "text"],
  ["no-ending", bytes("text\0"), "bytes"],
  ["utf-16.txt", bytes([0xff, 0xfe, 0x61, 0x00]), "text"],
  ["latin.txt", bytes("caf", [0xe9], " au lait, s'il vous pla", [0xee], "t"), "text"],
  ["packed.bin", bytes([0x1f, 0x8b, 0x08, 0x01, 0x02, 0x03, 0xe9, 0x04, 0x05]), "bytes"],
];

test("an image and a notebook by their name, a text by its bytes", () => {
  for (const [path, head, expected] of table) assert.equal(contentOf(path, head), expected, path);
});

test("a text that is cut within a letter is a text, without that letter", () => {
  const cut = bytes("grü").subarray(0, 3);
  assert.equal(contentOf("a.txt", cut), "text");
  assert.equal(decoded(cut), "gr");
  assert.equal(decoded(bytes([0xff, 0xfe, 0x61, 0x00])), "a");
  assert.equal(decoded(bytes("caf", [0xe9], " noir")), "café noir");
});

test("rows of bytes have offset, digits and letters", () => {
  const rows = hexRows(bytes("Portolan\u202e maps", [0, 255]));
  assert.deepEqual(rows[0], {
    at: "000000",
    hex: "50 6f 72 74 6f 6c 61 6e  e2 80 ae 20 6d 61 70 73",
    letters: "Portolan... maps",
  });
  assert.equal(rows[1]?.at, "000010");
  assert.equal(rows[1]?.hex.trimEnd(), "00 ff");
  assert.equal(rows[1]?.hex.length, rows[0]?.hex.length);
  assert.deepEqual(hexRows(new Uint8Array(0)), []);
});
