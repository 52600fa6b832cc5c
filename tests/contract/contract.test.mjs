// Keeps both servers to docs/openapi.json: a client that is generated from it asks every route with good and bad input, and schemathesis
// makes up requests, valid and not. `cargo xtask test contract` installs both; they are programs of Python.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { makeIndex, REPOSITORY, startNode, startWorker } from "./servers.mjs";

const PYTHON = process.env.PORTOLAN_CONTRACT_PYTHON;
const NO_PYTHON = PYTHON ? false : "there is no python3: nothing of the contract is known";
const HERE = dirname(fileURLToPath(import.meta.url));
const OPENAPI = join(HERE, "../../docs/openapi.json");
/** Made-up requests of each operation. Without this variable there are few, and the Worker is asked less: see `phasesFor`. */
const EXAMPLES = process.env.PORTOLAN_CONTRACT_EXAMPLES;
const FEW = "3";
/**
 * Types that openapi-python-client cannot make, so that it would leave out the operations that use them: one that contains itself, and one of objects
 * with a field more. The client gets wider ones; schemathesis holds the answers to those of the document.
 */
const WIDER = {
  CypherValue: {},
  CodeIntelligenceResponse: {
    type: "object",
    properties: { command: { $ref: "#/components/schemas/IntelligenceCommand" } },
    required: ["command"],
    additionalProperties: true,
  },
};

const work = mkdtempSync(join(tmpdir(), "portolan-contract-"));
after(() => rmSync(work, { recursive: true, force: true, maxRetries: 5 }));
let index;
before(() => {
  if (!NO_PYTHON) index = makeIndex();
});

/**
 * Phases of schemathesis. Those of `coverage` are the same thousands of requests each time, one for each bound of each field. Both servers check
 * fields with the same code, so a run of all suites sends them to the faster one only.
 */
function phasesFor(server) {
  const isShort = EXAMPLES === undefined && server.name === "workerd";
  return isShort ? "examples,fuzzing" : "examples,coverage,fuzzing";
}

/** The servers run in this process, so it must not block. */
function run(program, args, env = {}) {
  const child = spawn(program, args, { cwd: work, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (piece) => (text += piece));
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, text })));
}

test("the client is generated, every operation of it", { skip: NO_PYTHON }, () => {
  const document = JSON.parse(readFileSync(OPENAPI, "utf8"));
  for (const name of Object.keys(WIDER))
    assert.ok(document.components.schemas[name], `there is no type ${name} any more`);
  Object.assign(document.components.schemas, WIDER);
  const path = join(work, "openapi.json");
  writeFileSync(path, JSON.stringify(document));
  const args = ["-m", "openapi_python_client", "generate", "--path", path, "--meta", "none", "--overwrite"];
  // Warnings are of what it leaves out.
  args.push("--fail-on-warning", "--output-path", join(work, "portolan_client"));
  const env = { ...process.env, PATH: `${dirname(PYTHON)}:${process.env.PATH}` };
  execFileSync(PYTHON, args, { cwd: work, env, stdio: "pipe" });
});

for (const start of [startNode, startWorker])
  describe(`the contract, ${start === startNode ? "Node" : "workerd"}`, { skip: NO_PYTHON }, () => {
    let server;
    before(async () => {
      server = await start(index);
      writeFileSync(join(work, "index.portolan"), index);
    });
    after(async () => await server?.stop());

    test("the generated client asks every route, with good and with bad input", async () => {
      const { status, text } = await run(PYTHON, [join(HERE, "routes.py")], {
        PYTHONPATH: work,
        CONTRACT: JSON.stringify({
          url: server.url,
          tokens: server.tokens,
          repository: REPOSITORY,
          index: join(work, "index.portolan"),
          openapi: OPENAPI,
        }),
      });
      assert.equal(status, 0, text);
      assert.match(text, /^asked \d+ operations$/m);
      assert.deepEqual(server.faults, []);
    });

    test("schemathesis finds no answer that the document does not describe", async () => {
      const args = ["--config-file", join(HERE, "schemathesis.toml"), "run", OPENAPI, "--url", server.url];
      args.push("-H", `Authorization: Bearer ${server.tokens.admin}`);
      args.push("--phases", phasesFor(server), "--max-examples", EXAMPLES ?? FEW, "--seed", "1", "--no-color");
      const { status, text } = await run(join(dirname(PYTHON), "schemathesis"), args);
      // Its summary is at the end; the requests that repeat a fault are before it.
      assert.equal(status, 0, text.slice(-16_000));
      assert.deepEqual(server.faults, []);
    });
  });
