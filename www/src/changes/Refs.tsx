//! Two branches, tags or commits of the folder's own git repository, compared.

import { useEffect, useState } from "preact/hooks";
import type { ComparedCommits, References } from "portolan/history";
import { plural } from "../state/format.ts";
import { type Found, git, readHistory } from "../state/history.ts";
import { askView } from "../state/navigation.ts";
import { wordsOf } from "../state/notices.ts";
import { Choice, Failed } from "../views/Frame.tsx";
import type { Failure } from "../views/answer.ts";
import { showDiff } from "./given.ts";

/** The commits of a link: two names, or one commit and its parent. */
export interface AskedRefs {
  readonly from: string;
  readonly to: string;
  readonly commit: string;
  /** Without it, since both parted. */
  readonly direct: boolean;
  /** The folder whose history has them; empty for the usual one. */
  readonly root: string;
}

/** Reads the arguments of the view; null where they name no commits. */
export function refsOf(args: Readonly<Record<string, string>>): AskedRefs | null {
  const { from = "", to = "", commit = "", how = "", in: root = "" } = args;
  if (commit === "" && (from === "" || to === "")) return null;
  return { from, to, commit, direct: how === "direct", root };
}

/** Makes the diff that a link asks for. */
export function FromLink({ asked }: { asked: AskedRefs }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const canRead = git.value.state !== "none";
  useEffect(() => {
    if (!canRead) return;
    let isWanted = true;
    setFailure(null);
    diffOfRefs(asked).then(
      ({ name, diff }) => isWanted && showDiff(name, diff, JSON.stringify(asked)),
      (error: unknown) => isWanted && setFailure({ state: "failed", ...wordsOf(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [asked.from, asked.to, asked.commit, asked.direct, asked.root, canRead]);
  if (!canRead)
    return (
      <p class="empty">
        These commits are in the git repository of the folder, which is not open in this tab: open the folder again.
      </p>
    );
  if (failure) return <Failed title="These cannot be compared" failure={failure} />;
  return (
    <p class="empty" role="status">
      Reading commits…
    </p>
  );
}

async function diffOfRefs(asked: AskedRefs): Promise<{ name: string; diff: string }> {
  const { commit, from, to, direct } = asked;
  const wanted = asked.root === "" ? {} : { root: asked.root };
  const [read, { diffOf }] = await Promise.all([readHistory(wanted), import("./diff-of.ts")]);
  if (!read) throw unread();
  const { history, root } = read;
  const found = await history.compare(commit !== "" ? { new: commit } : { old: from, new: to, sinceParted: !direct });
  const diff = await diffOf(found.files.map(({ path, before, after }) => ({ path: root + path, before, after })));
  const name = commit !== "" ? `Commit ${commit.slice(0, 8)}` : `${from}${direct ? ".." : "..."}${to}`;
  return { name: `${name}: ${words(found)}`, diff };
}

function unread(): Error {
  const now = git.peek();
  return now.state === "failed"
    ? Object.assign(new Error(now.why), { help: now.help })
    : new Error("the history could not be read");
}

function words({ files, left_out: leftOut, is_cut: isCut }: ComparedCommits): string {
  const differ = plural(files.length, "file differs", "files differ");
  const rest = leftOut.length > 0 ? `; ${plural(leftOut.length, "file")} without a text not shown` : "";
  return `${differ}${rest}${isCut ? "; there are more than are listed" : ""}`;
}

/** The choice of two names. */
export function RefsCard() {
  const now = git.value;
  if (now.state === "none") return null;
  return (
    <div class="card">
      <h2>Compare two branches, tags or commits</h2>
      {now.state === "ready" ? (
        <RefsForm history={now.history} root={now.root} />
      ) : now.state === "failed" ? (
        <p role="status">{`${now.why} ${now.help}`}</p>
      ) : (
        <p class="changes-compare">
          <button
            type="button"
            class="button button-small"
            disabled={now.state === "reading"}
            onClick={() => void readHistory()}
          >
            {now.state === "reading" ? "Reading the git history…" : "Read the git history of this folder"}
          </button>
          It is read here, without git; nothing leaves this tab.
        </p>
      )}
    </div>
  );
}

function RefsForm({ history, root }: Found) {
  const { references } = history.summary;
  const [from, setFrom] = useState(() => usualBase(references));
  const [to, setTo] = useState(references.head || "HEAD");
  const [how, setHow] = useState<"" | "direct">("");
  const compare = (event: Event) => {
    event.preventDefault();
    askView({ from: from.trim(), to: to.trim(), how, commit: "", in: root });
  };
  return (
    <form class="changes-host" onSubmit={compare}>
      <RefField id="changes-from" label="From" value={from} onInput={setFrom} />
      <RefField id="changes-to" label="to" value={to} onInput={setTo} />
      <datalist id="changes-names">
        {["HEAD", ...references.branches, ...references.remotes, ...references.tags].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Choice<"" | "direct">
        label="Show"
        value={how}
        options={[
          ["", "changes since they parted"],
          ["direct", "all that differs"],
        ]}
        onChange={setHow}
      />
      <button type="submit" class="button button-small" disabled={from.trim() === "" || to.trim() === ""}>
        Compare
      </button>
    </form>
  );
}

interface FieldProps {
  id: string;
  label: string;
  value: string;
  onInput(value: string): void;
}

function RefField({ id, label, value, onInput }: FieldProps) {
  return (
    <>
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        list="changes-names"
        value={value}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </>
  );
}

/** The branch that others are compared with. */
function usualBase({ branches, remotes, tags, head }: References): string {
  const usual = ["main", "master", "trunk", "develop"].find((name) => name !== head && branches.includes(name));
  return usual ?? branches.find((name) => name !== head) ?? tags.at(-1) ?? remotes[0] ?? "";
}
