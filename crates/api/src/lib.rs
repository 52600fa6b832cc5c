//! The words spoken with the outside, once, for JS, HTTP and MCP.
