// Preloaded into every Node that the sandbox starts, its worker threads included: writes down each process that is started, each
// connection that is opened and each native library that is loaded, then lets it happen.
"use strict";
const { appendFileSync } = require("node:fs");
const { ChildProcess } = require("node:child_process");
const { Socket } = require("node:net");

const log = process.env.PORTOLAN_HOSTILE_LOG;

function before(target, name, note) {
  const original = target[name];
  target[name] = function (...args) {
    const what = note(...args);
    if (what !== undefined) appendFileSync(log, `${JSON.stringify(what)}\n`);
    return original.apply(this, args);
  };
}

const started = (options) => ({ process: options?.file, args: (options?.args ?? []).slice(1) });

function record() {
  before(ChildProcess.prototype, "spawn", started);
  const warn = process.emitWarning;
  process.emitWarning = () => {};
  try {
    before(process.binding("spawn_sync"), "spawn", started);
  } catch {
    before(require("node:child_process"), "spawnSync", (file, args) => ({ process: file, args }));
  }
  process.emitWarning = warn;
  before(process, "dlopen", (_module, file) => ({ library: file }));
  before(Socket.prototype, "connect", (...args) => {
    const [options] = Array.isArray(args[0]) ? args[0] : args;
    if (typeof options !== "object") return { connection: args.slice(0, 2).map(String).join(" ") };
    return { connection: options.path ?? `${options.host ?? "localhost"}:${options.port}` };
  });
}

if (log) record();
