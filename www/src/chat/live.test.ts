import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatEvent, Step } from "portolan/chat";
import { after, argumentsOf, begun } from "./live.ts";

const step = (part: Partial<Step>): Step => ({
  id: "1",
  tool: "read_file",
  input: { path: "a.ts" },
  state: "running",
  text: "",
  ...part,
});

const play = (events: readonly ChatEvent[]) => events.reduce(after, begun("Why?"));

test("text is gathered, and a remark before a step becomes a step", () => {
  const live = play([
    { type: "text", text: "Let me " },
    { type: "text", text: "look." },
    { type: "aside", step: step({ id: "remark-0", tool: "", text: "Let me look.", state: "done" }) },
    { type: "step", step: step({}) },
    { type: "step", step: step({ state: "done", text: "1\tcode" }) },
    { type: "text", text: "Here." },
  ]);
  assert.equal(live.text, "Here.");
  assert.deepEqual(
    live.steps.map(({ tool, state }) => [tool, state]),
    [
      ["", "done"],
      ["read_file", "done"],
    ],
  );
});

test("an attempt that failed leaves no text", () => {
  const live = play([
    { type: "text", text: "Half" },
    { type: "restart", why: "it broke off" },
    { type: "text", text: "Whole" },
  ]);
  assert.equal(live.text, "Whole");
  const other = play([
    { type: "text", text: "Half" },
    { type: "fallback", from: "a", to: "b", why: "it is gone" },
  ]);
  assert.deepEqual([other.text, other.note], ["", "a failed: it is gone. Asking b…"]);
});

test("waits are said in seconds", () => {
  const { note } = play([{ type: "wait", millis: 6400, model: "m", why: "too many requests" }]);
  assert.equal(note, "Waiting 7 seconds for m: too many requests");
});

test("arguments of a step are short", () => {
  assert.equal(argumentsOf({ query: "tax", limit: 5 }), "tax, 5");
  assert.equal(argumentsOf({ query: "x".repeat(500) }).length, 121);
  assert.equal(argumentsOf("{broken"), '"{broken"');
});
