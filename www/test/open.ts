//! Puts a repository made by the fake into the page's state, for tests of what is drawn.

import { emptyLink, type Link } from "../src/state/link.ts";
import { link } from "../src/state/navigation.ts";
import { repository } from "../src/state/repository.ts";
import { fakeIndex } from "./fake-portolan.ts";

export const texts = {
  "src/a.ts": "export function add() {\n  return 1;\n}\n",
  "src/b.ts": "function twice() {\n  return add() + add();\n}\n",
};

export async function openFake(change: Partial<Link> = {}) {
  const index = fakeIndex("fake", texts);
  const [{ files }, status] = await Promise.all([index.files(), index.status()]);
  repository.value = { name: "fake", index, files, status, revision: 0 };
  link.value = { ...emptyLink, repository: "fake", ...change };
  return index;
}

/** Waits until the answers of the fake are in the signals. */
export const settled = (millis = 30) => new Promise((resolve) => setTimeout(resolve, millis));
