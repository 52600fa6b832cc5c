//! Compares the open repository with another version: a folder, an archive, or a branch, tag or commit on its host.

import { useRef, useState } from "preact/hooks";
import { hostsOfSource, type Input, parseSource } from "portolan";
import { Icon } from "../controls/Icon.tsx";
import { plural } from "../state/format.ts";
import { notify, report } from "../state/notices.ts";
import { pickFolder } from "../state/pick.ts";
import { addresses, allowed, hostOf, sourceSettings, versionOf } from "../state/remote.ts";
import type { Repository } from "../state/repository.ts";
import { filesSource, type Source } from "../state/sources.ts";
import { Choice } from "../views/Frame.tsx";
import { showDiff } from "./given.ts";

type Running = { name: string; stop: AbortController } | null;

export function Compare({ repository }: { repository: Repository }) {
  const [direction, setDirection] = useState<"newer" | "older">("newer");
  const [running, setRunning] = useState<Running>(null);
  const compareWith = async (name: string, input: Input) => {
    const stop = new AbortController();
    setRunning({ name, stop });
    try {
      const { compare } = await import("./compare.ts");
      const options = { signal: stop.signal, remote: sourceSettings() };
      const { diff, n_files: n } = await compare(repository.index, input, direction === "newer", options);
      showDiff(`${name}: ${plural(n, "file differs", "files differ")}`, diff);
    } catch (error) {
      report("compare", error);
    } finally {
      setRunning(null);
    }
  };
  return (
    <div class="card">
      <h2>Compare {repository.name} with another version</h2>
      <p class="changes-compare">
        <Choice<"newer" | "older">
          label="The other one is"
          value={direction}
          options={[
            ["newer", "newer"],
            ["older", "older"],
          ]}
          onChange={setDirection}
        />
        <Local isBusy={running !== null} onChoose={(name, input) => void compareWith(name, input)} />
      </p>
      <OnHost name={repository.name} isBusy={running !== null} onChoose={(text) => void compareWith(text, text)} />
      {running && (
        <p class="changes-running" role="status">
          Comparing with {running.name}…
          <button type="button" class="text-button" onClick={() => running.stop.abort()}>
            Cancel
          </button>
        </p>
      )}
    </div>
  );
}

interface Choosing<Chosen extends unknown[]> {
  readonly isBusy: boolean;
  onChoose(...chosen: Chosen): void;
}

/** A folder or an archive of this computer. */
function Local({ isBusy, onChoose }: Choosing<[name: string, input: Input]>) {
  const archive = useRef<HTMLInputElement>(null);
  const take = async (choose: () => Promise<Source>) => {
    try {
      const source = await choose();
      if ("input" in source) onChoose(source.name, source.input);
      else report("compare", new Error("choose a folder or an archive of sources"));
    } catch (error) {
      report("compare", error);
    }
  };
  return (
    <>
      <button type="button" class="button button-small" disabled={isBusy} onClick={() => void take(pickFolder)}>
        <Icon name="folder" size={13} /> Choose a folder
      </button>
      <button type="button" class="button button-small" disabled={isBusy} onClick={() => archive.current?.click()}>
        <Icon name="archive" size={13} /> Choose an archive
      </button>
      <input
        ref={archive}
        class="ingest-input"
        type="file"
        name="compare"
        accept=".zip,.tgz,.tar.gz,.gz,.tar,.crate"
        tabIndex={-1}
        aria-label="Archive to compare with"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = "";
          if (files.length > 0) void take(() => filesSource(files));
        }}
      />
    </>
  );
}

const examples = "owner/repo@ref, npm:name@version, crate:name@version";

/** A version by its name: of the repository itself where it came from a host, or of any other source. */
function OnHost({ name, isBusy, onChoose }: Choosing<[text: string]> & { name: string }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState("");
  const { forges } = addresses.value;
  const hasVersions = versionOf(name, "main", forges) !== undefined;
  const choose = (event: Event) => {
    event.preventDefault();
    const named = versionOf(name, text, forges);
    const source = named === undefined ? undefined : parseSource(named, forges);
    setWrong(source ? "" : text.trim());
    if (!named || !source) return;
    const closed = hostsOfSource(source, addresses.peek()).filter((origin) => !allowed.peek().includes(origin));
    if (closed.length === 0) return onChoose(named);
    notify(
      "warning",
      `This page may not contact ${closed.map(hostOf).join(" and ")}`,
      `Open ${named} from the start page once: the page asks there, and starts anew with a policy that admits the host.`,
      "source.host",
    );
  };
  return (
    <form class="changes-host" onSubmit={choose}>
      <label for="changes-version">{hasVersions ? "Branch, tag or commit" : "Repository or package"}</label>
      <input
        id="changes-version"
        type="text"
        value={text}
        placeholder={hasVersions ? "main" : "owner/repo@ref"}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-describedby="changes-version-help"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="button button-small" disabled={isBusy || text.trim() === ""}>
        Compare
      </button>
      <span id="changes-version-help" class="changes-help" role={wrong === "" ? undefined : "alert"}>
        {wrong === ""
          ? `${hasVersions ? "Or" : "For example"} ${examples}`
          : `“${wrong}” names no version. Try ${examples}.`}
      </span>
    </form>
  );
}
