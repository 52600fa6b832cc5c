//! The reader's place: the path of the file and the definitions around the line.

import { plural, splitPath } from "../state/format.ts";
import { Icon } from "../controls/Icon.tsx";
import { Kind } from "../controls/Kind.tsx";
import { commands } from "../state/commands.ts";
import { currentLine, enclosing, type OpenFile } from "../state/file.ts";
import { goTo } from "../state/symbol.ts";

export function Breadcrumb({ file }: { file: OpenFile }) {
  const [folder, name] = splitPath(file.path);
  const around = enclosing(file.outline, currentLine.value);
  const copy = commands.find(({ id }) => id === "code.link");
  return (
    <nav class="breadcrumb" aria-label="Place in the code">
      <ol>
        <li class="breadcrumb-path" title={file.path}>
          <span class="breadcrumb-folder">{folder}</span>
          <span class="breadcrumb-name">{name}</span>
        </li>
        {around.map(({ symbol }) => (
          <li key={`${symbol.start_line}:${symbol.name}`}>
            <span class="breadcrumb-mark">
              <Icon name="chevron" size={11} />
            </span>
            <button type="button" onClick={() => goTo(symbol)} title={symbol.signature}>
              <Kind kind={symbol.kind} />
              <span>{symbol.name}</span>
            </button>
          </li>
        ))}
      </ol>
      <span class="breadcrumb-side">
        {file.language} · {plural(lineCount(file.text), "line")}
      </span>
      <button
        type="button"
        class="icon-button"
        title="Copy a link to this place (y)"
        aria-label="Copy a link to this place"
        onClick={() => copy?.run()}
      >
        <Icon name="copy" size={14} />
      </button>
    </nav>
  );
}

// A last line break ends a line, it does not start one.
function lineCount(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
