//! Copies the chosen changes or saves them as a patch, or writes them into the folder after asking.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { showAlone } from "../controls/dialog.ts";
import { Icon } from "../controls/Icon.tsx";
import { lookNow } from "../state/changes.ts";
import { give } from "../state/download.ts";
import { askToWrite, keptHandle } from "../state/folder-handles.ts";
import { plural } from "../state/format.ts";
import { hint, report } from "../state/notices.ts";
import type { Repository } from "../state/repository.ts";
import { CopyButton } from "../views/Frame.tsx";
import { writeChanges, WriteError } from "./folder.ts";
import { type FileChange, patchOf } from "./plan.ts";

interface Props {
  repository: Repository;
  changes: readonly FileChange[];
  /** Name of the patch's file, without its ending. */
  stem: string;
  /** A reason against writing that the confirmation repeats; empty if there is none. */
  warning?: string;
}

export function WriteBar({ repository, changes, stem, warning = "" }: Props) {
  // Only confirmed texts are written: if the index follows a change meanwhile, the confirmed texts no longer fit and are refused.
  const [asked, setAsked] = useState<readonly FileChange[] | null>(null);
  const folder = useFolder(repository.name);
  const nEdits = changes.reduce((sum, { n_edits: n }) => sum + n, 0);
  const isEmpty = changes.length === 0;
  return (
    <div class="write-bar">
      <span class="write-count" role="status">
        {isEmpty ? "Nothing chosen" : `${plural(nEdits, "place")} in ${plural(changes.length, "file")}`}
      </span>
      <CopyButton label="Copy patch" said="Patch copied" text={() => patchOf(changes)} />
      <button
        type="button"
        class="button button-small"
        disabled={isEmpty}
        onClick={() => give(new Blob([patchOf(changes)], { type: "text/x-diff" }), `${stem}.patch`)}
      >
        <Icon name="download" size={13} /> Save patch
      </button>
      {folder ? (
        <button
          type="button"
          class="button button-main button-small"
          disabled={isEmpty}
          onClick={() => setAsked(changes)}
        >
          Write to the folder…
        </button>
      ) : (
        <span class="write-why">
          Writing needs a folder that was opened with the browser's picker. The patch works everywhere:{" "}
          <code>git apply</code>.
        </span>
      )}
      {asked && folder && (
        <Confirm
          folder={folder}
          repository={repository}
          changes={asked}
          warning={warning}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

/** The folder that was opened under this name. */
function useFolder(name: string): FileSystemDirectoryHandle | null {
  const [folder, setFolder] = useState<FileSystemDirectoryHandle | null>(null);
  useEffect(() => {
    let isWanted = true;
    setFolder(null);
    void keptHandle(name).then((handle) => isWanted && setFolder(handle ?? null));
    return () => {
      isWanted = false;
    };
  }, [name]);
  return folder;
}

const mostListed = 200;

function Confirm({
  folder,
  repository,
  changes,
  warning,
  onClose,
}: {
  folder: FileSystemDirectoryHandle;
  repository: Repository;
  changes: readonly FileChange[];
  warning: string;
  onClose(): void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [writing, setWriting] = useState(false);
  const [failure, setFailure] = useState<WriteError | null>(null);
  useLayoutEffect(() => showAlone(dialog.current), []);
  const write = async () => {
    setWriting(true);
    setFailure(null);
    try {
      if (!(await askToWrite(folder)))
        throw new WriteError(
          "write.refused",
          `the browser does not allow writing into ${folder.name}; nothing was written`,
          "Allow it when the browser asks, or save the patch.",
        );
      await writeChanges(folder, changes, new Set(repository.files.map(({ path }) => path)));
      hint(`Written: ${plural(changes.length, "file")} of ${folder.name}`);
      onClose();
      void lookNow();
    } catch (error) {
      if (error instanceof WriteError) setFailure(error);
      else report(`write into ${folder.name}`, error);
    } finally {
      setWriting(false);
    }
  };
  return (
    <dialog ref={dialog} class="write-dialog" aria-labelledby="write-title" onClose={onClose}>
      <h2 id="write-title">
        Write {plural(changes.length, "file")} of “{folder.name}”?
      </h2>
      <p>The files are replaced on your disk. If one of them has changed since it was indexed, nothing is written.</p>
      {warning !== "" && <p class="write-warning">{warning}</p>}
      <ul class="rows card">
        {changes.slice(0, mostListed).map(({ path, n_edits: n }) => (
          <li key={path} class="row">
            <span class="row-name">{path}</span>
            <span class="row-end write-places">{plural(n, "place")}</span>
          </li>
        ))}
        {changes.length > mostListed && <li class="row">and {plural(changes.length - mostListed, "more file")}</li>}
      </ul>
      {failure && (
        <div class="write-failure" role="alert">
          <p>{failure.message}</p>
          <p>{failure.help}</p>
          <p class="view-code">{failure.code}</p>
        </div>
      )}
      <p class="write-actions">
        <button type="button" class="button button-small" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="button" class="button button-main button-small" disabled={writing} onClick={() => void write()}>
          {writing ? "Writing…" : `Write ${plural(changes.length, "file")}`}
        </button>
      </p>
    </dialog>
  );
}
