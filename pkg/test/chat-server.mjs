// A scripted server of a language model, as OpenAI's protocol has it: it streams, calls tools, throttles, fails half-way. Each request takes
// the next entry of the script.
import { createServer } from "node:http";

/**
 * An entry is a list of deltas (`"text"`, `{ tool, input }`), or `{ status, headers, body }` for a refusal, or `{ deltas, breaksOff: true }`
 * for a stream that ends in its middle, or `{ deltas, holds: true }` for one that never ends. A function gets the request's body.
 */
export async function modelServer(script, { cors = false } = {}) {
  const requests = [];
  const queue = [...script];
  const open = new Set();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = cors
      ? {
          "access-control-allow-origin": request.headers.origin ?? "*",
          "access-control-allow-headers": "*, authorization, content-type",
          "access-control-expose-headers": "retry-after",
        }
      : {};
    if (request.method === "OPTIONS") return void response.writeHead(204, headers).end();
    const body = JSON.parse(Buffer.concat(chunks).toString() || "null");
    requests.push({ path: request.url, headers: request.headers, body, at: Date.now() });
    const next = queue.length > 1 ? queue.shift() : queue[0];
    const entry = typeof next === "function" ? next(body) : next;
    if (entry.status) {
      response.writeHead(entry.status, { "content-type": "application/json", ...headers, ...entry.headers });
      return void response.end(JSON.stringify(entry.body ?? { error: { message: "refused" } }));
    }
    response.writeHead(200, { "content-type": "text/event-stream", ...headers, ...entry.headers });
    open.add(response);
    response.on("close", () => open.delete(response));
    stream(response, entry);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}/v1`,
    origin: `http://127.0.0.1:${port}`,
    requests,
    /** Requests that were not closed by their sender. */
    open,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

function stream(response, entry) {
  const {
    deltas,
    breaksOff,
    holds,
    usage = { prompt_tokens: 100, completion_tokens: 20 },
  } = Array.isArray(entry) ? { deltas: entry } : entry;
  const send = (choice, more = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "m", choices: choice ? [{ index: 0, ...choice }] : [], ...more })}\n\n`,
    );
  let n_calls = 0;
  for (const delta of deltas) {
    if (typeof delta === "string") send({ delta: { content: delta } });
    else {
      const { tool, input } = delta;
      const call = { index: n_calls, id: `call-${n_calls}`, type: "function" };
      const text = typeof input === "string" ? input : JSON.stringify(input);
      send({ delta: { tool_calls: [{ ...call, function: { name: tool, arguments: text } }] } });
      n_calls += 1;
    }
  }
  if (holds) return;
  if (breaksOff === "cut") return void setTimeout(() => response.destroy(), 20);
  if (breaksOff) return void response.end();
  send({ delta: {}, finish_reason: n_calls > 0 ? "tool_calls" : "stop" });
  send(undefined, { usage });
  response.end("data: [DONE]\n\n");
}

/** The texts that a request sends, by role. */
export function textsOf({ body }, role) {
  return body.messages
    .filter((message) => message.role === role)
    .map(({ content }) => (typeof content === "string" ? content : content.map(({ text }) => text).join("")));
}
