import assert from "node:assert/strict";
import { test } from "node:test";
import { notebookOf } from "./notebook.ts";

const notebook = {
  metadata: { language_info: { name: "python" } },
  cells: [
    { cell_type: "markdown", source: ["# Tides\n", "and ships"] },
    {
      cell_type: "code",
      execution_count: 3,
      source: "plot()",
      outputs: [
        { output_type: "stream", name: "stdout", text: ["1\n", "2\n"] },
        { output_type: "display_data", data: { "image/png": "iVBORw0\nKGgo=", "text/plain": "<Figure>" } },
        { output_type: "execute_result", data: { "text/html": "<script>alert(1)</script>" } },
        { output_type: "error", traceback: ["\u001b[31mValueError\u001b[0m", "no"] },
      ],
    },
  ],
};

test("cells with their texts, runs and outputs", () => {
  const found = notebookOf(JSON.stringify(notebook));
  assert.equal(found?.language, "python");
  assert.deepEqual(found?.cells[0], { kind: "markdown", text: "# Tides\nand ships", run: null, outputs: [] });
  assert.deepEqual(found?.cells[1], {
    kind: "code",
    text: "plot()",
    run: 3,
    outputs: [
      { kind: "text", text: "1\n2\n", isError: false },
      { kind: "image", type: "image/png", base64: "iVBORw0KGgo=" },
      { kind: "other", types: ["text/html"] },
      { kind: "text", text: "ValueError\nno", isError: true },
    ],
  });
});

test("a notebook of format 3", () => {
  const old = {
    worksheets: [{ cells: [{ cell_type: "code", input: ["x = 1"], prompt_number: 1, outputs: [{ text: ["1"] }] }] }],
  };
  const [cell] = notebookOf(JSON.stringify(old))?.cells ?? [];
  assert.deepEqual(cell, {
    kind: "code",
    text: "x = 1",
    run: 1,
    outputs: [{ kind: "text", text: "1", isError: false }],
  });
});

test("what is no notebook is none, and odd fields are passed over", () => {
  for (const text of ["", "{", "[]", "{}", '"cells"']) assert.equal(notebookOf(text), undefined, text);
  const odd = notebookOf(
    '{"cells":[null,{"cell_type":"code","source":{"a":1},"outputs":"x"},{"outputs":[{"data":7}]}]}',
  );
  assert.deepEqual(
    odd?.cells.map(({ kind, text }) => [kind, text]),
    [
      ["markdown", ""],
      ["code", ""],
      ["markdown", ""],
    ],
  );
  const bad = { cells: [{ outputs: [{ data: { "image/png": '"><script>' } }] }] };
  assert.deepEqual(notebookOf(JSON.stringify(bad))?.cells[0]?.outputs, [{ kind: "other", types: ["image/png"] }]);
});
