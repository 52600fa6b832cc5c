#!/usr/bin/env node
// The hook runs before every search of an agent: it loads nothing but what it needs.
const argv = process.argv.slice(2);
const isHook = (argv[0] === "hook" || argv[0] === "augment") && !argv.some((word) => word.startsWith("-"));
const { main } = await import(isHook ? "../dist/node/hook.js" : "../dist/node/cli.js");

process.exitCode = await main(argv);
