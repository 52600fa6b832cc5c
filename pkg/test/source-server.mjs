// Plays the APIs of forges and registries, with their limits and faults: what `fault` returns for a request is sent instead of the answer.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";

export const COMMIT = "0123456789abcdef0123456789abcdef01234567";

/** A tar of texts below one folder. */
export function tarOf(top, files) {
  const blocks = Object.entries(files).flatMap(([path, text]) => {
    const bytes = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(`${top}/${path}`, 0);
    header.write("0000644\0", 100);
    header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("        0", 148);
    header.write("ustar\u000000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

export const FILES = {
  "README.md":
    "# Shop\n\nSells things. See [tax](src/tax.ts).\n\n![logo](docs/logo.png)\n\n<script>window.stolen = 1</script>\n<img src=x onerror='window.stolen = 2'>\n\n![badge](https://elsewhere.example/badge.svg)\n",
  "package.json": '{"name":"shop","main":"src/tax.ts"}\n',
  ".gitignore": "dist/\n",
  "src/tax.ts": "export function addTax(net: number) {\n  return net * 1.2;\n}\n",
  "src/cart.ts": "import { addTax } from './tax';\nexport const total = (net: number) => addTax(net);\n",
  "dist/bundle.js": "left out by .gitignore\n",
  "docs/logo.png": "\x89PNG\r\n\x1a\n\0\0",
};

const idOf = (text) => createHash("sha1").update(text).digest("hex");

/** Starts it; `requests` lists the requests, with headers. */
export async function forgeServer({ fault = () => undefined, files = FILES } = {}) {
  const requests = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, `http://${request.headers.host}`);
    const { pathname: path } = url;
    requests.push({ path: path + url.search, headers: request.headers });
    const send = (body, headers = {}, status = 200) =>
      response
        .writeHead(status, {
          "access-control-allow-origin": "*",
          "access-control-allow-headers": "*",
          "access-control-expose-headers": "*",
          ...headers,
        })
        .end(body);
    if (request.method === "OPTIONS") return send("");
    const faulty = fault({ path, url, request, n: requests.length, response });
    if (faulty === "taken") return;
    if (faulty) return send(faulty.body ?? "", faulty.headers ?? {}, faulty.status ?? 200);
    const json = (value) => send(JSON.stringify(value), { "content-type": "application/json" });
    const tree = Object.entries(files).map(([path, text]) => ({
      path,
      type: "blob",
      mode: "100644",
      sha: idOf(text),
      id: idOf(text),
      size: Buffer.byteLength(text, path.endsWith(".png") ? "latin1" : "utf8"),
    }));
    const bodyOf = (path) => Buffer.from(files[path], path.endsWith(".png") ? "latin1" : "utf8");
    const raw = (name) => (name in files ? send(bodyOf(name)) : send("", {}, 404));
    const archive = () => send(tarOf("shop-0123", files), { "content-type": "application/gzip" });
    const knows = (ref) => ["HEAD", "main", "v1", "feature/vat", COMMIT].includes(ref);
    const commit = /^\/api\/repos\/acme\/shop\/commits\/(.+)$/.exec(path);
    if (commit) return knows(decodeURIComponent(commit[1])) ? send(COMMIT) : send("{}", {}, 422);
    if (/^\/api\/repos\/acme\/shop\/git\/trees\//.test(path)) return json({ sha: COMMIT, truncated: false, tree });
    const blob = /^\/api\/repos\/acme\/shop\/git\/blobs\/(.+)$/.exec(path);
    if (blob) return raw(tree.find(({ sha }) => sha === blob[1]).path);
    if (path.startsWith("/api/repos/acme/shop/tarball/")) return archive();
    const file = /^\/raw\/acme\/shop\/[^/]+\/(.+)$/.exec(path);
    if (file) return raw(decodeURIComponent(file[1]));
    const found = /^\/gitlab\/projects\/acme%2Fteam%2Fshop\/repository\/(.+)$/.exec(path);
    if (found) {
      if (found[1].startsWith("commits/"))
        return knows(decodeURIComponent(found[1].slice(8))) ? json({ id: COMMIT }) : send("{}", {}, 404);
      if (found[1] === "tree") {
        const page = Number(url.searchParams.get("page"));
        const some = tree.slice((page - 1) * 3, page * 3).map(({ size: _, ...entry }) => entry);
        return send(JSON.stringify(some), { "x-next-page": page * 3 < tree.length ? String(page + 1) : "" });
      }
      if (found[1] === "archive.tar.gz") return archive();
      return raw(decodeURIComponent(/^files\/(.+)\/raw$/.exec(found[1])[1]));
    }
    const gitea = /^\/gitea\/repos\/acme\/shop(.*)$/.exec(path);
    if (gitea) {
      const rest = gitea[1];
      if (rest === "") return json({ default_branch: "main" });
      if (rest.startsWith("/git/commits/"))
        return knows(decodeURIComponent(rest.slice(13))) ? json({ sha: COMMIT }) : send("{}", {}, 404);
      if (rest.startsWith("/git/trees/")) {
        const page = Number(url.searchParams.get("page"));
        return json({ tree: tree.slice((page - 1) * 3, page * 3), truncated: page * 3 < tree.length });
      }
      if (rest.startsWith("/archive/")) return archive();
      return raw(decodeURIComponent(rest.slice(5)));
    }
    if (path === "/npm/shop" || path === "/npm/@acme%2fshop") {
      const tarball = tarOf("package", files);
      const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
      const version = (v) => ({ dist: { tarball: `${url.origin}/npm/-/shop-${v}.tgz`, integrity } });
      return json({
        "dist-tags": { latest: "1.1.0" },
        versions: { "1.0.0": version("1.0.0"), "1.1.0": version("1.1.0") },
      });
    }
    if (path.startsWith("/npm/-/")) return send(tarOf("package", files));
    if (path === "/index/config.json") return json({ dl: `${url.origin}/crates` });
    if (path === "/index/sh/op/shop") {
      const cksum = createHash("sha256").update(tarOf("shop-0.2.0", files)).digest("hex");
      const lines = ["0.2.0", "0.10.0", "1.0.0-rc.1"].map((vers) => JSON.stringify({ vers, cksum, yanked: false }));
      return send(`${lines.join("\n")}\n`);
    }
    if (path.startsWith("/crates/shop/")) return send(tarOf("shop-0.2.0", files));
    if (path === "/files/shop.tar.gz") return archive();
    const html = { "content-type": "text/html; charset=utf-8" };
    if (path === "/docs/")
      return send(
        '<h1>Guide</h1><a href="tax.html#x">t</a><a href="/private/">p</a><a href="secret/a.html">s</a>',
        html,
      );
    if (path === "/docs/tax.html") return send("<h1>Value added tax</h1><a href=./>up</a>", html);
    if (path === "/robots.txt")
      return send("User-agent: *\nDisallow: /docs/secret\n", { "content-type": "text/plain" });
    return send("not found", {}, 404);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${server.address().port}`;
  return {
    base,
    requests,
    settings: {
      forges: [
        { id: "github", forge: "github", web: `${base}/web`, api: `${base}/api`, raw: `${base}/raw` },
        { id: "gitlab", forge: "gitlab", web: `${base}/lab`, api: `${base}/gitlab` },
        { id: "codeberg", forge: "gitea", web: `${base}/berg`, api: `${base}/gitea` },
      ],
      registries: { npm: `${base}/npm`, crate: `sparse+${base}/index/` },
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
