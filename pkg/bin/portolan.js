#!/usr/bin/env node
// A question loads one file, indexing and pulling another, as CommonJS: the loader of modules takes longer than some answers. The hook, which runs
// before every search of an agent, has a file of its own. Everything else starts in the whole command line; so do
// commands that read stdin,
// as it could not be read twice.
"use strict";

const argv = process.argv.slice(2);
const isHook = (argv[0] === "hook" || argv[0] === "augment") && !argv.some((word) => word.startsWith("-"));
const readsStdin = argv.some((word) => word === "-" || word.endsWith("=-") || word.includes("/dev/"));

async function main() {
  if (isHook) return require("../dist/node/hook.cjs").main(argv);
  if (!readsStdin) {
    const indexes = argv[0] === "index" || argv[0] === "pull";
    const { main, Elsewhere } = require(indexes ? "../dist/node/indexing.cjs" : "../dist/node/questions.cjs");
    try {
      return await main(argv);
    } catch (error) {
      if (!(error instanceof Elsewhere)) throw error;
    }
  }
  return (await import("../dist/node/cli.js")).main(argv);
}

main().then((code) => {
  process.exitCode = code;
});
