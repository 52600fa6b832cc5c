//! Writes the content security policy into the page: it may talk to its own site only, which is what makes "code stays in this tab" true.

import type { Plugin } from "vite";
import { HEADER_POLICY, PAGE_POLICY } from "../../pkg/src/cli/page-headers.ts";

/** Puts the policy into the built page, and into a file that static hosts turn into headers: workers need it as a header. */
export function contentPolicy(): Plugin {
  return {
    name: "portolan-policy",
    apply: "build",
    transformIndexHtml: () => [
      {
        tag: "meta",
        attrs: { "http-equiv": "Content-Security-Policy", content: PAGE_POLICY },
        injectTo: "head-prepend",
      },
    ],
    generateBundle() {
      const source = `/*\n  Content-Security-Policy: ${HEADER_POLICY}\n  X-Content-Type-Options: nosniff\n  Referrer-Policy: no-referrer\n/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n`;
      this.emitFile({ type: "asset", fileName: "_headers", source });
    },
  };
}
