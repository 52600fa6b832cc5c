// A module loader for tests: TypeScript and JSX through esbuild, style sheets as nothing, `portolan` as the fake beside it.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

export async function resolve(specifier, context, next) {
  if (specifier === "portolan") return { url: new URL("./fake-portolan.ts", import.meta.url).href, shortCircuit: true };
  if (specifier === "virtual:sample-picture")
    return { url: new URL("./sample-picture.ts", import.meta.url).href, shortCircuit: true };
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (url.endsWith(".css")) return { format: "module", source: "", shortCircuit: true };
  if (!/\.tsx?$/.test(url)) return next(url, context);
  const { code } = await transform(await readFile(fileURLToPath(url), "utf8"), {
    loader: url.endsWith("x") ? "tsx" : "ts",
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    sourcefile: fileURLToPath(url),
    sourcemap: "inline",
  });
  return { format: "module", source: code, shortCircuit: true };
}
