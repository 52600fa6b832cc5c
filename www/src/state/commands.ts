//! Every command of the page, once: shortcuts, palette and help sheet are made from this list.

import { signal } from "@preact/signals";
import { active, choose, passagesOf, search } from "./search.ts";
import { currentLine, file, textOf } from "./file.ts";
import { blameOpen, git } from "./history.ts";
import { emptyLink } from "./link.ts";
import { address, link, navigate, openBeside, openFile, openView } from "./navigation.ts";
import { notify, speak } from "./notices.ts";
import { askToSave, saveAsItIs } from "./save.ts";
import { paneCommands, tabCommands } from "./pane-commands.ts";
import { hasRoom } from "./panes.ts";
import { job, type Repository, repository } from "./repository.ts";
import { change, settings } from "./settings.ts";
import { shieldOpen } from "./watch.ts";
import { tab } from "./symbol.ts";
import { workViews } from "./work-views.ts";

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: "Search" | "Go to" | "Code" | "Tabs and panes" | "View" | "Repository";
  /** `mod` is Ctrl, on a Mac ⌘. The first one is shown. */
  readonly keys: readonly string[];
  /** When the command is available (default: always). */
  when?(): boolean;
  run(): void;
}

/** Text the palette was opened with; null while it is closed. */
export const palette = signal<string | null>(null);
export const helpOpen = signal(false);
/** The search field, while it is in the page. It takes the focus at once, so that no letter typed after `/` is lost. */
export const searchField: { current: HTMLInputElement | null } = { current: null };
/** The active tab of the left panel. */
export const leftTab = signal<"files" | "outline" | "results">("files");
/** An action that the code view does at its cursor; counts up so that the same one can be asked twice. */
export const codeAction = signal<{ action: CodeAction; turn: number } | null>(null);
type CodeAction = "definition" | "beside" | "references" | "peek" | "peek-references" | "card" | "find";

const isOpen = () => repository.value !== null;
const hasFile = () => isOpen() && textOf(file.value) !== null;
const hasResults = () => passagesOf(search.value).length > 0;
const withOpen = (run: (open: Repository) => void) => () => {
  const open = repository.peek();
  if (open) run(open);
};
let turn = 0;
const ask = (action: CodeAction) => () => {
  turn += 1;
  codeAction.value = { action, turn };
};
const searchWith = (next: Parameters<typeof navigate>[0]) => () => {
  navigate(next);
  focusSearch();
};
const showLeft = (shown: typeof leftTab.value) => () => {
  leftTab.value = shown;
  change({ leftOpen: true });
};
const askReferences = ask("references");

