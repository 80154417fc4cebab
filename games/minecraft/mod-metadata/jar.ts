import type { ModMetadata } from '#contracts/agent-mods.ts';
import type { Archive } from '#runtime/archives/archive.ts';
import { keysOf, largestMetadata, listOf, member, metadataOf, metadataText } from '../../metadata-text.ts';
import { jarVersionOf, readForge, readOldForge } from './forge.ts';
import { parseLenientJson } from './lenient-json.ts';
import { readBukkit, readBungee, readPaper, readVelocity } from './plugins.ts';

const sides = { client: 'client', server: 'server', dedicated_server: 'server' } as const;
const sideOf = (environment: unknown): ModMetadata['side'] =>
  sides[environment as keyof typeof sides] ?? 'both';

/** Ids of the game and its loader themselves. */
const isPlatform = (id: unknown) =>
  ['minecraft', 'java', 'fabricloader', 'fabric-loader', 'quilt_loader'].includes(id as string);

/** fabric.mod.json: https://wiki.fabricmc.net/documentation:fabric_mod_json_spec; some files contain several. */
const readFabric = (text: string): (ModMetadata | null)[] =>
  listOf(parseLenientJson(text)).map((mod) =>
    metadataOf({
      id: member(mod, 'id'),
      name: member(mod, 'name'),
      version: member(mod, 'version'),
      authors: listOf(member(mod, 'authors')).map((author) => member(author, 'name') ?? author),
      loaders: ['fabric', 'quilt'],
      side: sideOf(member(mod, 'environment')),
      requires: keysOf(member(mod, 'depends')).filter((id) => !isPlatform(id)),
      breaks: keysOf(member(mod, 'breaks')).filter((id) => !isPlatform(id)),
    }),
  );

/** `"id"`, `"group:id"` or an object with it. */
const quiltIds = (value: unknown) =>
  listOf(value)
    .filter((one) => member(one, 'optional') !== true)
    .map((one) => member(one, 'id') ?? one)
    .filter((id) => typeof id === 'string')
    .map((id) => id.slice(id.lastIndexOf(':') + 1))
    .filter((id) => !isPlatform(id));

/** quilt.mod.json: https://github.com/QuiltMC/rfcs/blob/main/specification/0002-quilt.mod.json.md */
const readQuilt = (text: string): (ModMetadata | null)[] => {
  const mod = parseLenientJson(text);
  const loader = member(mod, 'quilt_loader');
  const metadata = member(loader, 'metadata');
  return [
    metadataOf({
      id: member(loader, 'id'),
      name: member(metadata, 'name'),
      version: member(loader, 'version'),
      authors: keysOf(member(metadata, 'contributors')),
      loaders: ['quilt'],
      side: sideOf(member(member(mod, 'minecraft'), 'environment')),
      requires: quiltIds(member(loader, 'depends')),
      breaks: quiltIds(member(loader, 'breaks')),
    }),
  ];
};

const manifest = 'META-INF/MANIFEST.MF';

type Read = (text: string, jarVersion: string | null) => (ModMetadata | null)[];

/** Only the first file of a group counts: a loader that knows it does not read the others. */
const groups: readonly (readonly (readonly [string, Read])[])[] = [
  [['quilt.mod.json', readQuilt]],
  [['fabric.mod.json', readFabric]],
  [['META-INF/neoforge.mods.toml', (text, version) => readForge(text, 'neoforge', version)]],
  [
    ['META-INF/mods.toml', (text, version) => readForge(text, 'forge', version)],
    ['mcmod.info', readOldForge],
  ],
  [
    ['paper-plugin.yml', readPaper],
    ['plugin.yml', readBukkit],
  ],
  [['bungee.yml', readBungee]],
  [['velocity-plugin.json', readVelocity]],
];

const filesOf = (archive: Archive) =>
  new Set(archive.entries.filter(({ isFolder }) => !isFolder).map(({ path }) => path));

/** A jar has a manifest, or the metadata of a mod. */
export const isJar = (archive: Archive): boolean => {
  const files = filesOf(archive);
  return [manifest, ...groups.flat().map(([path]) => path)].some((path) => files.has(path));
};

export interface JarMetadata {
  readonly mods: readonly ModMetadata[];
  /** Files that cannot be understood. */
  readonly unreadable: readonly string[];
}

/**
 * A jar's metadata for each loader.
 * @throws {ArchiveError}
 */
export const readJar = async (archive: Archive): Promise<JarMetadata> => {
  const files = filesOf(archive);
  const textOf = async (path: string) => metadataText(await archive.read(path, largestMetadata));
  const jarVersion = files.has(manifest) ? jarVersionOf(await textOf(manifest)) : null;
  const mods: ModMetadata[] = [];
  const unreadable: string[] = [];
  for (const group of groups) {
    const [path, read] = group.find(([file]) => files.has(file)) ?? [];
    if (path === undefined || read === undefined) continue;
    const told = understood(await textOf(path), (text) => read(text, jarVersion));
    if (told.length === 0) unreadable.push(path);
    mods.push(...told);
  }
  return { mods: mods.slice(0, 50), unreadable };
};

/** Parsers of strangers' files may throw anything, also when the stack overflows; every error means that there is no metadata. */
const understood = (text: string, read: (text: string) => (ModMetadata | null)[]): ModMetadata[] => {
  try {
    return read(text).filter((mod) => mod !== null);
  } catch {
    return [];
  }
};
