/** The part of the official SDK that is used. The build puts it, and all it needs, into this one file: nothing is installed with the package. */

export { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
