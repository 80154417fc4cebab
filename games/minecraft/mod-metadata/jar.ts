import type { ModMetadata } from '#contracts/agent-mods.ts';
import type { Archive } from '#runtime/archives/archive.ts';
import { largestMetadata, metadataText } from '../../metadata-text.ts';
import { readFabric, readQuilt } from './fabric.ts';
import { jarVersionOf, readForge, readOldForge } from './forge.ts';
import { readBukkit, readBungee, readPaper, readVelocity } from './plugins.ts';

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
