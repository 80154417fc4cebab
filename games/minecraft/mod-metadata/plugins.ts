import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { ModMetadata } from '#contracts/servers/agent-mods.ts';
import { keysOf, listOf, member, metadataOf } from '../../metadata-text.ts';
import { parseLenientJson } from './lenient-json.ts';

/** The keys that are read from a plugin's file, with the lines that belong to them. */
const wanted = /^["']?(?:name|version|authors?|depends?|dependencies|provides)["']?[ \t]*:/;
/** The start of a line with a root key; lists and brackets may continue at the same indentation. */
const rootLine = /^(?=[^\s#\-\]}])/m;
/** In characters; the parser is slow on deep nesting in a stranger's file. */
const longestWanted = 8000;
/** `dependencies: server: Name: required:` and one more. */
const deepest = 5;

/**
 * Members of the root as text: `version: 1.10` is not 1.1. Permissions and commands, the largest part of such files, are never
 * parsed.
 * @throws {SyntaxError}
 */
const parseYaml = (text: string): unknown => {
  const lines = text
    .split(rootLine)
    .filter((block) => wanted.test(block))
    .join('\n');
  if (lines.length > longestWanted)
    throw new SyntaxError(`more than ${longestWanted} characters tell of the plugin`);
  const document = parseDocument(lines, {
    schema: 'failsafe',
    uniqueKeys: false,
    strict: false,
    logLevel: 'silent',
    prettyErrors: false,
  });
  return plainValue(document.contents, 0);
};

/**
 * The library's own conversion needs minutes for maps that are keys of maps. No aliases: the size that they expand to is not
 * known in advance.
 */
const plainValue = (node: unknown, depth: number): unknown => {
  if (isScalar(node)) return node.value;
  if (depth === deepest) return undefined;
  if (isSeq(node)) return node.items.map((item) => plainValue(item, depth + 1));
  if (!isMap(node)) return undefined;
  return Object.fromEntries(
    node.items.flatMap(({ key, value }) =>
      isScalar(key) ? [[String(key.value), plainValue(value, depth + 1)] as const] : [],
    ),
  );
};

/** Others name a plugin without spaces (Bukkit's `PluginDescriptionFile`), or as one that it stands in for. */
const providedBy = (plugin: unknown): readonly unknown[] => {
  const name = member(plugin, 'name');
  return [
    ...listOf(member(plugin, 'provides')),
    ...(typeof name === 'string' && name.includes(' ') ? [name.replaceAll(' ', '_')] : []),
  ];
};

/** plugin.yml: https://docs.papermc.io/paper/dev/plugin-yml/ */
export const readBukkit = (text: string): (ModMetadata | null)[] => {
  const plugin = parseYaml(text);
  return [
    metadataOf({
      id: member(plugin, 'name'),
      name: member(plugin, 'name'),
      version: member(plugin, 'version'),
      authors: [...listOf(member(plugin, 'author')), ...listOf(member(plugin, 'authors'))],
      loaders: ['paper'],
      side: 'server',
      requires: listOf(member(plugin, 'depend')),
      breaks: [],
      provides: providedBy(plugin),
    }),
  ];
};

/** `server: Name: required:`, and the list with names of Paper before 1.20 (PaperMC/docs, pull request 137). */
const requiredByPaper = (dependencies: unknown): readonly unknown[] => {
  const server = member(dependencies, 'server') ?? dependencies;
  const isRequired = (one: unknown) => !/^(?:false|no|off)$/i.test(String(member(one, 'required')));
  return Array.isArray(server)
    ? server.filter(isRequired).map((one) => member(one, 'name') ?? one)
    : keysOf(server).filter((name) => name !== 'bootstrap' && isRequired(member(server, name)));
};

/** paper-plugin.yml: https://docs.papermc.io/paper/dev/getting-started/paper-plugins/ */
export const readPaper = (text: string): (ModMetadata | null)[] => {
  const plugin = parseYaml(text);
  return [
    metadataOf({
      id: member(plugin, 'name'),
      name: member(plugin, 'name'),
      version: member(plugin, 'version'),
      authors: [...listOf(member(plugin, 'author')), ...listOf(member(plugin, 'authors'))],
      loaders: ['paper'],
      side: 'server',
      requires: requiredByPaper(member(plugin, 'dependencies')),
      breaks: [],
      provides: providedBy(plugin),
    }),
  ];
};

/** bungee.yml: for BungeeCord, which is none of the loaders here. */
export const readBungee = (text: string): (ModMetadata | null)[] => {
  const plugin = parseYaml(text);
  return [
    metadataOf({
      id: member(plugin, 'name'),
      name: member(plugin, 'name'),
      version: member(plugin, 'version'),
      authors: listOf(member(plugin, 'author')),
      loaders: [],
      side: 'server',
      requires: listOf(member(plugin, 'depends')),
      breaks: [],
    }),
  ];
};

/** velocity-plugin.json: https://docs.papermc.io/velocity/dev/creating-your-first-plugin/ */
export const readVelocity = (text: string): (ModMetadata | null)[] => {
  const plugin = parseLenientJson(text);
  return [
    metadataOf({
      id: member(plugin, 'id'),
      name: member(plugin, 'name'),
      version: member(plugin, 'version'),
      authors: listOf(member(plugin, 'authors')),
      loaders: ['velocity'],
      side: 'server',
      requires: listOf(member(plugin, 'dependencies'))
        .filter((one) => member(one, 'optional') !== true)
        .map((one) => member(one, 'id')),
      breaks: [],
    }),
  ];
};
