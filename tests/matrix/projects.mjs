// The code that users write: a repository to index, a question to it, and the few lines around it for each environment.

/** In three languages; the builds with chosen languages have two of them. */
export const SOURCES = {
  "src/tax.ts": "/** Adds value added tax. */\nexport function addTax(net: number) { return net * 1.19; }\n",
  "src/cart.ts": 'import { addTax } from "./tax";\nexport function total(net: number) { return addTax(net); }\n',
  "tools/report.py": "def report(total):\n    return f'{total:.2f}'\n",
  "src/stock.rs": "/// Counts articles.\npub fn count_articles() -> usize {\n    3\n}\n",
};

/** A module: `ask(Portolan, sources)` indexes, asks for a meaning, a caller and a definition in Python, and returns the missing answers. */
export const ASK = `
export async function ask(Portolan, sources) {
  const warnings = [];
  const files = Object.entries(sources).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));
  const onWarning = ({ code, help }) => warnings.push([code, help]);
  const index = await Portolan.index({ files }, { name: "repo", onWarning });
  await index.complete;
  const { hits, mode } = await index.search("value added tax");
  const { calls } = await index.callers("addTax");
  const { symbols } = await index.find("report");
  const byWords = (await index.search("count articles")).hits.map(({ path }) => path);
  const reopened = await Portolan.open(await index.save());
  const again = (await reopened.find("addTax")).symbols[0].path;
  index.close();
  reopened.close();
  return { found: hits[0].path, caller: calls[0].symbol.name, python: symbols[0].path, rust: byWords[0], mode, again, warnings };
}
`;

/** The answer where nothing is missing. */
export const ANSWER = {
  found: "src/tax.ts",
  caller: "total",
  python: "tools/report.py",
  rust: "src/stock.rs",
  mode: "hybrid",
  again: "src/tax.ts",
  warnings: [],
};

/** The same in a build without Rust's grammar: its file is found by words. */
export const CHOSEN_ANSWER = {
  ...ANSWER,
  warnings: [["grammar.load", "import portolan/grammars/rust and name it in createPortolan({ assets })"]],
};

/** A page with everything: nothing but the import. */
export const PAGE = `import { Portolan } from "portolan";
import { ask } from "./ask.js";
window.run = (sources) => ask(Portolan, sources);
`;

/** A page with two languages and the model. */
export const CHOSEN_PAGE = `import { createPortolan } from "portolan/core";
import python from "portolan/grammars/python";
import typescript from "portolan/grammars/typescript";
import model from "portolan/model";
import { ask } from "./ask.js";
const Portolan = createPortolan({ assets: [python, typescript, model] });
window.run = (sources) => ask(Portolan, sources);
`;

/** A page whose files are in a folder that \`portolan assets\` wrote. */
export const HOSTED_PAGE = `import { createPortolan } from "portolan/core";
import { ask } from "./ask.js";
const Portolan = createPortolan({ assets: "/portolan/" });
window.run = (sources) => ask(Portolan, sources);
window.runInWorker = (sources) => new Promise((resolve, reject) => {
  const worker = new Worker("/worker.js", { type: "module" });
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.onmessage = ({ data }) => resolve(data);
  worker.postMessage(sources);
});
`;

/** A plain web worker of the user's. */
export const HOSTED_WORKER = `import { createPortolan } from "portolan/core";
import { ask } from "./ask.js";
const Portolan = createPortolan({ assets: "/portolan/" });
onmessage = async ({ data }) => postMessage(await ask(Portolan, data));
`;

export const HTML = '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/page.js"></script>\n';

/** A page without any build: it finds modules by an import map, which its workers do not have. */
export const IMPORT_MAP_HTML = `<!doctype html><link rel="icon" href="data:," />
<script type="importmap">{ "imports": {
  "portolan/core": "/node_modules/portolan/dist/entry/core.js",
  "idb": "/node_modules/idb/build/index.js"
} }</script>
<script type="module" src="/page.js"></script>
`;

/** Node, Bun and Deno. */
export const SCRIPT = `import { Portolan } from "portolan";
import { createPortolan } from "portolan/core";
import python from "portolan/grammars/python";
import { ask } from "./ask.js";
const sources = ${JSON.stringify(SOURCES)};
console.log(JSON.stringify([await ask(Portolan, sources), await ask(createPortolan({ assets: [python] }), sources)]));
`;

/** Next: a server component, a page that runs in the browser only, and one with chosen languages. */
export const NEXT = {
  "app/layout.js": "export default ({ children }) => <html lang='en'><body>{children}</body></html>;\n",
  "app/page.js": `import { Portolan } from "portolan";
import { ask } from "./ask.js";
export const dynamic = "force-dynamic";
const sources = ${JSON.stringify(SOURCES)};
export default async function Page() {
  return <pre>{JSON.stringify(await ask(Portolan, sources))}</pre>;
}
`,
  "app/ask.js": ASK,
  ...Object.fromEntries(
    Object.entries({ all: PAGE, chosen: CHOSEN_PAGE }).map(([name, text]) => [
      `app/${name}/page.js`,
      `"use client";
import { useEffect } from "react";
${text.replace("./ask.js", "../ask.js").replace(/^(window\.run = .*)$/m, "export default function Page() {\n  useEffect(() => {\n    $1\n  }, []);\n  return null;\n}")}`,
    ]),
  ),
};

/** A Worker that opens the snapshot it is sent and answers by meaning. */
export const WORKER = `import { Portolan } from "portolan";
import { createPortolan } from "portolan/core";
import model from "portolan/model";
const withModel = createPortolan({ assets: [model] });
export default {
  async fetch(request) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    const answers = [];
    for (const portolan of [Portolan, withModel]) {
      const index = await portolan.open(bytes);
      const { hits, mode } = await index.search("value added tax");
      const meaning = await index.search({ query: "duty on sales", mode: "vector" }).then(({ hits }) => hits[0]?.path, ({ code }) => code);
      answers.push([hits[0].path, mode, meaning, (await index.callers("addTax")).calls[0].symbol.name]);
      index.close();
    }
    const refused = await Portolan.index({ files: [] }).catch(({ code }) => code);
    return Response.json({ answers, refused });
  },
};
`;
