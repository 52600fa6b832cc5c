/** GitLab. Its listing comes in pages of a hundred, without sizes. */

import { entryOf, type MakeApi, type TreeEntry } from "./forge-api.js";

type Page = readonly { path: string; type: string; mode: string; id: string }[];

const MAX_PAGES = 1_000;

export const gitlab: MakeApi = ({ api }, name, client) => {
  const base = `${api}/projects/${encodeURIComponent(name)}/repository`;
  const fileAt = (ref: string, path: string) => ({
    url: `${base}/files/${encodeURIComponent(path)}/raw?ref=${encodeURIComponent(ref)}`,
  });
  return {
    fileAt,
    async commit(ref = "HEAD") {
      return (await client.json<{ id: string }>(`${base}/commits/${encodeURIComponent(ref)}`)).id;
    },
    archive: (commit) => ({ url: `${base}/archive.tar.gz?sha=${commit}` }),
    async tree(commit) {
      const found: TreeEntry[] = [];
      for (let page = "1", n = 0; page !== "" && n < MAX_PAGES; n++) {
        const url = `${base}/tree?recursive=true&per_page=100&page=${page}&ref=${commit}`;
        const { bytes, headers } = await client.get(url, { accept: "application/json" });
        const entries = JSON.parse(new TextDecoder().decode(bytes)) as Page;
        for (const { path, type, mode, id } of entries) found.push(...entryOf(path, type, mode, id));
        page = entries.length === 0 ? "" : (headers.get("x-next-page") ?? "");
      }
      return found;
    },
    file: (commit, { path }) => fileAt(commit, path),
  };
};
