// The hook of the package that this folder is part of. Where the folder was copied elsewhere there is none, and it is silent.
"use strict";

process.exitCode = 0;
try {
  require("../../dist/node/hook.cjs").main(["hook", ...process.argv.slice(2)]);
} catch {}
