// The hook of the package that this folder is part of. Where the folder was copied elsewhere there is none, and it is silent.
try {
  const { main } = await import("../../dist/node/hook.js");
  await main(["hook", ...process.argv.slice(2)]);
} catch {}
process.exitCode = 0;
