/** GitHub and GitHub Enterprise. Two requests to the API list a repository; raw files have no part in its limit. */

import { PortolanError } from "../errors.js";
import type { SourceClient } from "./client.js";
import { checkLength, entryBelow, inAddress, type ListedEntry, type MakeApi, type TreeEntry } from "./forge-api.js";
import { fieldsIn, listIn, treeEntryIn } from "./shapes.js";

interface Tree {
  readonly tree: readonly (ListedEntry | undefined)[];
  readonly truncated: boolean;
}

const RAW_TYPE = "application/vnd.github.raw+json";
const JSON_TYPE = "application/vnd.github+json";
/** Folders that are asked for one by one where a tree is too long for one answer. */
const MAX_TREES = 200;

export const github: MakeApi = ({ api, raw }, name, client) => {
  const base = `${api}/repos/${inAddress(name)}`;
  // The host of raw files takes no token of a page: its files come from the API then.
  const hasToken = client.settings.tokens?.[new URL(api).origin] !== undefined;
  return {
    async commit(ref = "HEAD") {
      const { bytes } = await client.get(`${base}/commits/${inAddress(ref)}`, {
        accept: "application/vnd.github.sha",
        most: 10_000,
      });
      const commit = new TextDecoder().decode(bytes).trim();
      if (!/^[0-9a-f]{40,64}$/.test(commit))
        throw new PortolanError("source.answer", `${api} named no commit for ${ref}`, "check the base address");
      return commit;
    },
    archive: (commit) => ({ url: `${base}/tarball/${commit}` }),
    tree: (commit) => wholeTree(client, base, commit),
    file: (commit, { path, id }) =>
      raw !== undefined && !hasToken
        ? { url: `${raw}/${inAddress(name)}/${commit}/${inAddress(path)}` }
        : { url: `${base}/git/blobs/${id}`, accept: RAW_TYPE },
    fileAt: (ref, path) =>
      raw !== undefined && !hasToken
        ? { url: `${raw}/${inAddress(name)}/${inAddress(ref)}/${inAddress(path)}` }
        : { url: `${base}/contents/${inAddress(path)}?ref=${encodeURIComponent(ref)}`, accept: RAW_TYPE },
  };
};

/** Lists the tree in one answer, or folder by folder if it is too long for that. */
async function wholeTree(client: SourceClient, base: string, commit: string): Promise<TreeEntry[]> {
  const found: TreeEntry[] = [];
  const folders = [{ id: commit, before: "" }];
  let n_asked = 0;
  for (let next = folders.pop(); next; next = folders.pop()) {
    if (++n_asked > MAX_TREES)
      throw new PortolanError(
        "source.too-large",
        "the repository has too many files to list",
        "download its archive and open it",
      );
    const { id, before } = next;
    const whole = await client.json(`${base}/git/trees/${id}?recursive=1`, treeIn, JSON_TYPE);
    const { tree } = whole.truncated ? await client.json(`${base}/git/trees/${id}`, treeIn, JSON_TYPE) : whole;
    for (const entry of tree) {
      if (whole.truncated && entry?.type === "tree") folders.push({ id: entry.id, before: `${before}${entry.path}/` });
      else found.push(...entryBelow(before, entry));
    }
    checkLength(found);
  }
  return found;
}

function treeIn(value: unknown): Tree {
  const { tree, truncated } = fieldsIn(value);
  return { tree: listIn(tree).map((entry) => treeEntryIn(entry, "sha")), truncated: truncated === true };
}
