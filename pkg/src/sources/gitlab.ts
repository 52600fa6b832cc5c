/** GitLab. Its listing comes in pages of a hundred, without sizes. */

import { checkLength, entryBelow, type MakeApi, type TreeEntry } from "./forge-api.js";
import { hashIn, listIn, treeEntryIn } from "./shapes.js";

const MAX_PAGES = 1_000;

export const gitlab: MakeApi = ({ api }, name, client) => {
  const base = `${api}/projects/${encodeURIComponent(name)}/repository`;
  const fileAt = (ref: string, path: string) => ({
    url: `${base}/files/${encodeURIComponent(path)}/raw?ref=${encodeURIComponent(ref)}`,
  });
  return {
    fileAt,
    async commit(ref = "HEAD") {
      return client.json(`${base}/commits/${encodeURIComponent(ref)}`, (value) => hashIn(value, "id"));
    },
    archive: (commit) => ({ url: `${base}/archive.tar.gz?sha=${commit}` }),
    async tree(commit) {
      const found: TreeEntry[] = [];
      for (let page = "1", n = 0; page !== "" && n < MAX_PAGES; n++) {
        const url = `${base}/tree?recursive=true&per_page=100&page=${page}&ref=${commit}`;
        const { entries, next } = await client.json(url, (value, headers) => ({
          entries: listIn(value).map((entry) => treeEntryIn(entry, "id")),
          next: headers.get("x-next-page") ?? "",
        }));
        for (const entry of entries) found.push(...entryBelow("", entry));
        checkLength(found);
        page = entries.length === 0 || !/^\d{1,9}$/.test(next) ? "" : next;
      }
      return found;
    },
    file: (commit, { path }) => fileAt(commit, path),
  };
};
