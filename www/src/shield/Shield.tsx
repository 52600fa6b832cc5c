//! Behind the shield: every request of the page as the browser tells of it, what it proves, and the details of the open index.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { showAlone } from "../controls/dialog.ts";
import { Icon } from "../controls/Icon.tsx";
import { bytes, count, plural } from "../state/format.ts";
import { allowed } from "../state/remote.ts";
import { repository } from "../state/repository.ts";
import { IndexDetails } from "./IndexDetails.tsx";
import { byHost, type HostGroup, type Made, type Verdict, whyOf } from "../state/requests.ts";
import { reasons, requests, shieldOpen, statement, verdict } from "../state/watch.ts";
import "./shield.css";

export function Shield() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = repository.value;
  useLayoutEffect(() => {
    showAlone(dialog.current);
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it; the key for that is Escape, the browser's own
    <dialog
      ref={dialog}
      class="shield"
      aria-labelledby="shield-title"
      onClose={() => (shieldOpen.value = false)}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <header>
        <h2 id="shield-title">Privacy and index</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div class="shield-body" tabIndex={0}>
        <Statement verdict={verdict.value} n={requests.value.length} />
        <Requests />
        {open && <IndexDetails repository={open} />}
      </div>
    </dialog>
  );
}

const meanings: Record<Verdict["state"], string> = {
  clean:
    "No request of this page or its workers had a body. An address can carry words, too: the list has every address in full. What the service worker fetches by itself is listed as well; it may contact this site only.",
  sent: "These bytes left as bodies of requests. The list says to which host, and why.",
  unsure:
    "No body was seen. Of some requests the browser tells the address and not the method: those of the first seconds of a first visit, and all where it runs no service worker (private windows).",
};

function Statement({ verdict: now, n }: { verdict: Verdict; n: number }) {
  const hosts = allowed.value;
  return (
    <section class="shield-statement" data-state={now.state} aria-label="What left this browser">
      <Icon name={now.state === "sent" ? "warning" : "shield"} size={20} />
      <div>
        <p class="shield-words" role="status">
          {statement.value}
        </p>
        <p>{meanings[now.state]}</p>
        <p>
          {plural(n, "request")} since the page was opened, as the browser lists them: its timelines of the page and its
          workers, and each request that its service worker was shown. The page's policy lets it contact{" "}
          {hosts.length === 0
            ? "its own site and no other host."
            : `its own site and ${plural(hosts.length, "host")} that you allowed: ${hosts.map((origin) => origin.replace(/^https?:\/\//, "")).join(", ")}.`}
        </p>
      </div>
    </section>
  );
}

function Requests() {
  const own = location.host;
  return (
    <section aria-label="Requests">
      <h3>Requests</h3>
      {byHost(requests.value, own).map((group) => (
        <Host key={group.host} group={group} own={own} />
      ))}
    </section>
  );
}

function Host({ group, own }: { group: HostGroup; own: string }) {
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState(firstRows);
  const { host, isOwn, requests: made, sent, came, isPart } = group;
  const why = made[0] ? whyOf(made[0], own, allowed.value, reasons.value) : "";
  return (
    <details class="shield-host" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="shield-host-name">{host || "no host"}</span>
        <span class="shield-host-why">{isOwn ? "this site" : why}</span>
        <span class={sent > 0 ? "shield-sent shield-more" : "shield-sent"}>{`${bytes(sent)} sent`}</span>
        <span class="shield-came">{`${bytes(came)}${isPart && came > 0 ? " or more" : ""} received`}</span>
        <span class="shield-came">{plural(made.length, "request")}</span>
      </summary>
      {isOpen && <List made={made.slice(0, shown)} own={own} />}
      {isOpen && shown < made.length && (
        <button type="button" class="text-button" onClick={() => setShown(shown + 1000)}>
          Show more of {count(made.length)}
        </button>
      )}
    </details>
  );
}

const firstRows = 200;

function List({ made, own }: { made: readonly Made[]; own: string }) {
  if (made.length === 0) return <p class="shield-note">None: everything was in this browser.</p>;
  return (
    <table class="shield-requests">
      <thead>
        <tr>
          <th scope="col">Request</th>
          <th scope="col">Why</th>
          <th scope="col">Received</th>
          <th scope="col">Sent</th>
        </tr>
      </thead>
      <tbody>
        {made.map((one, at) => (
          <tr key={at} data-method={one.method} data-url={one.url} data-sent={one.sent ?? ""} data-kept={one.kept}>
            <td>
              <b>{one.method || "GET or other"}</b> <code>{addressOf(one, own)}</code>
            </td>
            <td>
              {whyOf(one, own, allowed.value, reasons.value)}
              {one.isOfGuard && ", fetched by the service worker"}
            </td>
            <td>{one.kept ? "from this browser" : one.came === null ? "not told" : bytes(one.came)}</td>
            <td>{one.sent === null ? "not told" : bytes(one.sent)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The address below its host, as it was asked for. */
function addressOf({ url, host }: Made, own: string): string {
  const at = url.indexOf(host);
  return (host === own && at >= 0 ? url.slice(at + host.length) : url) || "/";
}
