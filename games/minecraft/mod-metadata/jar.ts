import type { ModMetadata } from '#contracts/servers/agent-mods.ts';
import { type Archive, ArchiveError } from '#runtime/archives/archive.ts';
import { keysOf, largestMetadata, listOf, member, metadataOf, metadataText } from '../../metadata-text.ts';
import { jarVersionOf, readFmlManifest, readForge, readOldForge } from './forge.ts';
import { parseLenientJson } from './lenient-json.ts';
import { noNested, readNested } from './nested-jars.ts';
import { readBukkit, readBungee, readPaper, readVelocity } from './plugins.ts';

const sides = { client: 'client', server: 'server', dedicated_server: 'server' } as const;
/** In any case (Fabric's `V1ModMetadataParser.readEnvironment`). */
const sideOf = (environment: unknown): ModMetadata['side'] =>
  sides[String(environment).toLowerCase() as keyof typeof sides] ?? 'both';

/**
 * Whether it means each version of a mod. One that breaks only some of them, as most do (FrozenBlock/WilderWild#303), is left to the
 * loader, which knows both versions.
 */
const isAnyVersion = (range: unknown): boolean => {
  const ranges = listOf(range);
  return ranges.length === 0 || ranges.some((one) => one === '*' || one === '');
};

/** Ids of the game and its loader themselves. */
const isPlatform = (id: unknown) =>
  ['minecraft', 'java', 'fabricloader', 'fabric-loader', 'quilt_loader'].includes(id as string);

/** fabric.mod.json: https://wiki.fabricmc.net/documentation:fabric_mod_json_spec; some files contain several. */
const readFabric: Read = (text) =>
  listOf(parseLenientJson(text)).map((mod) =>
    metadataOf({
      id: member(mod, 'id'),
      name: member(mod, 'name'),
      version: member(mod, 'version'),
      authors: listOf(member(mod, 'authors')).map((author) => member(author, 'name') ?? author),
      loaders: ['fabric', 'quilt'],
      side: sideOf(member(mod, 'environment')),
      requires: keysOf(member(mod, 'depends')).filter((id) => !isPlatform(id)),
      breaks: keysOf(member(mod, 'breaks')).filter(
        (id) => !isPlatform(id) && isAnyVersion(member(member(mod, 'breaks'), id)),
      ),
      provides: listOf(member(mod, 'provides')),
    }),
  );

/**
 * `"id"`, `"group:id"` or an object with it. A list in the list is satisfied by any of them, so that none is required; nor is one with
 * an `unless`.
 */
const quiltIds = (value: unknown) =>
  listOf(value)
    .filter((one) => member(one, 'optional') !== true && member(one, 'unless') === undefined)
    .map((one) => member(one, 'id') ?? one)
    .filter((id) => typeof id === 'string')
    .map((id) => id.slice(id.lastIndexOf(':') + 1))
    .filter((id) => !isPlatform(id));

/** quilt.mod.json: https://github.com/QuiltMC/rfcs/blob/main/specification/0002-quilt.mod.json.md */
const readQuilt: Read = (text) => {
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
      breaks: quiltIds(
        listOf(member(loader, 'breaks')).filter((one) => isAnyVersion(member(one, 'versions'))),
      ),
      provides: quiltIds(member(loader, 'provides')),
    }),
  ];
};

const manifest = 'META-INF/MANIFEST.MF';
/** A signed jar lists a digest of each of its files there. */
const largestManifest = 16 * 1024 * 1024;

type Read = (text: string, jarVersion: string | null) => (ModMetadata | null)[];

/** https://github.com/MinecraftForge/MinecraftForge/pull/8657 */
const jarJar = 'META-INF/jarjar/metadata.json';

interface Group {
  /** Only the first file counts: a loader that knows it does not read the others. */
  readonly files: readonly (readonly [string, Read])[];
  /** Where a jar of this kind names the jars inside of it, and what it says there; all of Forge's are loaded. */
  readonly nested: 'fabric' | 'quilt' | 'forge' | null;
}

const groups: readonly Group[] = [
  { files: [['quilt.mod.json', readQuilt]], nested: 'quilt' },
  { files: [['fabric.mod.json', readFabric]], nested: 'fabric' },
  {
    files: [['META-INF/neoforge.mods.toml', (text, version) => readForge(text, 'neoforge', version)]],
    nested: 'forge',
  },
  {
    files: [
      ['META-INF/mods.toml', (text, version) => readForge(text, 'forge', version)],
      ['mcmod.info', readOldForge],
    ],
    nested: 'forge',
  },
  {
    files: [
      ['paper-plugin.yml', readPaper],
      ['plugin.yml', readBukkit],
    ],
    nested: null,
  },
  { files: [['bungee.yml', readBungee]], nested: null },
  { files: [['velocity-plugin.json', readVelocity]], nested: null },
];

