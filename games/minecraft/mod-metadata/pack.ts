import { posix } from 'node:path';
import type { InspectedMod, LeftOutFile, ModLoader } from '#contracts/servers/agent-mods.ts';
import { type Archive, ArchiveError, usualLimits } from '#runtime/archives/archive.ts';
import { checkTogether, collisionsIn, pathFault } from '#runtime/archives/check-paths.ts';
import { openArchiveBytes } from '#runtime/archives/open-archive.ts';
import {
  type InspectedArchive,
  leftOutFiles,
  type Placement,
  unknownArchive,
} from '../../inspected-archive.ts';
import { metadataText } from '../../metadata-text.ts';
import { isJar, readJar } from './jar.ts';
import { largestIndex, type MrpackIndex, mrpackIndexName, placeInServer, readMrpackIndex } from './mrpack.ts';

/** Paths that a pack may not contain: they belong to the server itself, or its machine runs them. Folders end with `/`. */
const ownedByServer = new RegExp(
  `^(?:${[
    'server\\.properties',
    'eula\\.txt',
    'ops\\.(?:json|txt)',
    'whitelist\\.json',
    'white-list\\.txt',
    'banned-(?:players|ips)\\.(?:json|txt)',
    'usercache\\.json',
    'user_jvm_args\\.txt',
    '[^/]+\\.(?:jar|sh|bash|bat|cmd|ps1|exe|com|msi|dll|so|service)',
    'libraries/.*',
    'versions/.*',
    'logs/.*',
    'crash-reports/.*',
    // What macOS and Windows leave in folders; a loader would take `._a.jar` for a mod.
    '__MACOSX/.*',
    '(?:.*/)?(?:\\._[^/]*|\\.DS_Store|Thumbs\\.db|desktop\\.ini)',
    '\\..*',
  ].join('|')})$`,
  'i',
);

/** World folders among these paths, recognized by the file that each world has; the pack's worlds must not replace the server's. */
const worldsIn = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => /(?:^|\/)level\.dat$/i.test(path)).map((path) => path.slice(0, -'level.dat'.length));

const isOfServer = (path: string, worlds: readonly string[]): boolean =>
  ownedByServer.test(path) || worlds.some((world) => path.startsWith(world));

/** Matches the form of a mod file, which is installed by its name. */
const isModFile = (path: string): boolean => /^(?:mods|plugins)\/[^/]+\.jar$/i.test(path);

type Content = InspectedMod['content'];
type Pack = Extract<Content, { is: 'pack' }>;

/**
 * A `.mrpack`, or a server pack: a zip with `mods/`, possibly one or two folders deeper. Only what is placed has to be storable: the
 * rest, such as what is for players, is never unpacked.
 * @throws {ArchiveError}
 */
export const inspectPack = async (archive: Archive): Promise<InspectedArchive> => {
  archive.checkStructure();
  const files = archive.entries.filter(({ isFolder }) => !isFolder);
  const paths = files.map(({ path }) => path);
  const root = rootOf(paths);
  const indexRoot = outermost(paths, mrpackIndexName);
  if (indexRoot !== undefined && (root === undefined || depthOf(indexRoot) <= depthOf(root))) {
    const name = `${indexRoot}${mrpackIndexName}`;
    if (paths.indexOf(name) !== paths.lastIndexOf(name))
      throw new ArchiveError('duplicate', `“${mrpackIndexName}” is in there twice.`);
    const index = readMrpackIndex(metadataText(await archive.read(name, largestIndex)));
    return planPack(archive, index, [
      ...below(files, `${indexRoot}overrides/`),
      // These override the others.
      ...below(files, `${indexRoot}server-overrides/`),
    ]);
  }
  if (isForCurseForge(paths, root))
    return unknownArchive(
      'This is a pack for players of CurseForge. Choose the server pack that its page offers beside it.',
    );
  if (root === undefined) return unknownArchive(whyNone(paths));
  return planPack(archive, null, below(files, root));
};

const depthOf = (root: string) => root.split('/').length;

/** The outermost folder with a file of this name, at most two deep: people pack folders again. */
const outermost = (paths: readonly string[], name: string): string | undefined =>
  paths
    .filter((path) => (path === name || path.endsWith(`/${name}`)) && depthOf(path) <= 3)
    .map((path) => path.slice(0, -name.length))
    .sort((one, other) => depthOf(one) - depthOf(other))[0];

/** A server pack may keep the list that it was made from beside its mods. */
const isForCurseForge = (paths: readonly string[], root: string | undefined): boolean => {
  const listRoot = outermost(paths, 'manifest.json');
  if (listRoot === undefined || listRoot === root) return false;
  if (listRoot === '') return true;
  return root === undefined ? paths.includes(`${listRoot}modlist.html`) : root.startsWith(listRoot);
};

const whyNone = (paths: readonly string[]): string => {
  const packed = paths.find((path) => /\.(?:zip|mrpack|7z|rar)$/i.test(path));
  return packed === undefined
    ? 'The archive has no folder “mods” or “plugins” with jars in it.'
    : `The archive has no folder “mods” or “plugins”, but another archive: unpack it and upload ${posix.basename(packed)} alone.`;
};

