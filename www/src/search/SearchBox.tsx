//! The search box: what is typed is the query of the link, and the results follow while typing.

import { Icon } from "../controls/Icon.tsx";
import { locateText } from "../state/pasted.ts";
import { caps, searchField } from "../state/commands.ts";
import { narrow } from "../state/drawers.ts";
import type { QueryMode } from "../state/link.ts";
import { link, navigate, openFile } from "../state/navigation.ts";
import { repository } from "../state/repository.ts";
import { active, choose, markFirst, passagesOf, search } from "../state/search.ts";
import "./search-box.css";

export const modes: readonly [QueryMode, string, string][] = [
  ["auto", "Auto", "Chosen from the query"],
  ["lexical", "Words", "By words only"],
  ["vector", "Meaning", "By meaning only"],
  ["hybrid", "Both", "By words and by meaning"],
  ["regex", "Regex", "Lines that a regular expression matches"],
  ["form", "Structural", "Code patterns such as foo($A, $$$REST), or a tree-sitter query"],
];

const placeholders: Partial<Record<QueryMode, string>> = {
  regex: "Search by regular expression",
  form: "Structural search: a pattern such as foo($A, $$$REST)",
};

/** Pasted lines from which on a text is located instead of searched. */
const locatedLines = 3;

function leave(): void {
  searchField.current?.blur();
  document.querySelector<HTMLElement>(".results")?.focus();
}

export function SearchBox() {
  const { query, mode } = link.value;

  const type = (text: string) => {
    // The first letter leaves the file for the results, and "back" returns to it; the letters after it are the same step.
    navigate(
      { query: text, path: "", lines: null },
      link.peek().path === "" && link.peek().query !== "" ? "replace" : "push",
    );
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const passages = passagesOf(search.peek());
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const by = event.key === "ArrowDown" ? 1 : -1;
      choose(Math.min(passages.length - 1, Math.max(-1, active.peek() + by)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      const passage = passages[active.peek()];
      if (passage) openFile(passage.path, passage.startLine, passage.endLine);
      else {
        navigate({ path: "", lines: null });
        markFirst();
      }
      // The query is complete: from here on letters are shortcuts (j, k, o), and "/" comes back.
      if (link.peek().query !== "") leave();
    } else if (event.key === "Escape") {
      searchField.current?.blur();
    }
  };

  // A text of several lines is an issue, a log or a trace: as one line of words it would find little.
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const nLines = text.split("\n").filter((line) => line.trim() !== "").length;
    if (nLines < locatedLines || link.peek().mode === "form") return;
    event.preventDefault();
    locateText(text);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> would be one more box around the form, which is the landmark
    <form class="search-box" role="search" onSubmit={(event) => event.preventDefault()}>
      <Icon name="search" />
      <input
        ref={searchField}
        type="search"
        name="query"
        value={query}
        placeholder={narrow.value ? "Search" : (placeholders[mode] ?? "Search by words, a question or a name")}
        aria-label="Search the repository"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        disabled={repository.value === null}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      {query === "" && <kbd class="search-key">{caps("/")}</kbd>}
      <select
        aria-label="How to search"
        title={modes.find(([value]) => value === mode)?.[2]}
        value={mode}
        onChange={(event) => navigate({ mode: event.currentTarget.value as QueryMode }, "replace")}
        disabled={repository.value === null}
      >
        {modes.map(([value, label, title]) => (
          <option key={value} value={value} title={title}>
            {label}
          </option>
        ))}
      </select>
    </form>
  );
}
