//! Messages between tabs of this site, which share the indexes saved in this browser.

/** The index of this name was saved, or deleted. */
export interface TabMessage {
  readonly saved?: string;
  readonly deleted?: string;
}

let channel: BroadcastChannel | null = null;

/** Tells the other tabs. */
export function tellTabs(message: TabMessage): void {
  channel?.postMessage(message);
}

/** Hears the other tabs from now on. */
export function hearTabs(onMessage: (message: TabMessage) => void): void {
  if (typeof BroadcastChannel === "undefined") return;
  channel = new BroadcastChannel("portolan page");
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => onMessage(data);
}
