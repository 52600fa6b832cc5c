/**
 * The content security policy of the page, which its build writes into it (`www/build/policy.ts`), and the headers of `portolan serve`: the
 * page may talk to its own site only, and no other site may embed or read it.
 *
 * Styles may be inline because CodeMirror writes its style sheet itself; scripts may not. WebAssembly must be allowed by name.
 */

export const PAGE_POLICY = [
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
export const HEADER_POLICY = `${PAGE_POLICY}; frame-ancestors 'none'`;

/** Workers have the policy of their own response, so scripts carry it, too. */
export const PAGE_HEADERS = {
  "content-security-policy": HEADER_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
} as const;
