/** Gitea and Forgejo, as Codeberg runs it. */

import { checkLength, entryBelow, inAddress, type MakeApi, type TreeEntry } from "./forge-api.js";
import { fieldsIn, hashIn, listIn, textIn, treeEntryIn } from "./shapes.js";

const MAX_PAGES = 1_000;

export const gitea: MakeApi = ({ api }, name, client) => {
  const base = `${api}/repos/${inAddress(name)}`;
  const fileAt = (ref: string, path: string) => ({
    url: `${base}/raw/${inAddress(path)}${ref === "HEAD" ? "" : `?ref=${encodeURIComponent(ref)}`}`,
  });
  return {
    fileAt,
    async commit(ref) {
      const named = ref ?? (await client.json(base, (value) => textIn(value, "default_branch")));
      const url = `${base}/git/commits/${inAddress(named)}?stat=false&files=false`;
      return client.json(url, (value) => hashIn(value, "sha"));
    },
    archive: (commit) => ({ url: `${base}/archive/${commit}.tar.gz` }),
    async tree(commit) {
      const found: TreeEntry[] = [];
      for (let page = 1; page <= MAX_PAGES; page++) {
        const url = `${base}/git/trees/${commit}?recursive=true&per_page=1000&page=${page}`;
        const { tree, isMore } = await client.json(url, (value) => {
          const { tree, truncated } = fieldsIn(value);
          return { tree: listIn(tree ?? []).map((entry) => treeEntryIn(entry, "sha")), isMore: truncated === true };
        });
        for (const entry of tree) found.push(...entryBelow("", entry));
        checkLength(found);
        if (!isMore || tree.length === 0) break;
      }
      return found;
    },
    file: (commit, { path }) => fileAt(commit, path),
  };
};
