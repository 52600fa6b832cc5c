//! The help sheet, made from the list of commands.

import { useLayoutEffect, useRef } from "preact/hooks";
import { showAlone } from "../controls/dialog.ts";
import { Icon } from "../controls/Icon.tsx";
import { Keys } from "../controls/Keys.tsx";
import { type Command, commands, helpOpen } from "../state/commands.ts";
import { change, settings } from "../state/settings.ts";
import "./help.css";

const groups: readonly Command["group"][] = ["Search", "Go to", "Code", "Tabs and panes", "View", "Repository"];
const extra: Partial<Record<Command["group"], readonly [string, string][]>> = {
  Code: [
    ["Show the symbol under the pointer", "Click"],
    ["Go to its definition", "Ctrl or ⌘ and click"],
    ["Go there in the other pane", "Ctrl or ⌘, Alt and click"],
  ],
  "Go to": [["Back and forward", "Alt ← and →"]],
  "Tabs and panes": [
    ["Close a tab", "Middle click, Delete"],
    ["Open a link in the other pane", "Ctrl or ⌘ and click"],
  ],
};

export function Help() {
  return helpOpen.value ? <Sheet /> : null;
}

function Sheet() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    showAlone(dialog.current);
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it; the key for that is Escape, the browser's own
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClose={() => (helpOpen.value = false)}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <header>
        <h2 id="help-title">Help</h2>
        <button type="button" class="icon-button" aria-label="Close the help" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <div class="help-body">
        <div class="help-words">
          <p>
            Search with a question (“where are requests retried”) or a name. Each result gives the reasons; “Explain”
            shows how each score was computed.
          </p>
          <p>
            Click a name in the code to see its definition and uses. Each connection names the rule that found it and
            how often that rule is right.
          </p>
          <p>
            The address bar always holds a link to what you see. After the first visit the page also starts without a
            network, with the parts that you have used; the start page offers to keep all of them.
          </p>
        </div>
        <div class="help-keys">
          {groups.map((group) => (
            <Group key={group} group={group} />
          ))}
        </div>
        <label class="help-switch">
          <input
            type="checkbox"
            checked={settings.value.singleKeys}
            onChange={(event) => change({ singleKeys: event.currentTarget.checked })}
          />
          One-letter shortcuts
        </label>
      </div>
    </dialog>
  );
}

function Group({ group }: { group: Command["group"] }) {
  const listed = commands.filter((command) => command.group === group && command.keys.length > 0);
  const more = extra[group] ?? [];
  if (listed.length + more.length === 0) return null;
  return (
    <section>
      <h3>{group}</h3>
      <dl>
        {listed.map(({ id, title, keys }) => (
          <div key={id}>
            <dt>{title}</dt>
            <dd>
              {keys.map((one) => (
                <Keys key={one} keys={one} />
              ))}
            </dd>
          </div>
        ))}
        {more.map(([title, how]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{how}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