/** The folder that has `mods`; of several the outermost one, and none for players or of macOS. */
const rootOf = (paths: readonly string[]): string | undefined => {
  const isOther = (root: string) => /(?:^|\/)(?:__MACOSX|client)\//i.test(root);
  return paths
    .map((path) => /^(?:[^/]+\/){0,2}?(?=(?:mods|plugins)\/[^/]+\.jar$)/i.exec(path)?.[0])
    .filter((found) => found !== undefined)
    .sort((one, other) => Number(isOther(one)) - Number(isOther(other)) || depthOf(one) - depthOf(other))[0];
};

/** @throws {ArchiveError} when a file is in there twice: programs differ in which one they take */
const below = (files: Archive['entries'], folder: string): Sized[] => {
  const found = files.filter(({ path }) => path.startsWith(folder));
  const seen = new Set<string>();
  for (const { path } of found) {
    if (seen.has(path)) throw new ArchiveError('duplicate', `“${path}” is in there twice.`);
    seen.add(path);
  }
  return found.map(({ path, bytes }) => ({
    entry: path,
    path: placeInServer(path.slice(folder.length)),
    bytes,
  }));
};

type Sized = Placement & { readonly bytes: number };

const isStorable = (path: string): boolean => pathFault(path, usualLimits.path) === null;

const planPack = async (
  archive: Archive,
  index: MrpackIndex | null,
  brought: readonly Sized[],
): Promise<InspectedArchive> => {
  const downloads = index?.downloads ?? [];
  const worlds = worldsIn([...brought, ...downloads].map(({ path }) => path));
  const isOurs = ({ path }: { readonly path: string }) => !isOfServer(path, worlds);
  const storable = [
    ...new Map(
      brought.filter((one) => isOurs(one) && isStorable(one.path)).map((one) => [one.path, one]),
    ).values(),
  ];
  const playersOnly = new Set(await findPlayersOnly(archive, storable, index?.loader ?? null));
  const overridden = new Set(storable.map(({ path }) => path));
  const listed = downloads.filter((one) => isOurs(one) && !overridden.has(one.path));
  const besideMods = <T extends { readonly path: string }>(all: readonly T[]) =>
    all.filter(({ path }) => !isModFile(path));
  const colliding: ReadonlySet<{ readonly path: string }> = collisionsIn([
    ...[...storable, ...listed].filter(({ path }) => isModFile(path)),
    ...besideMods(storable).toReversed(),
    ...besideMods(listed),
  ]);
  const isOdd = (one: { readonly path: string }) => colliding.has(one) && !isModFile(one.path);
  const placements = storable.filter((one) => !playersOnly.has(one) && !isOdd(one));
  const wanted = listed.filter((one) => !isOdd(one));
  checkTogether(
    [...placements, ...wanted].map(({ path }) => ({ path, isFolder: false })),
    usualLimits.path,
  );
  const unstorable = [
    ...brought.filter((one) => isOurs(one) && !isStorable(one.path)).map(({ path }) => path),
    ...(index?.unstorable ?? []),
    ...[...storable, ...listed].filter(isOdd).map(({ path }) => path),
  ];
  const noted: LeftOutFile[] = [
    ...[...playersOnly].map(({ path }) => ({ path, why: 'client-only' as const })),
    ...unstorable.map((path) => ({ path, why: 'unstorable' as const })),
  ];
  const jars = placements.filter(({ path }) => isModFile(path));
  const content: Pack = {
    is: 'pack',
    name: index?.name ?? '',
    version: index?.version ?? null,
    gameVersion: index?.gameVersion ?? null,
    loader: index?.loader ?? null,
    files: [
      ...wanted.map(({ path, host, file }) => ({
        path,
        bytes: file.bytes ?? 0,
        sha512: file.hashes.sha512 ?? null,
        host,
      })),
      ...jars.map(({ path, bytes }) => ({ path, bytes, sha512: null, host: null })),
    ].slice(0, 2000),
    overrides: placements.length - jars.length,
    clientOnly: (index?.clientOnly ?? 0) + playersOnly.size,
    ...leftOutFiles(noted),
  };
  return {
    content,
    placements: placements.map(({ entry, path }) => ({ entry, path })),
    downloads: wanted.map(({ path, file }) => ({ path, file })),
    leftOut: [
      ...[...brought, ...downloads].filter((one) => !isOurs(one)).map(({ path }) => path),
      ...noted.map(({ path }) => path),
    ],
  };
};

/** Larger jars are not looked into. */
const largestJar = 64 * 1024 ** 2;

/** The jars among these that say themselves that no server can use them (LunaPixelStudios/Better-MC#1640). */
const findPlayersOnly = async (
  archive: Archive,
  files: readonly Sized[],
  loader: ModLoader | null,
): Promise<Sized[]> => {
  const found: Sized[] = [];
  for (const file of files) {
    if (!isModFile(file.path) || file.bytes > largestJar) continue;
    if (await isForPlayersOnly(await archive.read(file.entry, largestJar), loader)) found.push(file);
  }
  return found;
};

const isForPlayersOnly = async (bytes: Buffer, loader: ModLoader | null): Promise<boolean> => {
  try {
    await using jar = await openArchiveBytes(bytes);
    if (!isJar(jar)) return false;
    const { mods } = await readJar(jar);
    const own = mods.filter(({ loaders }) => loader !== null && loaders.includes(loader));
    const counted = own.length > 0 ? own : mods;
    return counted.length > 0 && counted.every(({ side }) => side === 'client');
  } catch (error) {
    // The loader tells what is wrong with it.
    if (error instanceof ArchiveError) return false;
    throw error;
  }
};
