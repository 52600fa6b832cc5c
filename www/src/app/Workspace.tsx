//! The page with a repository open: files, code or results, symbol.

import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { CodeView, loadEditor } from "../code/CodeView.tsx";
import { Icon } from "../controls/Icon.tsx";
import { Tabs } from "../controls/Tabs.tsx";
import { Files } from "../files/Files.tsx";
import { Outline } from "../outline/Outline.tsx";
import { Results } from "../search/Results.tsx";
import { leftTab } from "../state/commands.ts";
import { link } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { change, leftLimits, rightLimits, settings } from "../state/settings.ts";
import { OverviewHost } from "../host/OverviewHost.tsx";
import { SymbolPanel } from "../symbol/SymbolPanel.tsx";
import { ViewHost } from "../host/ViewHost.tsx";
import { drawer, narrow } from "../state/drawers.ts";
import { Splitter } from "../controls/Splitter.tsx";

const reading = signal(false);

// Opening a result puts the list of results beside it; without a query there is no such list, without a file no outline.
effect(() => {
  const { path, query } = link.value;
  const now = path !== "" && query !== "";
  if (now && !reading.peek()) leftTab.value = "results";
  if (!now && leftTab.peek() === "results") leftTab.value = "files";
  if (path === "" && leftTab.peek() === "outline") leftTab.value = "files";
  reading.value = now;
});

export function Workspace({ repository }: { repository: Repository }) {
  const { path, query, symbol, view, mode } = link.value;
  const { leftOpen, rightOpen, leftWidth, rightWidth } = settings.value;
  const left = narrow.value ? drawer.value === "left" : leftOpen;
  // Read ahead while nothing is asked: the first file then opens at once. A failure is told when the file is wanted.
  useEffect(() => {
    const warmUp = () =>
      loadEditor().then(
        (editor) => setTimeout(editor.warmUp),
        () => {},
      );
    const timer = setTimeout(() => void warmUp(), 300);
    return () => clearTimeout(timer);
  }, []);
  const right = symbol !== "" && (narrow.value ? drawer.value === "right" : rightOpen);
  return (
    <div class="workspace">
      {left && (
        <aside class="panel panel-left" style={{ width: `${leftWidth}px` }} aria-label="Files and outline">
          <LeftPanel />
          {!narrow.value && (
            <Splitter
              label="Width of the files"
              side="left"
              width={leftWidth}
              limits={leftLimits}
              onChange={(width) => change({ leftWidth: width })}
            />
          )}
        </aside>
      )}
      <main class="middle">
        {(path !== "" || query !== "" || (mode === "form" && view === "")) && (
          <h1 class="unseen">{path !== "" ? path : query !== "" ? `Results for ${query}` : "Structural search"}</h1>
        )}
        {path !== "" ? (
          <CodeView />
        ) : query !== "" || (mode === "form" && view === "") ? (
          <Results />
        ) : view !== "" ? (
          <ViewHost view={view} repository={repository} />
        ) : (
          <OverviewHost repository={repository} />
        )}
      </main>
      {right && (
        <aside class="panel panel-right" style={{ width: `${rightWidth}px` }} aria-label="Symbol">
          {!narrow.value && (
            <Splitter
              label="Width of the symbol"
              side="right"
              width={rightWidth}
              limits={rightLimits}
              onChange={(width) => change({ rightWidth: width })}
            />
          )}
          <SymbolPanel />
        </aside>
      )}
      {narrow.value && symbol !== "" && drawer.value === null && path !== "" && (
        <button type="button" class="button floating" onClick={() => (drawer.value = "right")}>
          <Icon name="details" size={14} /> Symbol
        </button>
      )}
      {narrow.value && drawer.value !== null && (
        <button type="button" class="scrim" aria-label="Close the panel" onClick={() => (drawer.value = null)} />
      )}
    </div>
  );
}

function LeftPanel() {
  const { path, query } = link.value;
  const tabs = [
    ...(path !== "" && query !== "" ? [{ id: "results" as const, label: "Results" }] : []),
    { id: "files" as const, label: "Files" },
    { id: "outline" as const, label: "Outline" },
  ];
  const value = tabs.some(({ id }) => id === leftTab.value) ? leftTab.value : "files";
  return (
    <Tabs label="Left panel" value={value} tabs={tabs} onChange={(next) => (leftTab.value = next)}>
      {value === "results" ? <Results dense /> : value === "outline" ? <Outline /> : <Files />}
    </Tabs>
  );
}
