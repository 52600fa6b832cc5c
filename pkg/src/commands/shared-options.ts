/** Options of the commands about shared indexes: `push`, `pull`, `versions`, `token`, `serve --shared`. */

export const SHARED_OPTIONS = {
  shared: {
    type: "string",
    value: "PLACE",
    complete: "folder",
    about: "where a server keeps shared indexes: a folder, or s3://BUCKET/PREFIX with the usual AWS_… variables",
  },
  server: {
    type: "string",
    value: "URL",
    about: "the server of shared indexes (default PORTOLAN_SHARED_SERVER, or the one of `portolan token keep`)",
  },
  at: { type: "string", value: "VERSION", about: "this version: its id, its commit (or their first digits), or a tag" },
  tag: {
    type: "string",
    multiple: true,
    value: "TAG",
    about: "a tag, which keeps the version from being pruned; may be repeated",
  },
  ref: { type: "string", value: "REF", about: "branch or other reference, such as refs/heads/main" },
  "no-switch": { type: "boolean", about: "add the version, and go on answering from the current one" },
  "no-update": { type: "boolean", about: "take the version as it is, without reading the files that differ" },
  to: { type: "string", value: "VERSION", about: "answer from this version; previous goes back" },
  prune: { type: "boolean", about: "delete versions that no rule keeps" },
  keep: { type: "string", value: "N", about: "with --prune: keep the newest N (default 20)" },
  days: { type: "string", value: "N", about: "with --prune: keep those of the last N days (default 30)" },
  scope: {
    type: "string",
    value: "SCOPE",
    choices: ["read", "write", "admin"],
    about: "rights (default read): read, write, admin",
  },
  ci: {
    type: "string",
    value: "PROVIDER:REPOSITORY",
    about: "a rule for tokens of CI instead of a token: github:acme/tools, gitlab:acme/*",
  },
  issuer: { type: "string", value: "URL", about: "issuer of the tokens of CI, where it is your own" },
  origin: { type: "string", multiple: true, value: "ORIGIN", about: "let pages of this origin ask; may be repeated" },
  audience: { type: "string", value: "URL", about: "address of this server as tokens of CI name it" },
  public: {
    type: "string",
    multiple: true,
    value: "PATTERN",
    about: "repositories that everybody may read, such as acme/docs, acme/*; may be repeated",
  },
  "audit-file": {
    type: "string",
    value: "FILE",
    complete: "file",
    about: "append the audit log to FILE (default: stderr)",
  },
} as const;
