// The registries' rules for their entries, as JSON schemas in our own words: the official MCP registry's for
// server.json, and Claude
// Code's for marketplace.json. Only fields that we write are allowed, so that a misspelled one is found.

const text = (maxLength, pattern) => ({ type: "string", minLength: 1, maxLength, ...(pattern ? { pattern } : {}) });
const closed = (properties, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

// One version, and no range of them.
const VERSION = text(255, "^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$");
const TRANSPORT = closed({ type: { enum: ["stdio"] } });
const ADDRESS = text(2048, "^https://[^/]+/.+");

export const SERVER = closed(
  {
    $schema: ADDRESS,
    name: { ...text(200, "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$"), minLength: 3 },
    title: text(100),
    description: text(100),
    version: VERSION,
    repository: closed({ url: ADDRESS, source: text(100) }),
    packages: {
      type: "array",
      minItems: 1,
      items: {
        anyOf: [
          closed({
            registryType: { const: "npm" },
            identifier: text(214, "^[a-z0-9][a-z0-9._-]*$"),
            version: VERSION,
            runtimeHint: { const: "npx" },
            transport: TRANSPORT,
            packageArguments: {
              type: "array",
              items: closed({ type: { const: "positional" }, value: text(100) }),
            },
          }),
          closed({
            registryType: { const: "mcpb" },
            // The registry takes bundles from releases of these two hosts only.
            identifier: text(2048, "^https://(github|gitlab)\\.com/.*mcp.*"),
            version: VERSION,
            fileSha256: text(64, "^[0-9a-f]{64}$"),
            transport: TRANSPORT,
          }),
        ],
      },
    },
  },
  ["$schema", "name", "description", "version", "packages"],
);

export const MARKETPLACE = closed({
  name: text(64, "^[a-z0-9]+(-[a-z0-9]+)*$"),
  owner: closed({ name: text(100) }),
  metadata: closed({ description: text(200) }),
  plugins: {
    type: "array",
    minItems: 1,
    items: closed({
      name: text(64, "^[a-z0-9]+(-[a-z0-9]+)*$"),
      source: {
        anyOf: [
          { type: "string", pattern: "^\\./" },
          closed({ source: { const: "npm" }, package: text(214), version: VERSION }),
        ],
      },
      version: VERSION,
      description: text(400),
      category: text(50),
      license: text(100),
      keywords: { type: "array", items: text(50) },
    }),
  },
});
