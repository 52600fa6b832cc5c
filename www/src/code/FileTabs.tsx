//! The files that were opened, above the code. They are links: a browser's own ways to open one work, too.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { FileIcon } from "../controls/FileIcon.tsx";
import { Icon } from "../controls/Icon.tsx";
import { splitPath } from "../state/format.ts";
import { hashOf, link, navigate } from "../state/navigation.ts";
import { closeTab, tabs } from "../state/open-files.ts";
import "./file-tabs.css";

export function FileTabs() {
  const paths = tabs.value;
  const { path: active, beside } = link.value;
  const list = useRef<HTMLUListElement>(null);
  const overflows = useOverflow(list, paths.length);
  useLayoutEffect(() => {
    list.current
      ?.querySelector("[aria-current=page]")
      ?.parentElement?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [active, paths.length, overflows]);
  if (paths.length === 0) return null;
  const names = new Map<string, number>();
  for (const path of paths) names.set(splitPath(path)[1], (names.get(splitPath(path)[1]) ?? 0) + 1);

  const focus = (at: number) => list.current?.querySelectorAll<HTMLElement>("a")[at]?.focus();
  const onKeyDown = (event: KeyboardEvent, at: number, path: string) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: paths.length - 1 }[event.key];
    if (to !== undefined) focus((to + paths.length) % paths.length);
    else if (event.key === "Delete") {
      closeTab(path);
      // The next tab has its place once it is drawn.
      requestAnimationFrame(() => focus(Math.min(at, paths.length - 2)));
    } else return;
    event.preventDefault();
  };

  return (
    <nav class="file-tabs" aria-label="Open files" data-single={paths.length === 1 || undefined}>
      <ul ref={list}>
        {paths.map((path, at) => {
          const [folder, name] = splitPath(path);
          const isActive = path === active;
          return (
            <li
              key={path}
              class="file-tab"
              data-active={isActive || undefined}
              data-shown={path === beside?.path || undefined}
              onAuxClick={(event) => {
                if (event.button !== 1) return;
                event.preventDefault();
                closeTab(path);
              }}
              // Or the browser begins to scroll.
              onMouseDown={(event) => event.button === 1 && event.preventDefault()}
            >
              <a
                href={hashOf({ path, lines: isActive ? link.value.lines : null })}
                title={path}
                aria-current={isActive ? "page" : undefined}
                tabIndex={isActive ? 0 : -1}
                onKeyDown={(event) => onKeyDown(event, at, path)}
              >
                <FileIcon path={path} />
                <span class="file-tab-name">{name}</span>
                {(names.get(name) ?? 0) > 1 && folder !== "" && (
                  <span class="file-tab-folder">{folder.split("/").at(-2)}</span>
                )}
              </a>
              <button
                type="button"
                class="file-tab-close"
                aria-label={`Close ${path}`}
                title="Close (middle click, Delete, Alt W)"
                tabIndex={-1}
                onClick={() => closeTab(path)}
              >
                <Icon name="close" size={12} />
              </button>
            </li>
          );
        })}
      </ul>
      {overflows && (
        <span class="file-tabs-all" title="All open files">
          <Icon name="chevron" size={12} />
          <select
            aria-label="All open files"
            value={active}
            onChange={({ currentTarget }) => navigate({ path: currentTarget.value, lines: null })}
          >
            {paths.map((path) => (
              <option key={path} value={path}>
                {path}
              </option>
            ))}
          </select>
        </span>
      )}
    </nav>
  );
}

/** Whether a list is wider than its room. */
function useOverflow(list: { current: HTMLElement | null }, n: number): boolean {
  const [overflows, setOverflows] = useState(false);
  useLayoutEffect(() => {
    const box = list.current;
    if (!box) return;
    const measure = () => setOverflows(box.scrollWidth > box.clientWidth + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [n]);
  return overflows;
}
