//! The views of the middle: palette, help sheet, links and the panel of a symbol are made from this list.

import type { View } from "./link.ts";

/** Views of one repository; that of several needs none to be open, and is loaded apart. */
export type WorkViewId = Exclude<View, "" | "together">;

export interface WorkView {
  readonly id: WorkViewId;
  /** As palette, heading and links say it. */
  readonly title: string;
  /** Its use, in one line. */
  readonly words: string;
  /** Shortcuts, as commands write them. */
  readonly keys: readonly string[];
  /** The label of the action on a symbol, for views that take one as their argument `of`. */
  readonly ofSymbol?: string;
}

export const workViews: readonly WorkView[] = [
  {
    id: "locate",
    title: "Locate an issue or a stack trace",
    words: "Paste its text: the files and functions it is about, with reasons",
    keys: ["p"],
  },
  {
    id: "map",
    title: "Repository map",
    words: "Files with their definitions, within a token budget",
    keys: ["m"],
  },
  {
    id: "impact",
    title: "Impact of a change",
    words: "Who depends on a definition, the risk, the tests to run",
    keys: ["i"],
    ofSymbol: "Impact",
  },
  {
    id: "flows",
    title: "Execution flows",
    words: "From where the program is entered to what it does",
    keys: [],
    ofSymbol: "Flows",
  },
  {
    id: "changes",
    title: "Changes and their effects",
    words: "A diff or another folder: what it touches, the risk, the tests to run",
    keys: [],
  },
  {
    id: "rename",
    title: "Rename a definition",
    words: "Every place that means it, as a patch or written into the folder",
    keys: [],
    ofSymbol: "Rename",
  },
  {
    id: "replace",
    title: "Search and replace",
    words: "By code pattern or regular expression, with a preview",
    keys: [],
  },
  {
    id: "cypher",
    title: "Cypher console",
    words: "Any question about the graph, as a table or a drawing",
    keys: [],
  },
  {
    id: "generate",
    title: "Documents",
    words: "Guide, specifications, user stories and clean-ups, written from the graph",
    keys: [],
  },
  {
    id: "atlas",
    title: "Atlas",
    words: "The whole repository as areas, files and definitions: boxes, graph and table",
    keys: ["g"],
    ofSymbol: "Neighbourhood",
  },
  {
    id: "chat",
    title: "Chat",
    words: "Questions to a language model of your choice, with places that are checked",
    keys: ["a"],
    ofSymbol: "Ask",
  },
];

/** The view of this name. */
export function viewOf(id: View): WorkView | undefined {
  return workViews.find((view) => view.id === id);
}
