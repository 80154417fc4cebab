import type { InspectedMod } from '#contracts/agent-mods.ts';
import { type Archive, usualLimits } from '#runtime/archives/archive.ts';
import { checkTogether } from '#runtime/archives/check-paths.ts';
import { type InspectedArchive, type Placement, unknownArchive } from '../../inspected-archive.ts';
import { metadataText } from '../../metadata-text.ts';
import { largestIndex, type MrpackIndex, mrpackIndexName, readMrpackIndex } from './mrpack.ts';

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
 * A `.mrpack`, or a server pack: a zip with `mods/`, possibly one folder deeper.
 * @throws {ArchiveError}
 */
export const inspectPack = async (archive: Archive): Promise<InspectedArchive> => {
  archive.checkPaths();
  const files = archive.entries.filter(({ isFolder }) => !isFolder);
  if (files.some(({ path }) => path === mrpackIndexName)) {
    const index = readMrpackIndex(metadataText(await archive.read(mrpackIndexName, largestIndex)));
    return planPack(index, [
      ...below(files, 'overrides/'),
      // These override the others.
      ...below(files, 'server-overrides/'),
    ]);
  }
  if (files.some(({ path }) => path === 'manifest.json'))
    return unknownArchive(
      'This is a pack for players of CurseForge. Choose the server pack that its page offers beside it.',
    );
  const root = files
    .map(({ path }) => /^(?:[^/]+\/)?(?=(?:mods|plugins)\/[^/]+\.jar$)/i.exec(path)?.[0])
    .filter((found) => found !== undefined)
    .sort((one, other) => one.length - other.length)[0];
  if (root === undefined)
    return unknownArchive('The archive has no folder “mods” or “plugins” with jars in it.');
  return planPack(null, below(files, root));
};

const below = (files: Archive['entries'], folder: string): Sized[] =>
  files
    .filter(({ path }) => path.startsWith(folder))
    .map(({ path, bytes }) => ({ entry: path, path: path.slice(folder.length), bytes }));

type Sized = Placement & { readonly bytes: number };

const planPack = (index: MrpackIndex | null, brought: readonly Sized[]): InspectedArchive => {
  const downloads = index?.downloads ?? [];
  const worlds = worldsIn([...brought, ...downloads].map(({ path }) => path));
  const isOurs = ({ path }: { readonly path: string }) => !isOfServer(path, worlds);
  const placements = [...new Map(brought.filter(isOurs).map((one) => [one.path, one])).values()];
  const overridden = new Set(placements.map(({ path }) => path));
  const wanted = downloads.filter((one) => isOurs(one) && !overridden.has(one.path));
  checkTogether(
    [...placements, ...wanted].map(({ path }) => ({ path, isFolder: false })),
    usualLimits.path,
  );
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
    clientOnly: index?.clientOnly ?? 0,
  };
  return {
    content,
    placements: placements.map(({ entry, path }) => ({ entry, path })),
    downloads: wanted.map(({ path, file }) => ({ path, file })),
    leftOut: [...brought, ...downloads].filter((one) => !isOurs(one)).map(({ path }) => path),
  };
};
