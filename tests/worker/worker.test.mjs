// One process for all: the snapshots that the suites share are made once.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

import { answers } from "./answers.mjs";
import { ci } from "./ci.mjs";
import { ROOT, native } from "./harness.mjs";
import { mcp } from "./mcp.mjs";
import { several } from "./several.mjs";
import { shards } from "./shards.mjs";
import { shared } from "./shared.mjs";
import { parts } from "./parts.mjs";
import { memory, snapshots } from "./snapshots.mjs";

test("the Worker's script keeps to its types", () => {
  const tsc = spawnSync(`${ROOT}node_modules/.bin/tsc`, ["-p", `${ROOT}crates/edge/worker/tsconfig.json`], {
    encoding: "utf8",
  });
  assert.equal(tsc.stdout + tsc.stderr, "");
});

const made = native();
answers(made);
snapshots(made);
memory(made);
parts(made);
mcp(made);
several(made);
shards(made);
shared(made);
ci(made);
