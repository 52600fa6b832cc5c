/** The index worker: owns one index, answers questions about it, and commands the parsing and embedding workers. */

import type { FileList } from "../../wasm/reader.js";
import type { Port, SessionHost } from "../host.js";
import { inParts } from "../rpc/long-answers.js";
import type { IndexProtocol, Offered } from "../rpc/protocol.js";
import { serve } from "../rpc/rpc.js";
import { protects } from "../storage/encrypted.js";
import { Session } from "../indexing/session.js";
import type { FileInput, Input } from "../types.js";

export function serveIndex(port: Port, host: SessionHost): void {
  const session = new Session(host);
  const offered: (File | FileInput)[] = [];
  const taken = (input: Input | Offered): Input => {
    if (typeof input !== "object" || !("offered" in input)) return input;
    const files = offered.splice(0);
    return input.offered === "list" ? (files as File[]) : { files: files as FileInput[] };
  };
  const opened = (request: IndexProtocol["open"]["request"]): Promise<string> => {
    if ("url" in request) return session.openAddress(request.url, request.limits);
    if ("files" in request) return session.openFiles(request.files, request);
    if ("bytes" in request) return session.open(request.bytes, request);
    return session.openStored(request.name, request.grammars, request.model, request.limits);
  };
  serve<IndexProtocol>(port, {
    offer(files) {
      offered.push(...files);
      return null;
    },
    async index({ input, options }, { signal, emit }) {
      await session.make(taken(input), options, signal, emit);
      return null;
    },
    async open(request) {
      return { name: await opened(request) };
    },
    async update({ edits }, { signal, emit }) {
      await session.update(edits, signal, emit);
      return null;
    },
    async watch({ debounce_ms }, { signal, emit }) {
      await session.watch(debounce_ms, signal, emit);
      return null;
    },
    async ask({ question, request }, { emit }) {
      const answer = await session.ask(question, request);
      return question === "files" ? inParts(answer as FileList, emit) : answer;
    },
    async highlights({ path, text }, { transfer }) {
      const triples = await session.highlights(path, text);
      transfer(triples.buffer);
      return triples;
    },
    async locals(path, { transfer }) {
      const rows = await session.locals(path);
      transfer(rows.buffer);
      return rows;
    },
    structural: (request, { signal, emit }) =>
      session.structural(request, signal, (done, total) => emit({ done, total })),
    stale: async () => (await session.stale()) ?? null,
    keep: (name) => session.keep(name),
    async save(how, { signal, emit, transfer }) {
      const bytes = protects(how)
        ? await session.saveProtected(how, signal, (phase) => emit({ phase }))
        : await session.ready().then(() => session.save());
      transfer(bytes.buffer);
      return bytes;
    },
  });
}
