//! Narrows the results by language, kind, folder, or to what is no test.

import { type Facet, facetsOf, toggled } from "../state/facets.ts";
import { count } from "../state/format.ts";
import { link, navigate } from "../state/navigation.ts";
import { repository } from "../state/repository.ts";
import type { Answer } from "../state/search.ts";

const groups: Record<Facet["group"], string> = { language: "Language", kind: "Kind", folder: "Folder", tests: "" };

export function Facets({ answer }: { answer: Answer }) {
  const shown = facetsOf(answer, repository.value?.files ?? [], link.value);
  if (shown.length === 0) return null;
  return (
    <fieldset class="facets" aria-label="Narrow the results">
      {Object.entries(groups).map(([group, title]) => {
        const facets = shown.filter((facet) => facet.group === group);
        if (facets.length === 0) return null;
        return (
          <span key={group} class="facet-group">
            {title !== "" && <span class="facet-title">{title}</span>}
            {facets.map((facet) => (
              <Chip key={facet.value} facet={facet} />
            ))}
          </span>
        );
      })}
    </fieldset>
  );
}

function Chip({ facet }: { facet: Facet }) {
  const { group, value, on } = facet;
  return (
    <button
      type="button"
      class="toggle"
      aria-pressed={on}
      onClick={() => navigate(toggled(facet, link.peek()), "replace")}
    >
      {group === "tests" ? "Without tests" : group === "kind" ? value.replaceAll("_", " ") : value}
      {facet.count > 0 && <span class="facet-count">{count(facet.count)}</span>}
    </button>
  );
}
