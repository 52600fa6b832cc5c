//! The content security policy of the page: it may talk to its own site only, which is what makes "code stays in this tab" true.
//!
//! Styles may be inline because CodeMirror writes its style sheet itself; scripts may not. WebAssembly must be allowed by name.

import type { Plugin } from "vite";

export const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** As a header it also says that no site may show the page in a frame; browsers ignore that in a page. */
export const headerPolicy = `${policy}; frame-ancestors 'none'`;

/** Puts the policy into the built page, and into a file that static hosts turn into headers: workers need it as a header. */
export function contentPolicy(): Plugin {
  return {
    name: "portolan-policy",
    apply: "build",
    transformIndexHtml: () => [
      { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: policy }, injectTo: "head-prepend" },
    ],
    generateBundle() {
      const source = `/*\n  Content-Security-Policy: ${headerPolicy}\n  X-Content-Type-Options: nosniff\n  Referrer-Policy: no-referrer\n/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n`;
      this.emitFile({ type: "asset", fileName: "_headers", source });
    },
  };
}
