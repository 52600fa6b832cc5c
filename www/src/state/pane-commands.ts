//! Commands of tabs and panes.

import type { Command } from "./commands.ts";
import { link, swapPanes } from "./navigation.ts";
import { canReopen, closeOthers, closeTab, cycleTab, reopenTab, tabs } from "./open-files.ts";
import { canStep, hasRoom, step, toggleSplit } from "./panes.ts";

const group = "Tabs and panes";
const hasTab = () => link.value.path !== "" && tabs.value.length > 0;
const hasTabs = () => tabs.value.length > 1 && link.value.path !== "";
const isSplit = () => link.value.beside !== null && hasRoom();

export const tabCommands: readonly Command[] = [
  {
    id: "tab.next",
    title: "Next tab",
    group,
    keys: ["alt+pagedown"],
    when: hasTabs,
    run: () => cycleTab(1),
  },
  {
    id: "tab.previous",
    title: "Previous tab",
    group,
    keys: ["alt+pageup"],
    when: hasTabs,
    run: () => cycleTab(-1),
  },
  {
    id: "tab.close",
    title: "Close this tab",
    group,
    keys: ["alt+w"],
    when: hasTab,
    run: () => closeTab(link.peek().path),
  },
  { id: "tab.others", title: "Close the other tabs", group, keys: [], when: hasTabs, run: closeOthers },
  { id: "tab.reopen", title: "Open the closed tab again", group, keys: [], when: canReopen, run: reopenTab },
];

export const paneCommands: readonly Command[] = [
  {
    id: "pane.split",
    title: "Split into two panes, or close the other pane",
    group,
    keys: ["mod+\\"],
    when: () => link.value.path !== "" && hasRoom(),
    run: toggleSplit,
  },
  { id: "pane.other", title: "Go to the other pane", group, keys: ["mod+f6"], when: isSplit, run: swapPanes },
  {
    id: "pane.back",
    title: "Back in this pane",
    group,
    keys: ["alt+shift+arrowleft"],
    when: () => link.value.path !== "" && canStep(-1),
    run: () => step(-1),
  },
  {
    id: "pane.forward",
    title: "Forward in this pane",
    group,
    keys: ["alt+shift+arrowright"],
    when: () => link.value.path !== "" && canStep(1),
    run: () => step(1),
  },
];
