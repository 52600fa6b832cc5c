//! The top of the page: where we are, the search box, and the few buttons that are always there.

import { Icon, type IconName } from "../controls/Icon.tsx";
import { SearchBox } from "../search/SearchBox.tsx";
import { helpOpen, palette } from "../state/commands.ts";
import { emptyLink, encodeLink } from "../state/link.ts";
import { repository } from "../state/repository.ts";
import { change, settings, type Theme } from "../state/settings.ts";
import { drawer, narrow } from "../state/drawers.ts";

const themes: Record<Theme, { icon: IconName; words: string; next: Theme }> = {
  system: { icon: "screen", words: "Colours: as the system", next: "light" },
  light: { icon: "sun", words: "Colours: light", next: "dark" },
  dark: { icon: "moon", words: "Colours: dark", next: "system" },
};

export function Header({ inside }: { inside: boolean }) {
  const open = repository.value;
  const { theme, leftOpen } = settings.value;
  const { icon, words, next } = themes[theme];
  const toggleLeft = () => {
    if (narrow.peek()) drawer.value = drawer.peek() === "left" ? null : "left";
    else change({ leftOpen: !leftOpen });
  };
  return (
    <header class="header">
      {inside && (
        <button
          type="button"
          class="icon-button"
          aria-label="Files"
          aria-expanded={narrow.value ? drawer.value === "left" : leftOpen}
          title="Show or hide the files"
          onClick={toggleLeft}
        >
          <Icon name="sidebar" />
        </button>
      )}
      <a class="brand" href="#/" title="All repositories">
        <Icon name="compass" size={20} />
        <span>Portolan</span>
      </a>
      {inside && open && (
        <a class="repository-name" href={encodeLink({ ...emptyLink, repository: open.name })} title="Overview">
          {open.name}
        </a>
      )}
      <div class="header-middle">{inside && <SearchBox />}</div>
      <div class="header-end">
        <button
          type="button"
          class="icon-button"
          aria-label="Command palette"
          title="Command palette (Ctrl K)"
          onClick={() => (palette.value = "")}
        >
          <Icon name="command" />
        </button>
        <button
          type="button"
          class="icon-button header-theme"
          aria-label={words}
          title={words}
          onClick={() => change({ theme: next })}
        >
          <Icon name={icon} />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Help"
          title="Help (?)"
          onClick={() => (helpOpen.value = true)}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}