export const commands: readonly Command[] = [
  { id: "search.focus", title: "Search", group: "Search", keys: ["/"], when: isOpen, run: focusSearch },
  { id: "search.next", title: "Next result", group: "Search", keys: ["j"], when: hasResults, run: () => step(1) },
  {
    id: "search.previous",
    title: "Previous result",
    group: "Search",
    keys: ["k"],
    when: hasResults,
    run: () => step(-1),
  },
  {
    id: "search.open",
    title: "Open the result",
    group: "Search",
    keys: ["o"],
    when: () => hasResults() && active.value >= 0,
    run: openActive,
  },
  {
    id: "search.regex",
    title: "Search by regular expression",
    group: "Search",
    keys: [],
    when: isOpen,
    run: searchWith({ mode: "regex" }),
  },
  {
    id: "search.form",
    title: "Structural search",
    group: "Search",
    keys: [],
    when: isOpen,
    run: searchWith({ mode: "form", path: "", lines: null, query: "", view: "" }),
  },
  {
    id: "search.results",
    title: "Show the results in full",
    group: "Search",
    keys: [],
    when: () => hasResults() && link.value.path !== "",
    run: () => navigate({ path: "", lines: null }),
  },
  {
    id: "search.beside",
    title: "Open the result in the other pane",
    group: "Search",
    keys: ["s"],
    when: () => hasResults() && active.value >= 0 && hasRoom(),
    run: openActiveBeside,
  },
  { id: "palette.open", title: "Command palette", group: "Go to", keys: ["mod+k"], run: () => (palette.value = "") },
  {
    id: "palette.files",
    title: "Go to a file",
    group: "Go to",
    keys: ["mod+p", "t"],
    when: isOpen,
    run: () => (palette.value = ""),
  },
  {
    id: "palette.symbols",
    title: "Go to a symbol in this file",
    group: "Go to",
    keys: ["mod+shift+o"],
    when: hasFile,
    run: () => (palette.value = "@"),
  },
  {
    id: "palette.line",
    title: "Go to a line",
    group: "Go to",
    keys: ["l"],
    when: hasFile,
    run: () => (palette.value = ":"),
  },
  {
    id: "code.definition",
    title: "Go to the definition",
    group: "Code",
    keys: ["f12"],
    when: hasFile,
    run: ask("definition"),
  },
  {
    id: "code.beside",
    title: "Go to the definition in the other pane",
    group: "Code",
    keys: ["mod+f12"],
    when: () => hasFile() && hasRoom(),
    run: ask("beside"),
  },
  {
    id: "code.references",
    title: "Show its uses",
    group: "Code",
    keys: ["shift+f12"],
    when: hasFile,
    run() {
      tab.value = "references";
      askReferences();
    },
  },
  {
    id: "code.card",
    title: "Explain the name at the cursor",
    group: "Code",
    keys: ["e"],
    when: hasFile,
    run: ask("card"),
  },
  {
    id: "code.peek",
    title: "Peek at the definition",
    group: "Code",
    keys: ["alt+f12"],
    when: hasFile,
    run: ask("peek"),
  },
  {
    id: "code.peek-references",
    title: "Peek at its uses",
    group: "Code",
    keys: ["alt+shift+f12"],
    when: hasFile,
    run: ask("peek-references"),
  },
  {
    id: "code.history",
    title: "Show who changed each line",
    group: "Code",
    keys: [],
    when: () => hasFile() && git.value.state !== "none",
    run: () => (blameOpen.value = !blameOpen.peek()),
  },
  { id: "code.find", title: "Find in this file", group: "Code", keys: ["mod+f"], when: hasFile, run: ask("find") },
  {
    id: "code.link",
    title: "Copy a link to this place",
    group: "Code",
    keys: ["y"],
    when: isOpen,
    run: () => void copyAddress(),
  },
  {
    id: "code.wrap",
    title: "Wrap long lines",
    group: "Code",
    keys: ["alt+z"],
    when: hasFile,
    run: () => change({ wrapLines: !settings.peek().wrapLines }),
  },
  ...tabCommands,
  ...paneCommands,
  {
    id: "view.left",
    title: "Show or hide the files",
    group: "View",
    keys: ["mod+b"],
    when: isOpen,
    run: () => change({ leftOpen: !settings.peek().leftOpen }),
  },
  {
    id: "view.right",
    title: "Show or hide the symbol",
    group: "View",
    keys: ["mod+i"],
    when: isOpen,
    run: () => change({ rightOpen: !settings.peek().rightOpen }),
  },
  {
    id: "view.files",
    title: "Show the file tree",
    group: "View",
    keys: [],
    when: isOpen,
    run: showLeft("files"),
  },
  {
    id: "view.outline",
    title: "Show the outline of this file",
    group: "View",
    keys: [],
    when: hasFile,
    run: showLeft("outline"),
  },
  {
    id: "view.system",
    title: "System colours",
    group: "View",
    keys: [],
    run: () => change({ theme: "system" }),
  },
  { id: "view.light", title: "Light colours", group: "View", keys: [], run: () => change({ theme: "light" }) },
  { id: "view.dark", title: "Dark colours", group: "View", keys: [], run: () => change({ theme: "dark" }) },
  { id: "view.letters", title: "Toggle one-letter shortcuts", group: "View", keys: [], run: toggleLetters },
  { id: "view.help", title: "Help", group: "View", keys: ["?"], run: () => (helpOpen.value = true) },
  {
    id: "view.shield",
    title: "Privacy, requests and index",
    group: "View",
    keys: [],
    run: () => (shieldOpen.value = true),
  },
  {
    id: "repository.overview",
    title: "Overview of the repository",
    group: "Repository",
    keys: [],
    when: isOpen,
    run: () => navigate({ path: "", lines: null, query: "", symbol: "", mode: "auto", view: "" }),
  },
  ...workViews.map(({ id, title, keys }) => ({
    id: `repository.${id}`,
    title,
    group: "Repository" as const,
    keys,
    when: isOpen,
    run: () => openView(id),
  })),
  {
    id: "repository.together",
    title: "Ask several repositories",
    group: "Repository",
    keys: [],
    run: () => navigate({ ...emptyLink, view: "together" }),
  },
  {
    id: "repository.other",
    title: "Open another repository",
    group: "Repository",
    keys: [],
    when: isOpen,
    run: () => navigate({ repository: "", path: "", lines: null, query: "", symbol: "", view: "" }),
  },
  {
    id: "repository.download",
    title: "Save the index to a file",
    group: "Repository",
    keys: [],
    when: isOpen,
    run: withOpen(saveAsItIs),
  },
  {
    id: "repository.protected",
    title: "Save an encrypted copy of the index",
    group: "Repository",
    keys: [],
    when: isOpen,
    run: withOpen(askToSave),
  },
  {
    id: "repository.cancel",
    title: "Cancel indexing",
    group: "Repository",
    keys: [],
    when: () => job.value !== null,
    run: () => job.peek()?.cancel(),
  },
];

