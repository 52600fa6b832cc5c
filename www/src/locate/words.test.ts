import assert from "node:assert/strict";
import { test } from "node:test";
import { copied, readingOf, reasonOf, shownLines } from "./words.ts";

test("clues are reasons, with their detail", () => {
  assert.equal(reasonOf("title").words, "fits the title");
  assert.equal(reasonOf("frame: src/a b/cart.py:12").words, "in the stack trace: src/a b/cart.py:12");
  assert.equal(reasonOf("name: Cart.add\nx").words, "a name of it: Cart.add\nx");
  assert.equal(reasonOf("unheard: x").words, "unheard: x");
});

test("the parts that were read are counted; what is not there is not named", () => {
  const none = { n_frames: 0, n_names: 0, n_paths: 0, n_messages: 0 };
  assert.equal(readingOf(none), "");
  assert.equal(
    readingOf({ ...none, n_frames: 1, n_names: 2, versions: ["shop 1.2.3"], options: ["--dry-run"] }),
    "1 frame of a stack trace, 2 names of code, shop 1.2.3, --dry-run",
  );
});

test("the lines of a function: its first ones, or those around the line of a trace", () => {
  const found = { symbol: "f", kind: "function", start_line: 100, end_line: 200, rank: 1, score: 1 };
  assert.deepEqual(shownLines({ ...found, why: ["title"] }), { from: 100, to: 115 });
  assert.deepEqual(shownLines({ ...found, end_line: 103, why: [] }), { from: 100, to: 103 });
  const framed = (line: number) => shownLines({ ...found, why: ["words", `frame: b.js:7, src/a.js:${line}`] });
  assert.deepEqual(framed(150), { from: 142, to: 157, line: 150 });
  assert.deepEqual(framed(101), { from: 100, to: 115, line: 101 });
  assert.deepEqual(framed(200), { from: 185, to: 200, line: 200 });
  assert.deepEqual(framed(300), { from: 100, to: 115 });
});

test("the copied text has titles, reasons and code that cannot end its fence", () => {
  const text = copied({
    title: "Wrong total",
    confidence: 0.83,
    known: true,
    read: { n_frames: 0, n_names: 0, n_paths: 0, n_messages: 0 },
    total: 1,
    n_more: 0,
    n_tokens: 40,
    files: [
      {
        path: "src/cart.py",
        score: 1,
        confidence: 0.8,
        why: ["title", "name: total"],
        functions: [
          {
            symbol: "Cart.total",
            kind: "method",
            start_line: 4,
            end_line: 6,
            rank: 1,
            score: 1,
            why: ["title"],
            code: 'def total(self):\n    """```"""\n',
          },
        ],
      },
    ],
  });
  assert.equal(
    text,
    '# Wrong total\n\nRight files among the first five: 83 %\n\n## src/cart.py\n\ntitle; name: total\n\nCart.total, lines 4 to 6\n\n````\ndef total(self):\n    """```"""\n````\n',
  );
});
