/** `portolan mcp`: the server over stdin and stdout, until the client goes. Nothing else is written to stdout. */

import { NodeHost, type NodeHostOptions } from "./node-host.js";
import { serveStdio, StdioServerTransport } from "./sdk-stdio.js";
import { mcpServer } from "./server.js";

export async function serveMcp(options: NodeHostOptions): Promise<void> {
  const host = new NodeHost(options);
  // What a dependency prints must not get between the messages.
  console.log = console.info = console.debug = console.error;
  const handle = serveStdio(() => mcpServer(host), {
    transport: new StdioServerTransport(process.stdin, process.stdout),
    onerror: (error) => process.stderr.write(`portolan mcp: ${error.message}\n`),
  });
  await new Promise<void>((resolve) => {
    for (const event of ["end", "close"] as const) process.stdin.once(event, resolve);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, resolve);
  });
  await handle.close();
  host.close();
}
