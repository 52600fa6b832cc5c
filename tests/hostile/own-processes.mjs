// Which processes this process starts, seen where Node hands them to the system: whatever function was called, and however it was
// imported. Those that the sandbox starts itself are its business.
import { ChildProcess } from "node:child_process";
import { createRequire } from "node:module";

const bindings = bindingsOf();
let isOurs = false;

/** Starts a process of the tests themselves: `start` runs to its end without a pause. */
export function ours(start) {
  isOurs = true;
  try {
    return start();
  } finally {
    isOurs = false;
  }
}

/** Sees processes until `stop` is called. */
export function ownProcesses() {
  const seen = [];
  const note = (options) => {
    if (!isOurs) seen.push({ file: String(options?.file), args: options?.args?.slice(1) ?? [] });
  };
  const originals = [...bindings.entries()].map(([target, name]) => {
    const original = target[name];
    target[name] = function (options, ...more) {
      note(options);
      return original.call(this, options, ...more);
    };
    return () => {
      target[name] = original;
    };
  });
  const stop = () => {
    for (const restore of originals) restore();
  };
  return { seen, stop };
}

/** `ChildProcess.prototype.spawn` takes all that is asynchronous; `spawnSync` and its kin end in the binding. */
function bindingsOf() {
  const found = new Map([[ChildProcess.prototype, "spawn"]]);
  const warn = process.emitWarning;
  process.emitWarning = () => {}; // the binding is deprecated, and there is no other way to see all of them
  try {
    found.set(process.binding("spawn_sync"), "spawn");
  } catch {
    // A Node without it: synchronous calls are seen in the module.
    const module = createRequire(import.meta.url)("node:child_process");
    found.set(module, "spawnSync");
  } finally {
    process.emitWarning = warn;
  }
  return found;
}
