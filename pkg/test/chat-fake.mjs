// Parts of the tests of the chat: an index of a few texts as the chat asks it, a clock that does not wait, and helpers.

/** An index over texts, with the answers that the chat's tools ask for. */
export function indexOf(files) {
  const lines = (path) => files[path].split("\n");
  const entries = Object.keys(files).map((path) => ({
    path,
    language: "typescript",
    n_bytes: files[path].length,
    n_lines: lines(path).length,
    n_symbols: 1,
  }));
  const asked = [];
  const answers = {
    files: () => ({ files: entries }),
    search: ({ query }) => ({
      query,
      total: 1,
      hits: Object.keys(files)
        .filter((path) => files[path].includes(query))
        .map((path) => ({
          path,
          start_line: 1,
          end_line: lines(path).length,
          score: 1,
          snippet: { text: files[path], start_line: 1 },
          more: [],
        })),
    }),
    file_text: ({ path }) => {
      if (!(path in files))
        throw Object.assign(new Error(`${path} is not in the index`), { code: "file.not-found", help: "" });
      return { path, language: "typescript", text: files[path] };
    },
    assemble: () => ({
      text: "",
      n_tokens: 0,
      n_more: 0,
      pieces: entries.map(({ path, n_lines }) => ({ path, start_line: 1, end_line: n_lines, score: 1 })),
    }),
  };
  const ask = async (tool, request) => {
    asked.push([tool, request]);
    if (!(tool in answers)) throw Object.assign(new Error(`${tool} is not in this fake`), { code: "fake", help: "" });
    return answers[tool](request);
  };
  return {
    name: "shop",
    asked,
    ask,
    files: () => ask("files", {}),
    assemble: (request) => ask("assemble", request),
    text: (path) => ask("file_text", { path }),
    structural: () => ask("structural_search", {}),
  };
}

/** A clock on which sleep takes no time; `slept` says how long it would have been. */
export function fastClock(start = 1_000_000) {
  let now = start;
  const slept = [];
  return {
    slept,
    now: () => now,
    async sleep(millis) {
      slept.push(millis);
      now += millis;
    },
    pass: (millis) => (now += millis),
  };
}

/** A review that agrees to everything, and remembers it. */
export function agreeing(leaveOut = []) {
  const seen = [];
  const review = async (outgoing) => {
    seen.push(outgoing);
    return { leaveOut };
  };
  return Object.assign(review, { seen });
}

/** All events of a question. */
export async function eventsOf(chat, question, signal = new AbortController().signal) {
  const events = [];
  for await (const event of chat.ask(question, signal)) events.push(event);
  return events;
}

export const turnOf = (events) => events.at(-1).turn;
