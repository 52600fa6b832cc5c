// Stdin and files that the command line and the hook read, written by an attacker: deep, long, endless. The hook ends in silence and
// with 0, whatever comes, and soon; a batch is refused with the line at fault.
import assert from "node:assert/strict";
import { test } from "node:test";

import { sandbox } from "./sandbox.mjs";
import { askedAgain, watched } from "./watch.mjs";

const FILES = {
  "repo/.git/HEAD": "ref: refs/heads/main\n",
  "repo/src/tax.ts": "export function addTax(net: number) { return net * 1.19; }\n",
};
const MAX_HOOK_MS = 20_000;

async function indexed(t) {
  const box = sandbox(FILES, t);
  const { code, stderr } = await box.portolan(["index", "--no-embeddings", "--quiet"]);
  assert.equal(code, 0, stderr);
  return box;
}

const event = (box, command) =>
  JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash", cwd: box.path("repo"), tool_input: { command } });

test("the hook ends in silence and with 0", async (t) => {
  const box = await indexed(t);
  const commands = [
    `grep ${"$(".repeat(50_000)}`,
    `rg ${"\\".repeat(200_000)}`,
    "grep -e addTay ".repeat(20_000),
    `rg "${"a".repeat(400_000)}`,
    `${"{".repeat(200_000)}rg addTay`,
    "rg zzz | ".repeat(30_000),
    `rg ${"((a+)+)+$".repeat(3_000)}`,
  ];
  const deep = `{"hook_event_name":"PreToolUse","tool_name":"Grep","tool_input":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const events = [
    ...commands.map((command) => event(box, command)),
    deep,
    "[".repeat(500_000),
    '{"hook_event_name":"PreToolUse","__proto__":{"tool_name":"Grep"},"tool_input":null}',
    `{"hook_event_name":"${"x".repeat(2_000_000)}"}`,
    "",
  ];
  await watched(box, async () => {
    for (const input of events) {
      const started = Date.now();
      const { code, stderr, signal } = await box.portolan(["hook"], { input });
      assert.deepEqual([code, signal, stderr], [0, null, ""], input.slice(0, 60));
      assert.ok(Date.now() - started < MAX_HOOK_MS, input.slice(0, 60));
    }
    await askedAgain(
      () => box.portolan(["hook"], { input: event(box, "rg addTax") }),
      ({ stdout }) => stdout.includes("addTax"),
    );
  });
});

test("a line of a batch that is too deep or too long costs its own answer, which has its number", async (t) => {
  const box = await indexed(t);
  const deep = `{"query":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
  const long = `{"query":"${"x".repeat(5_000_000)}"}`;
  box.put({
    "tmp/deep.jsonl": `{"query":"addTax"}\n${deep}\n`,
    "tmp/long.jsonl": `{"query":"addTax"}\n\n${long}\n`,
    "tmp/good.jsonl": '{"query":"addTax","__proto__":{"query":7}}\n',
  });
  await watched(box, async () => {
    const batch = (name) => box.portolan(["search", "--batch", box.path(`tmp/${name}.jsonl`)]);
    for (const [name, [number, fault]] of Object.entries({ deep: [2, "request.depth"], long: [3, "request.size"] })) {
      const { code, stdout } = await batch(name);
      assert.equal(code, 0);
      const [first, second] = stdout.trim().split("\n");
      assert.equal(JSON.parse(first).hits.length, 1);
      assert.ok(second.includes(`${name}.jsonl:${number}`) && second.includes(fault), second);
    }
    await askedAgain(
      () => batch("good"),
      ({ stdout }) => JSON.parse(stdout).hits.length === 1,
    );
  });
});