/** A key press as the list writes it: `mod+shift+o`, `f12`, `?`. */
export function keysOf(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string {
  const key = event.key.toLowerCase();
  const mod = event.ctrlKey || event.metaKey;
  // With a plain character the shift is in the character already (`?`).
  const shift = event.shiftKey && (mod || event.key.length > 1);
  return `${mod ? "mod+" : ""}${event.altKey ? "alt+" : ""}${shift ? "shift+" : ""}${key}`;
}

/** The command that a key press means, if it is one here. `typing` is true where letters are text. */
export function commandFor(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">,
  typing: boolean,
  singleKeys: boolean,
): Command | null {
  const keys = keysOf(event);
  if (keys.length === 1 && (typing || !singleKeys)) return null;
  return commands.find((command) => command.keys.includes(keys) && (command.when?.() ?? true)) ?? null;
}

/** Listens for the shortcuts of the whole page. */
export function keepShortcuts(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    const command = commandFor(event, isTyping(event.target), settings.peek().singleKeys);
    if (!command) return;
    event.preventDefault();
    command.run();
  });
}

// The code view can be written in as far as the browser knows; it is read only, so letters are shortcuts there.
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("[role=tree]")) return true;
  return target.matches("input, textarea, select") || (target.isContentEditable && !target.closest(".cm-content"));
}

function focusSearch(): void {
  searchField.current?.focus();
  searchField.current?.select();
}

function step(by: number): void {
  const passages = passagesOf(search.peek());
  choose(Math.min(passages.length - 1, Math.max(0, active.peek() + by)));
  if (link.peek().path !== "") openActive();
}

function openActive(): void {
  choose(active.peek());
  const passage = passagesOf(search.peek())[active.peek()];
  if (passage) openFile(passage.path, passage.startLine, passage.endLine);
}

function openActiveBeside(): void {
  const passage = passagesOf(search.peek())[active.peek()];
  if (passage) openBeside({ path: passage.path, lines: { from: passage.startLine, to: passage.endLine } });
}

async function copyAddress(): Promise<void> {
  const { path, lines } = link.peek();
  if (path !== "" && !lines) navigate({ lines: { from: currentLine.peek(), to: currentLine.peek() } }, "replace");
  try {
    await navigator.clipboard.writeText(address());
    notify("info", "Link copied");
  } catch {
    notify("warning", "The browser did not allow copying", "The address bar holds the same link.");
  }
}

function toggleLetters(): void {
  const on = !settings.peek().singleKeys;
  change({ singleKeys: on });
  speak(on ? "One-letter shortcuts are on" : "One-letter shortcuts are off");
}

const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Keys as caps to show: `["Ctrl", "K"]`. */
export function caps(keys: string): string[] {
  const names: Record<string, string> = {
    mod: isMac ? "⌘" : "Ctrl",
    alt: isMac ? "⌥" : "Alt",
    shift: "Shift",
    arrowup: "↑",
    arrowdown: "↓",
    arrowleft: "←",
    arrowright: "→",
    pageup: "Page ↑",
    pagedown: "Page ↓",
    enter: "Enter",
    escape: "Esc",
  };
  return keys
    .split("+")
    .map(
      (key) =>
        names[key] ??
        (key.length > 1 ? key.toUpperCase() : key.length === 1 && keys.length > 1 ? key.toUpperCase() : key),
    );
}
