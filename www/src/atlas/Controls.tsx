//! Choices of the atlas: form, level, colours, relations, files. All of them are in the link.

import { useState } from "preact/hooks";
import { Icon } from "../controls/Icon.tsx";
import { PathsField } from "../controls/PathsField.tsx";
import { git } from "../state/history.ts";
import { hashOf, link, navigate } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { type Asked, edgeWords, forms, levels, withArgs } from "./asked.ts";
import { type Property, properties } from "./colours.ts";
import { Saving, type Shown } from "./Saving.tsx";

interface Props {
  repository: Repository;
  asked: Asked;
  /** False for a neighbourhood and for paths, which have no forms and colours to choose. */
  isMap: boolean;
  shown: Shown | null;
}

const levelWords = { areas: "areas", files: "files", symbols: "definitions" };
const sureties = [0, 50, 80, 90, 95, 99];

export function Controls({ repository, asked, isMap, shown }: Props) {
  const { args, within } = link.value;
  const set = (change: Record<string, string>) => navigate({ args: withArgs(args, change) }, "replace");
  const colours = shownProperties(asked);
  // Where there is little room they are behind a button: the map comes first.
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="filters atlas-controls">
      {isMap && (
        <fieldset class="atlas-forms">
          <legend class="unseen">Form</legend>
          {forms.map((form) => (
            <a
              key={form}
              href={hashOf({ args: withArgs(args, { as: form === "boxes" ? "" : form }) })}
              {...(form === asked.form ? { "aria-current": "true" as const } : {})}
            >
              {form[0]?.toUpperCase() + form.slice(1)}
            </a>
          ))}
        </fieldset>
      )}
      <button
        type="button"
        class="toggle atlas-options"
        aria-expanded={isOpen}
        aria-controls="atlas-fields"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="chevron" size={11} /> Options
      </button>
      <div id="atlas-fields" class={isOpen ? "atlas-fields atlas-fields-open" : "atlas-fields"}>
        {isMap && asked.form !== "boxes" && asked.file === "" && (
          <label class="filter-field">
            <span>Show</span>
            <select value={asked.level} onChange={(event) => set({ level: event.currentTarget.value })}>
              {levels
                .filter((level) => level !== "areas" || asked.area === "")
                .map((level) => (
                  <option key={level} value={level}>
                    {levelWords[level]}
                  </option>
                ))}
            </select>
          </label>
        )}
        {isMap && asked.form !== "table" && (
          <label class="filter-field">
            <span>Colour</span>
            <select
              value={colours.includes(asked.by) ? asked.by : "area"}
              onChange={(event) => set({ by: event.currentTarget.value })}
            >
              {colours.map((property) => (
                <option key={property} value={property}>
                  {property === "churn" ? "churn (commits)" : property}
                </option>
              ))}
            </select>
          </label>
        )}
        {(!isMap || asked.form === "graph") && <Relations asked={asked} set={set} />}
        {isMap && <PathsField value={within} onInput={(within) => navigate({ within }, "replace")} />}
        <Saving repository={repository} asked={asked} shown={shown} />
      </div>
    </div>
  );
}

/** Without a history there is no churn; areas have neither a language nor commits of their own. */
function shownProperties({ form, level }: Asked) {
  const isAreas = form === "graph" && level === "areas";
  const isKnown = (property: Property) => property !== "churn" || git.value.state !== "none";
  return properties.filter((property) =>
    isAreas ? property !== "language" && property !== "churn" : isKnown(property),
  );
}

/** Kinds of edges and the least confidence. */
function Relations({ asked, set }: { asked: Asked; set(change: Record<string, string>): void }) {
  const all = Object.keys(edgeWords);
  const chosen = asked.kinds.length === 0 ? all : asked.kinds;
  const toggle = (kind: string, isOn: boolean) => {
    const next = all.filter((one) => (one === kind ? isOn : chosen.includes(one)));
    // None and all mean the same: a map without relations is shown by a table.
    set({ kinds: next.length === all.length ? "" : next.join(",") });
  };
  return (
    <>
      <details class="atlas-relations">
        <summary>
          {asked.kinds.length === 0 ? "All relations" : `${asked.kinds.length} of ${all.length} relations`}
        </summary>
        <fieldset>
          <legend class="unseen">Relations</legend>
          {Object.entries(edgeWords).map(([kind, words]) => (
            <label key={kind}>
              <input
                type="checkbox"
                checked={chosen.includes(kind)}
                onChange={(event) => toggle(kind, event.currentTarget.checked)}
              />{" "}
              {words}
            </label>
          ))}
        </fieldset>
      </details>
      <label class="filter-field">
        <span>Confidence</span>
        <select value={asked.sure} onChange={(event) => set({ sure: event.currentTarget.value.replace(/^0$/, "") })}>
          {sureties.map((percent) => (
            <option key={percent} value={percent}>
              {percent === 0 ? "any" : `at least ${percent} %`}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
