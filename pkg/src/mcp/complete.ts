/** Completion of arguments: names of repositories, files and symbols, as a person writes them into a prompt or an address. */

import type { FileList, FindResponse } from "../answers.js";
import type { McpHost } from "./host.js";

/** The protocol's own limit. */
const MAX_VALUES = 100;

export interface Completion {
  readonly values: readonly string[];
  readonly total: number;
  readonly hasMore: boolean;
}

/**
 * Completes the value of an argument; nothing for arguments that are free text.
 *
 * @param others the arguments that are filled in already.
 */
export async function complete(
  host: McpHost,
  argument: string,
  value: string,
  others: Readonly<Record<string, string>>,
): Promise<Completion> {
  const all = await valuesOf(host, argument, value, others.repo).catch(() => []);
  const values = [...new Set(all)];
  return { values: values.slice(0, MAX_VALUES), total: values.length, hasMore: values.length > MAX_VALUES };
}

async function valuesOf(host: McpHost, argument: string, value: string, repo: string | undefined): Promise<string[]> {
  const wanted = value.toLowerCase();
  const fits = (text: string) => text.toLowerCase().includes(wanted);
  if (argument === "repo") return (await host.repositories()).repositories.map(({ name }) => name).filter(fits);
  if (argument === "path") {
    const { files } = (await (await host.open(repo)).ask("files", {})) as FileList;
    return files.map(({ path }) => path).filter(fits);
  }
  if ((argument === "symbol" || argument === "selector") && value !== "") {
    const request = { symbol: value, fuzzy: true, limit: MAX_VALUES };
    const { symbols } = (await (await host.open(repo)).ask("find", request)) as FindResponse;
    return symbols.map(({ qualified_name }) => qualified_name);
  }
  return [];
}
