//! Starts the page.

import { effect } from "@preact/signals";
import { visible } from "portolan";
import { render } from "preact";
import { App } from "./app/App.tsx";
import { keepDrawers } from "./state/drawers.ts";
import { showEscaped } from "./app/escaped.ts";
import { load as loadLanguages } from "./state/user-languages.ts";
import { keepOffline } from "./offline/offline.ts";
import { keepShortcuts } from "./state/commands.ts";
import { keepGit } from "./state/history.ts";
import { keepFile } from "./state/file.ts";
import { keepOpenFiles } from "./state/open-files.ts";
import { keepPanes } from "./state/panes.ts";
import { followHistory, link } from "./state/navigation.ts";
import { followLink, job, keepTabs, openSample, refreshSaved, repository } from "./state/repository.ts";
import { keepRequests } from "./state/watch.ts";
import { keepRemote } from "./state/remote.ts";
import { keepRecent } from "./state/recent.ts";
import { findSample, siteName } from "./state/sample.ts";
import { keepTelling } from "./state/notices.ts";
import { keepSearching } from "./state/search.ts";
import { keepSnippetColours } from "./state/snippet-colours.ts";
import { keepSettings } from "./state/settings.ts";
import { keepSymbol } from "./state/symbol.ts";

keepRequests();
showEscaped();
keepTelling();
followHistory();
keepSettings();
keepShortcuts();
keepDrawers();
keepSearching();
keepSnippetColours();
keepFile();
keepGit();
keepOpenFiles();
keepPanes();
keepRecent();
keepSymbol();
// Load added languages first: opening an index uses them.
const languages = Promise.all([loadLanguages(), keepRemote()]);
effect(() => {
  const { repository: name } = link.value;
  void languages.then(() => followLink(name));
});
effect(() => {
  const { path, repository: name, query } = link.value;
  const busy =
    job.value && !job.value.usable ? `${job.value.what === "open" ? "Opening" : "Indexing"} ${job.value.name}` : "";
  document.title = [busy || path.split("/").at(-1) || query, repository.value ? name : "", "Portolan"]
    .filter(Boolean)
    .map(visible)
    .join(" · ");
});
// Words for those without scripts, which `portolan build` writes.
document.getElementById("first")?.remove();
const root = document.getElementById("app");
if (root) render(<App />, root);
keepTabs();
void refreshSaved();
void findSample();
if (siteName !== "" && link.peek().repository === "") void openSample();
keepOffline();
