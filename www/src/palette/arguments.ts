//! Commands that take what is typed after their word: `> impact addTax`, `> regex fo+`, `> line 40`.

import type { Symbol as Definition } from "portolan";
import { locateText } from "../state/pasted.ts";
import type { QueryMode } from "../state/link.ts";
import { navigate, openFile, openView } from "../state/navigation.ts";
import { change, type Theme } from "../state/settings.ts";
import { selectorOf } from "../state/symbol.ts";
import { workViews } from "../state/work-views.ts";

/** A command with an argument. */
export interface Asking {
  /** The word that begins it. */
  readonly word: string;
  /** The kind of argument, in a word or two. */
  readonly hint: string;
  readonly title: string;
  /** The argument names a definition, which is chosen from those that fit. */
  readonly ofSymbol: boolean;
  /** Whether it needs an open repository. */
  readonly inside: boolean;
  /** Runs it with a text, or says that the text is no argument. */
  run(text: string, path: string): boolean;
}

function searching(word: string, title: string, mode: QueryMode, hint: string): Asking {
  return {
    word,
    hint,
    title,
    ofSymbol: false,
    inside: true,
    run: (query) => {
      navigate({ query, mode, path: "", lines: null, view: "" });
      return true;
    },
  };
}

export const asking: readonly Asking[] = [
  searching("search", "Search", "auto", "words or a question"),
  searching("regex", "Search by regular expression", "regex", "expression"),
  searching("structural", "Structural search", "form", "code pattern"),
  ...workViews.flatMap(({ id, title, ofSymbol }): Asking[] =>
    ofSymbol === undefined
      ? []
      : [
          {
            word: id === "atlas" ? "neighbourhood" : id,
            hint: "name",
            title: id === "atlas" ? "Neighbourhood" : title,
            ofSymbol: true,
            inside: true,
            run: (of) => {
              openView(id, { of });
              return true;
            },
          },
        ],
  ),
  {
    word: "locate",
    hint: "title of an issue, or an error",
    title: "Locate an issue",
    ofSymbol: false,
    inside: true,
    run: (text) => {
      locateText(text);
      return true;
    },
  },
  {
    word: "cypher",
    hint: "query",
    title: "Cypher query",
    ofSymbol: false,
    inside: true,
    run: (q) => {
      openView("cypher", { q });
      return true;
    },
  },
  {
    word: "line",
    hint: "number",
    title: "Go to line",
    ofSymbol: false,
    inside: true,
    run: (text, path) => {
      const line = Number(text);
      if (path === "" || !Number.isInteger(line) || line < 1) return false;
      openFile(path, line);
      return true;
    },
  },
  {
    word: "colours",
    hint: "light, dark or system",
    title: "Colours",
    ofSymbol: false,
    inside: false,
    run: (text) => {
      if (!["light", "dark", "system"].includes(text)) return false;
      change({ theme: text as Theme });
      return true;
    },
  },
];

/** The command and the argument that a text means; nothing where its first word begins none. */
export function askedOf(text: string): { command: Asking; argument: string } | undefined {
  const [, word = "", argument = ""] = /^\s*(\S+)\s+(\S.*?)\s*$/s.exec(text) ?? [];
  const command = asking.find((one) => one.word === word.toLowerCase());
  return command && { command, argument };
}

/** Commands whose word begins as typed. */
export function askingAs(typed: string, isInside: boolean): readonly Asking[] {
  const letters = typed.trim().toLowerCase();
  return asking.filter(({ word, inside }) => (isInside || !inside) && letters !== "" && word.startsWith(letters));
}

/** Runs a command about a definition. */
export function runOn(command: Asking, symbol: Pick<Definition, "path" | "qualified_name">): void {
  command.run(selectorOf(symbol), "");
}
