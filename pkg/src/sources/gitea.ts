/** Gitea and Forgejo, as Codeberg runs it. */

import { entryOf, inAddress, type MakeApi, type TreeEntry } from "./forge-api.js";

interface Tree {
  readonly tree: readonly { path: string; type: string; mode: string; sha: string; size?: number }[] | null;
  readonly truncated: boolean;
}

const MAX_PAGES = 1_000;

export const gitea: MakeApi = ({ api }, name, client) => {
  const base = `${api}/repos/${inAddress(name)}`;
  const fileAt = (ref: string, path: string) => ({
    url: `${base}/raw/${inAddress(path)}${ref === "HEAD" ? "" : `?ref=${encodeURIComponent(ref)}`}`,
  });
  return {
    fileAt,
    async commit(ref) {
      const named = ref ?? (await client.json<{ default_branch: string }>(base)).default_branch;
      return (await client.json<{ sha: string }>(`${base}/git/commits/${inAddress(named)}?stat=false&files=false`)).sha;
    },
    archive: (commit) => ({ url: `${base}/archive/${commit}.tar.gz` }),
    async tree(commit) {
      const found: TreeEntry[] = [];
      for (let page = 1; page <= MAX_PAGES; page++) {
        const url = `${base}/git/trees/${commit}?recursive=true&per_page=1000&page=${page}`;
        const { tree, truncated } = await client.json<Tree>(url);
        for (const { path, type, mode, sha, size } of tree ?? []) found.push(...entryOf(path, type, mode, sha, size));
        if (!truncated || !tree?.length) break;
      }
      return found;
    },
    file: (commit, { path }) => fileAt(commit, path),
  };
};
