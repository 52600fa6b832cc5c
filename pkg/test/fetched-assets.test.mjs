// How a page says that a part of the package could not be fetched.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { FetchedAssets } from "../dist/browser/assets.js";

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

const answering = (body, status, type) => {
  globalThis.fetch = async () => new Response(body, { status, headers: { "content-type": type } });
};
const assets = () => new FetchedAssets({ files: {}, folder: "http://localhost/" });
const refusal = (message) => (error) => error.code === "asset.unavailable" && message.test(error.message);

test("a server that says why a part is not there yet is quoted", async () => {
  answering("onnx.wasm is still being made. Reload the page when it is there.", 503, "text/plain; charset=utf-8");
  await assert.rejects(assets().module("onnx"), refusal(/^onnx\.wasm is still being made/));
});

test("other failures name the file and the status", async () => {
  answering("<h1>busy</h1>", 503, "text/html");
  await assert.rejects(assets().module("onnx"), refusal(/onnx_bg\.wasm could not be fetched: status 503/));
  answering("not found", 404, "text/plain");
  await assert.rejects(assets().module("onnx"), refusal(/onnx_bg\.wasm could not be fetched: status 404/));
});
