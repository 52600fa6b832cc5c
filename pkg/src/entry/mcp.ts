/** `portolan/mcp`: the MCP server as a function from request to response, over repositories that the caller brings. */

export * from "../mcp/http.js";
export { PortolanError } from "../errors.js";
