// SeaweedFS (`weed`), an S3 server that others write, as a process of one test file: its data in a folder, its ports free ones, one user whose
// signatures it checks. PyPI has the program; `requirements.txt` names the version.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { AwsClient } from "../../pkg/dist/shared/aws.js";
import { freePort } from "../../tools/edge/workerd.mjs";

const BUCKET = "team-indexes";
const KEYS = { accessKeyId: "AKIDSEAWEED", secretAccessKey: "a-secret-of-this-test-only" };
const START_MS = 60_000;

/** The path of `weed` beside the Python of the suite; undefined without Python, and elsewhere than on Linux. */
export function weedProgram() {
  const python = process.env.PORTOLAN_CONTRACT_PYTHON;
  const weed = python && join(dirname(python), "weed");
  return weed && existsSync(weed) ? weed : undefined;
}

/**
 * Starts it with an empty bucket. Returns the address `s3://…`, the variables that a client of it needs, and `stop`.
 * @param {string} program
 */
export async function startSeaweed(program) {
  const folder = mkdtempSync(join(tmpdir(), "portolan-weed-"));
  mkdirSync(join(folder, "data"));
  const { accessKeyId: accessKey, secretAccessKey: secretKey } = KEYS;
  const identities = [{ name: "tests", credentials: [{ accessKey, secretKey }], actions: ["Admin"] }];
  writeFileSync(join(folder, "s3.json"), JSON.stringify({ identities }));
  const names = ["master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc"];
  names.push("s3.port", "s3.port.grpc");
  const ports = await Promise.all(names.map(freePort));
  const sockets = ["s3", "filer"].map((part) => `-${part}.localSocket=${join(folder, `${part}.sock`)}`);
  const args = ["server", `-dir=${join(folder, "data")}`, "-ip=127.0.0.1", "-filer", "-s3"];
  args.push(...names.map((name, n) => `-${name}=${ports[n]}`), "-s3.port.iceberg=0", "-s3.port.lance=0", ...sockets);
  // Volumes of 30 GB are written ahead elsewhere; here each is a few megabytes.
  args.push(`-s3.config=${join(folder, "s3.json")}`, "-master.volumeSizeLimitMB=64", "-volume.max=40");
  // Its logs are in the folder of temporary files.
  const env = { ...process.env, TMPDIR: folder };
  const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (log = (log + piece).slice(-8000)));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const atExit = () => child.kill("SIGKILL");
  process.once("exit", atExit);
  const stop = async () => {
    process.removeListener("exit", atExit);
    child.kill("SIGKILL");
    await ended;
    // It makes a socket for each of its parts there, whatever TMPDIR says.
    for (const [n, name] of names.entries())
      if (name.endsWith(".grpc")) rmSync(`/tmp/seaweedfs-${name.split(".")[0]}-grpc-${ports[n]}.sock`, { force: true });
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${ports[names.indexOf("s3.port")]}`;
  try {
    await makeBucket(url, child);
  } catch (error) {
    await stop();
    throw new Error(`${error.message}\n${log}`);
  }
  const variables = {
    AWS_ENDPOINT_URL_S3: url,
    AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    AWS_REGION: "us-east-1",
  };
  return { address: `s3://${BUCKET}`, env: variables, stop };
}

/** Tries until its parts have found each other: the first object is what shows that they have. */
async function makeBucket(url, child) {
  const client = new AwsClient({ ...KEYS, service: "s3", region: "us-east-1", retries: 0 });
  const deadline = Date.now() + START_MS;
  let last = "it does not answer";
  while (Date.now() < deadline && child.exitCode === null) {
    for (const path of [`/${BUCKET}`, `/${BUCKET}/first`]) {
      const answer = await client.fetch(url + path, { method: "PUT", signal: AbortSignal.timeout(5000) }).then(
        async (response) => `${response.status} ${await response.text()}`,
        (error) => String(error.cause ?? error),
      );
      last = answer;
    }
    if (last.startsWith("200")) return;
    await pause(200);
  }
  throw new Error(`SeaweedFS did not start: ${last}`);
}
