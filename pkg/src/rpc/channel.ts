/** Two ports that are each other's other side, within one thread. */

import type { Port } from "../host.js";

export function channel(): [near: Port, far: Port] {
  const { port1, port2 } = new MessageChannel();
  return [portOver(port1), portOver(port2)];
}

function portOver(port: MessagePort): Port {
  return {
    post: (message, transfer = []) => port.postMessage(message, transfer),
    listen(onMessage) {
      port.onmessage = (event) => onMessage(event.data);
    },
    onFailure: () => {},
    awaiting: () => {},
    close: () => port.close(),
  };
}
