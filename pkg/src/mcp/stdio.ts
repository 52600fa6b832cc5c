/** `portolan mcp`: the server over stdin and stdout, until the client goes. Nothing else is written to stdout. */

import { LineGuard } from "./line-guard.js";
import { NodeHost, type NodeHostOptions } from "./node-host.js";
import { serveStdio, StdioServerTransport } from "./sdk-stdio.js";
import { mcpServer } from "./server.js";
import { visible } from "../visible.js";

export async function serveMcp(options: NodeHostOptions): Promise<void> {
  const host = new NodeHost(options);
  // The output of a dependency must not get between the messages.
  console.log = console.info = console.debug = console.error;
  const guard = new LineGuard((line) => void process.stdout.write(line));
  const handle = serveStdio(() => mcpServer(host), {
    transport: new StdioServerTransport(process.stdin.pipe(guard), process.stdout),
    onerror: (error) => process.stderr.write(`portolan mcp: ${visible(error.message)}\n`),
  });
  await new Promise<void>((resolve) => {
    // Lines that came before stdin ended are still passed on.
    process.stdin.once("close", () => guard.end());
    guard.once("end", resolve);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, resolve);
  });
  await handle.close();
  host.close();
  // After a signal it may be open still, and would keep the process.
  process.stdin.destroy();
}
