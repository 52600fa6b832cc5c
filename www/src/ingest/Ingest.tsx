//! The ways in: a folder, an archive, the sample; and dropping anywhere on the page.

import { signal } from "@preact/signals";
import type { Input } from "portolan";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../controls/Icon.tsx";
import { take as takeGrammar } from "../state/user-languages.ts";
import { navigate } from "../state/navigation.ts";
import { notify, report } from "../state/notices.ts";
import { ingest, openFile, openSample, openShards, repository, takenNames } from "../state/repository.ts";
import { earlyReadme } from "../state/remote.ts";
import { hasSample } from "../state/sample.ts";
import { pickFolder } from "../state/pick.ts";
import { nameFor, rememberSource } from "../state/same-name.ts";
import { dropSource, filesSource, folderSource, type Source } from "../state/sources.ts";
import "./ingest.css";

declare global {
  interface DataTransferItem {
    getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
  }
}

const dragging = signal(false);

async function take(source: Source | Promise<Source>): Promise<void> {
  try {
    const given = await source;
    if ("grammar" in given) {
      navigate({ repository: "", path: "", lines: null, query: "", symbol: "", view: "" });
      await takeGrammar(given.grammar);
      return;
    }
    if ("diff" in given) {
      if (repository.peek()) await (await import("../changes/given.ts")).giveDiff(given.diff);
      else notify("info", "A diff needs its repository", "Open the repository first, then drop the diff again.");
      return;
    }
    const name = await nameFor(given, await takenNames());
    if (name === null) return;
    if ("index" in given) await openFile(given.index, name);
    else if ("shards" in given) await openShards(given.shards, name);
    else {
      void showEarly(given.input, name);
      await ingest(given.input, name);
    }
    if (repository.peek()?.name === name) rememberSource(name, given);
  } catch (error) {
    report("open the files", error);
  }
}

/** Shows the README while the rest is read. */
async function showEarly(input: Input, name: string): Promise<void> {
  try {
    const { readmeOfInput } = await import("../readme/early.ts");
    const found = await readmeOfInput(input);
    if (found) earlyReadme.value = { repository: name, ...found };
  } catch {
    // The index shows it later, or says why it cannot be read.
  }
}

export function Ingest() {
  const folder = useRef<HTMLInputElement>(null);
  const archive = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (folder.current) folder.current.webkitdirectory = true;
  }, []);

  const chooseFolder = async () => {
    if (!window.showDirectoryPicker) return folder.current?.click();
    try {
      await take(await pickFolder());
    } catch (error) {
      // Closing the picker is no error.
      report("open the folder", error);
    }
  };

  const onFiles = (input: HTMLInputElement, sourceOf: (files: readonly File[]) => Source | Promise<Source>) => {
    const files = [...(input.files ?? [])];
    // The same folder can be chosen again.
    input.value = "";
    void take((async () => sourceOf(files))());
  };

  return (
    <div class="ingest">
      <button type="button" class="button button-main" onClick={() => void chooseFolder()}>
        <Icon name="folder" /> Open a folder
      </button>
      <button type="button" class="button" onClick={() => archive.current?.click()}>
        <Icon name="archive" /> Open an archive or index
      </button>
      {hasSample.value && (
        <button type="button" class="button" onClick={() => void openSample()}>
          <Icon name="compass" /> Open the sample
        </button>
      )}
      <input
        ref={folder}
        class="ingest-input"
        type="file"
        name="folder"
        multiple
        tabIndex={-1}
        aria-label="Folder to index"
        onChange={(event) => onFiles(event.currentTarget, folderSource)}
      />
      <input
        ref={archive}
        class="ingest-input"
        type="file"
        name="archive"
        multiple
        accept=".zip,.tgz,.tar.gz,.gz,.tar,.crate,.index,.portolan,.sealed"
        tabIndex={-1}
        aria-label="Archive or index"
        onChange={(event) => onFiles(event.currentTarget, filesSource)}
      />
    </div>
  );
}

/** Takes what is dropped anywhere on the page, and shows that it can be. */
export function DropTarget() {
  useEffect(() => {
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth += 1;
      dragging.value = true;
    };
    const leave = () => {
      depth = Math.max(0, depth - 1);
      if (depth === 0) dragging.value = false;
    };
    const over = (event: DragEvent) => hasFiles(event) && event.preventDefault();
    const drop = (event: DragEvent) => {
      depth = 0;
      dragging.value = false;
      if (!event.dataTransfer || !hasFiles(event)) return;
      event.preventDefault();
      void take(dropSource(event.dataTransfer));
    };
    addEventListener("dragenter", enter);
    addEventListener("dragleave", leave);
    addEventListener("dragover", over);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragenter", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("dragover", over);
      removeEventListener("drop", drop);
    };
  }, []);
  if (!dragging.value) return null;
  return (
    <div class="drop">
      <p>Drop a folder or an archive to index it, a saved index to open it, or a grammar to add its language</p>
    </div>
  );
}
