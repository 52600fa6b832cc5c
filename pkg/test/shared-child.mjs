// A server of shared indexes over the folder that it is given, without tools, for tests that kill it. Bodies may stall for a second only.
import { FolderStore } from "../dist/shared/folder-store.js";
import { serveShared } from "../dist/shared/node-server.js";

const { url } = await serveShared({
  store: new FolderStore(process.argv[2]),
  port: 0,
  host: "127.0.0.1",
  allowedHosts: [],
  origins: [],
  public: [],
  audit: () => {},
  complain: (error) => console.error(error),
  tools: async () => new Response("{}", { status: 404 }),
  limits: { json: 2 ** 24, stall_ms: 1_000, small_ms: 5_000, file_ms: 20_000 },
});
console.log(url);
