//! The atlas's link: the view that it describes, and the request for it.

import type { AtlasRequest } from "portolan";
import type { ViewArgs } from "../state/link.ts";
import { type Property, properties } from "./colours.ts";

/** How the same contents are shown. */
export const forms = ["boxes", "graph", "table"] as const;
export type Form = (typeof forms)[number];

/** The finest things on the map. */
export const levels = ["areas", "files", "symbols"] as const;
export type Level = (typeof levels)[number];

/** Kinds of edges that can be chosen, in plain words. */
export const edgeWords: Readonly<Record<string, string>> = {
  CALLS: "calls",
  REFERENCES: "uses",
  IMPORTS: "imports",
  EXTENDS: "extends",
  IMPLEMENTS: "implements",
  ALIASES: "aliases",
  DISPATCH: "implemented by",
};

/** The part of the repository and the way it is shown. */
export interface Asked {
  readonly form: Form;
  readonly by: Property;
  readonly level: Level;
  /** Label of one area; empty for all. */
  readonly area: string;
  /** One file's symbols; empty for all. */
  readonly file: string;
  /** Folder of the boxes; empty for the root. */
  readonly folder: string;
  /** The symbol whose neighbourhood is shown; empty for the map. */
  readonly around: string;
  /** Symbols whose paths are shown. */
  readonly from: string;
  readonly to: string;
  /** Kinds of edges that are shown; empty for all. */
  readonly kinds: readonly string[];
  /** Minimum confidence in percent. */
  readonly sure: number;
}

/** Reads a link; missing and invalid parts have their defaults. */
export function askedOf(args: ViewArgs): Asked {
  const known = <T extends string>(values: readonly T[], value: string | undefined, otherwise: T): T =>
    values.find((one) => one === value) ?? otherwise;
  const sure = Number(args.sure ?? "0");
  const file = args.file ?? "";
  return {
    form: known(forms, args.as, "boxes"),
    by: known(properties, args.by, "language"),
    level: file !== "" ? "symbols" : known(levels, args.level, args.area === undefined ? "areas" : "files"),
    area: args.area ?? "",
    file,
    folder: args.folder ?? "",
    around: args.of ?? "",
    from: args.from ?? "",
    to: args.to ?? "",
    kinds: (args.kinds ?? "").split(",").filter((kind) => kind in edgeWords),
    sure: Number.isInteger(sure) && sure >= 0 && sure <= 100 ? sure : 0,
  };
}

/** The link's arguments with a change; empty values leave the link. */
export function withArgs(args: ViewArgs, change: Readonly<Record<string, string>>): ViewArgs {
  return Object.fromEntries(Object.entries({ ...args, ...change }).filter(([, value]) => value !== ""));
}

/** Most symbols and edges that are drawn at once. */
const mostThings = 50_000;
const mostLines: Readonly<Record<Level, number>> = { areas: 1_000, files: 3_000, symbols: 12_000 };

/** The request for the view. Boxes and the table of files always need the files. */
export function requestOf(asked: Asked, within: readonly string[]): AtlasRequest {
  const level = asked.form === "boxes" ? "files" : asked.level;
  return {
    level,
    ...(asked.area === "" || asked.form === "boxes" ? {} : { area: asked.area }),
    paths: asked.file !== "" && asked.form !== "boxes" ? [literal(asked.file)] : [...within],
    edges: [...asked.kinds],
    min_confidence: asked.sure / 100,
    limit: mostThings,
    max_edges: asked.form === "graph" ? mostLines[level] : 0,
  };
}

/** A glob that matches this path alone: from the root, with its signs as they are. */
function literal(path: string): string {
  return `/${path.replaceAll(/[*?[\]{}]/g, (sign) => `[${sign}]`)}`;
}