const filesOf = (archive: Archive) =>
  new Set(archive.entries.filter(({ isFolder }) => !isFolder).map(({ path }) => path));

/** A jar has a manifest, or the metadata of a mod. */
export const isJar = (archive: Archive): boolean => {
  const files = filesOf(archive);
  return [manifest, ...groups.flatMap((group) => group.files.map(([path]) => path))].some((path) =>
    files.has(path),
  );
};

interface JarMetadata {
  readonly mods: readonly ModMetadata[];
  /** Files that cannot be understood. */
  readonly unreadable: readonly string[];
}

/**
 * A jar's metadata for each loader, with the ids of the jars inside of it.
 * @param budget shared by all jars within one
 * @throws {ArchiveError}
 */
export const readJar = async (archive: Archive, budget = noNested()): Promise<JarMetadata> => {
  const files = filesOf(archive);
  const textOf = async (path: string) => metadataText(await archive.read(path, largestMetadata));
  const manifestText = files.has(manifest) ? await manifestOf(archive) : '';
  const jarVersion = jarVersionOf(manifestText);
  const mods: ModMetadata[] = [];
  const unreadable: string[] = [];
  const inside = (paths: readonly string[]) =>
    readNested(archive, paths, budget, async (nested) => (await readJar(nested, budget)).mods);
  const inForge = async () => inside(files.has(jarJar) ? jarJarPaths(await textOf(jarJar)) : []);
  for (const { files: known, nested } of groups) {
    const [path, read] = known.find(([file]) => files.has(file)) ?? [];
    if (path === undefined || read === undefined) continue;
    const text = await textOf(path);
    const told = understood(text, (whole) => read(whole, jarVersion));
    if (told.length === 0) unreadable.push(path);
    if (nested === 'forge') mods.push(...carrying(told, await inForge(), true));
    else if (nested !== null) mods.push(...carrying(told, await inside(loaderPaths(text, nested)), false));
    else mods.push(...told);
  }
  // A jar may be nothing but a box for others, or a library of Forge itself.
  if (mods.length === 0 && unreadable.length === 0) mods.push(...(await inForge()));
  if (mods.length === 0 && unreadable.length === 0)
    mods.push(...understood(manifestText, (text) => readFmlManifest(text)));
  return { mods: mods.slice(0, 50), unreadable };
};

const manifestOf = async (archive: Archive): Promise<string> => {
  try {
    return metadataText(await archive.read(manifest, largestManifest));
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return '';
  }
};

/** Parsers of strangers' files may throw anything, also when the stack overflows; every error means that there is no metadata. */
const understood = (text: string, read: (text: string) => (ModMetadata | null)[]): ModMetadata[] => {
  try {
    return read(text).filter((mod) => mod !== null);
  } catch {
    return [];
  }
};

const strings = (read: () => readonly unknown[]): readonly string[] => {
  try {
    return read().filter((path) => typeof path === 'string');
  } catch {
    return [];
  }
};

const jarJarPaths = (text: string) =>
  strings(() => listOf(member(parseLenientJson(text), 'jars')).map((jar) => member(jar, 'path')));

/** Fabric: `[{ "file": "…" }]`; Quilt: `["…"]`. */
const loaderPaths = (text: string, loader: 'fabric' | 'quilt') =>
  strings(() =>
    listOf(parseLenientJson(text))
      .flatMap((mod) => listOf(member(loader === 'quilt' ? member(mod, 'quilt_loader') : mod, 'jars')))
      .map((jar) => member(jar, 'file') ?? jar),
  );

/**
 * The mods of a jar with the ids of those inside of it, and with what these require: of Forge's all, of the others those that the outer
 * mod itself requires, since Fabric and Quilt leave out what they cannot load.
 */
const carrying = (
  told: readonly ModMetadata[],
  nested: readonly ModMetadata[],
  isAllLoaded: boolean,
): ModMetadata[] => {
  const [first, ...others] = told;
  if (first === undefined || nested.length === 0) return [...told];
  const idsOf = (mod: ModMetadata) => [mod.id, ...(mod.provides ?? [])];
  const inside = new Set([...told, ...nested].flatMap(idsOf));
  const requires = new Set(told.flatMap((mod) => mod.requires));
  const loaded = new Set<ModMetadata>();
  for (let more = true; more; ) {
    more = false;
    for (const mod of nested) {
      if (loaded.has(mod) || !(isAllLoaded || idsOf(mod).some((id) => requires.has(id)))) continue;
      loaded.add(mod);
      for (const id of mod.requires) requires.add(id);
      more = true;
    }
  }
  const whole = metadataOf({
    ...first,
    requires: [...requires].filter((id) => !inside.has(id)),
    provides: [...(first.provides ?? []), ...nested.flatMap(idsOf)],
  });
  return [whole ?? first, ...others];
};
