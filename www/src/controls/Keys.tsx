//! A shortcut as key caps.

import { caps } from "../state/commands.ts";

export function Keys({ keys }: { keys: string }) {
  return (
    <span class="keys">
      {caps(keys).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>
  );
}
