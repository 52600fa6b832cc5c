//! The picture of the sample on the start page: the folders of this project's sources, which are what the sample is made of, as boxes whose areas
//! are their lines. Made when the page is built, so that nothing is fetched for it.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { type Leaf, treemap } from "../src/atlas/treemap.ts";

/** Name that the page imports. */
const name = "virtual:sample-picture";
const roots = ["crates", "pkg/src", "www/src", "tests"];
const source = /\.(rs|ts|tsx|mjs|js|css|scm)$/;
const width = 520;
const height = 360;
/** Boxes with shorter sides would be too small to press. */
const least = 20;

/** A box of the picture: a folder, its place, and how deep it is. */
export interface PictureBox {
  readonly path: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly depth: number;
}

export function samplePicture(root: string): Plugin {
  return {
    name: "portolan-sample-picture",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) =>
      id === `\0${name}`
        ? `export const width=${width},height=${height},boxes=${JSON.stringify(boxesOf(root))};`
        : undefined,
  };
}

function boxesOf(root: string): PictureBox[] {
  return treemap(leavesOf(root), "", width, height)
    .filter(({ at, depth, w, h }) => at < 0 && depth <= 2 && w >= least && h >= least)
    .map(({ path, name, depth, ...place }) => ({ path, name, ...rounded(place), depth: depth - 1 }));
}

function rounded({ x, y, w, h }: { x: number; y: number; w: number; h: number }) {
  return { x: Math.round(x), y: Math.round(y), w: Math.round(w), h: Math.round(h) };
}

function leavesOf(root: string): Leaf[] {
  return roots.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && source.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/\/(node_modules|target|dist|wasm|\.[^/]+)\//.test(path.slice(root.length)))
      .map((path) => ({ path: path.slice(root.length + 1).replaceAll("\\", "/"), size: linesOf(path) }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  );
}

function linesOf(path: string): number {
  return readFileSync(path, "utf8").split("\n").length;
}
