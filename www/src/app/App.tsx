//! The page: header, the open view, status line, and overlays.

import { Help } from "../help/Help.tsx";
import { DropTarget } from "../ingest/Ingest.tsx";
import { SameName } from "../ingest/SameName.tsx";
import { Palette } from "../palette/Palette.tsx";
import { ProgressCard } from "../progress/Progress.tsx";
import { Passphrase } from "../sealed/Passphrase.tsx";
import { SaveSheet } from "../sealed/SaveSheet.tsx";
import { ShieldHost } from "../host/ShieldHost.tsx";
import { Start } from "../start/Start.tsx";
import { link } from "../state/navigation.ts";
import { job, repository } from "../state/repository.ts";
import { TogetherHost } from "../host/ViewHost.tsx";
import { Footer } from "./Footer.tsx";
import { Guard } from "./Guard.tsx";
import { Header } from "./Header.tsx";
import { Notices } from "./Notices.tsx";
import { Workspace } from "./Workspace.tsx";
import "./tokens.css";
import "./base.css";
import "./app.css";
import "./touch.css";

export function App() {
  const open = repository.value;
  const inside = open !== null && link.value.repository === open.name;
  const running = job.value;
  // A saved repository opens in a moment: showing the start page in between would only flicker.
  const opening = !inside && running?.what === "open" && running.name === link.value.repository;
  return (
    <div class="app">
      <Header inside={inside} />
      <Guard>
        {inside ? (
          <Workspace repository={open} />
        ) : opening ? (
          <main class="opening">
            <ProgressCard job={running} />
          </main>
        ) : link.value.view === "together" && link.value.repository === "" ? (
          <TogetherHost />
        ) : (
          <Start />
        )}
      </Guard>
      <Footer inside={inside} />
      <section id="cards" aria-label="About a name" />
      <Palette />
      <Help />
      <ShieldHost />
      <Passphrase />
      <SaveSheet />
      <SameName />
      <DropTarget />
      <Notices />
    </div>
  );
}
