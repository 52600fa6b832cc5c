/** The answers to JSON-RPC messages that are not parsed. */

import { jsonShape, MESSAGE_LIMITS } from "../reading/request-limits.js";

/** `Invalid Request` of JSON-RPC. */
const INVALID_REQUEST = -32600;

/** An error response. */
export interface Refusal {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string; readonly data: { readonly code: string } };
}

/**
 * Why a message is not parsed; nothing where it is within the limits.
 *
 * @param length of the whole message, where `text` is only its start.
 */
export function refusalOf(text: string, length = text.length, limits = MESSAGE_LIMITS): Refusal | undefined {
  const { fault, id } = jsonShape(text, { ...limits, length });
  if (!fault) return undefined;
  const { message, code } = fault;
  return {
    jsonrpc: "2.0",
    id: id === undefined ? null : (JSON.parse(id) as string | number),
    error: { code: INVALID_REQUEST, message, data: { code } },
  };
}
