// The entries for registries of MCP servers and plugins, made from the package's manifest and what release.toml says.

/** Where nobody has filled in an owner. */
const NAMELESS = "io.github.OWNER/portolan";

/** `server.json` of the MCP registry. */
export function serverEntry({ manifest, settings, bundleDigest }) {
  const { version } = manifest;
  const npm = {
    registryType: "npm",
    identifier: manifest.name,
    version,
    runtimeHint: "npx",
    transport: { type: "stdio" },
    packageArguments: [{ type: "positional", value: "mcp" }],
  };
  const bundle = {
    registryType: "mcpb",
    identifier: `${settings.repository}/releases/download/v${version}/portolan-${version}.mcpb`,
    version,
    fileSha256: bundleDigest,
    transport: { type: "stdio" },
  };
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: settings.mcpName ?? NAMELESS,
    title: "Portolan",
    description: "Code intelligence from a local index: search, context, impact, call paths, renames",
    version,
    ...(settings.repository ? { repository: { url: settings.repository, source: hostOf(settings.repository) } } : {}),
    packages: settings.repository ? [npm, bundle] : [npm],
  };
}

function hostOf(address) {
  return new URL(address).hostname.split(".").at(-2);
}

/** A marketplace of Claude Code with one plugin, which is the npm package of this version. */
export function marketplace({ manifest, plugin }) {
  return {
    name: "portolan",
    owner: plugin.author,
    metadata: { description: "Code intelligence for agents" },
    plugins: [
      {
        name: plugin.name,
        source: { source: "npm", package: manifest.name, version: manifest.version },
        version: manifest.version,
        description: plugin.description,
        category: "development",
        license: manifest.license,
        keywords: plugin.keywords,
      },
    ],
  };
}

/** `manifest.json` of an MCP bundle: the package, started in the folders that the user chooses. */
export function bundleManifest({ manifest, plugin, settings, tools }) {
  return {
    manifest_version: "0.3",
    name: manifest.name,
    display_name: "Portolan",
    version: manifest.version,
    description: manifest.description,
    author: plugin.author,
    ...(settings.repository ? { repository: { type: "git", url: settings.repository } } : {}),
    license: manifest.license,
    keywords: plugin.keywords,
    server: {
      type: "node",
      entry_point: "bin/portolan.js",
      // The host replaces what is in braces.
      mcp_config: { command: "node", args: ["${__dirname}/bin/portolan.js", "mcp", "${user_config.folders}"] },
    },
    user_config: {
      folders: {
        type: "directory",
        title: "Repositories",
        description: "Folders that were indexed with `portolan index`",
        multiple: true,
        required: true,
      },
    },
    tools: tools.map(({ name, description }) => ({ name, description })),
    compatibility: { platforms: ["darwin", "linux", "win32"], runtimes: { node: manifest.engines.node } },
  };
}
