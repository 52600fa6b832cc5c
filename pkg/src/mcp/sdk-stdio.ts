/** The part of the SDK that only Node can run; see `sdk.ts`. */

export { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
