import { posix } from 'node:path';
import type { LeftOutFile, ModMetadata } from '#contracts/servers/agent-mods.ts';
import { type Archive, usualLimits } from '#runtime/archives/archive.ts';
import { checkTogether, collisionsIn, pathFault } from '#runtime/archives/check-paths.ts';
import { type InspectedArchive, leftOutFiles, type Placement, unknownArchive } from '../inspected-archive.ts';
import { largestMetadata } from '../metadata-text.ts';
import { readModInfo } from './mod-info.ts';

interface Folder {
  /** Path in the archive with a trailing `/`; empty for its root. */
  readonly root: string;
  readonly info: string;
  readonly name: string | null;
  readonly metadata: ModMetadata;
}
type Named = Folder & { readonly name: string };

const mostFolders = 200;
const mostParts = 50;
const longestPart = 300;
/** The game finds `Mods/<Name>/ModInfo.xml`, and nothing deeper. */
const infoName = 'ModInfo.xml';

/**
 * The mods of an archive, wherever their folders are in it; files beside them, such as a readme, are left out. A mod within another one,
 * where the game does not find it, is a part: installed beside the others if it is chosen, and left out otherwise
 * (ChrisDKN/Amethyst-Mod-Manager#284).
 * @param chosen paths of parts
 * @throws {ArchiveError}
 */
export const inspectFolders = async (
  archive: Archive,
  chosen: readonly string[] = [],
): Promise<InspectedArchive> => {
  archive.checkStructure();
  const files = archive.entries.filter(({ isFolder }) => !isFolder).map(({ path }) => path);
  const infos = files.filter((path) => isInfo(path) && !hasBetter(path, files));
  if (infos.length === 0) return unknownArchive(whyNone(files));
  if (infos.length > mostFolders) return unknownArchive(`The archive has more than ${mostFolders} mods.`);
  const folders: Folder[] = [];
  const unreadable: string[] = [];
  for (const info of infos) {
    const metadata = readModInfo(await archive.read(info, largestMetadata));
    const root = info.slice(0, -infoName.length);
    if (metadata === null) unreadable.push(info);
    else folders.push({ root, info, name: nameOf(root, metadata), metadata });
  }
  const isWithin = (path: string) => folders.some(({ root }) => path !== root && path.startsWith(root));
  const bad = unreadable.find((info) => !isWithin(info.slice(0, -infoName.length)));
  if (bad !== undefined)
    return unknownArchive(`The game cannot read ${bad}: it names no mod, or is no valid XML.`);

  const isPart = ({ root }: Folder) => isWithin(root) || isOptionalPart(root, folders);
  const outer = folders.filter((folder) => !isPart(folder));
  const nameless = outer.find(({ name }) => name === null);
  if (nameless)
    return unknownArchive(
      `“${posix.basename(nameless.root) || nameless.metadata.id}” is no name for the folder of a mod.`,
    );
  const parts = folders.filter(isNamed).filter((one) => isPart(one) && one.root.length <= longestPart);
  const installed = [...outer.filter(isNamed), ...parts.filter((part) => chosen.includes(pathOf(part)))];
  const twin = installed.find(({ name }, at) =>
    installed.slice(0, at).some((other) => other.name.toLowerCase() === name.toLowerCase()),
  );
  if (twin) {
    const all = installed.filter(({ name }) => name.toLowerCase() === twin.name.toLowerCase());
    return unknownArchive(
      `The archive has two mods in folders named “${twin.name}”: ${all.map(({ info }) => info).join(', ')}.`,
    );
  }

  const wanted = placementsOf(files, folders, installed);
  const colliding = collisionsIn(wanted);
  const isPlaced = (one: Placement) => isStorable(one.path) && !colliding.has(one);
  const placements = wanted.filter(isPlaced);
  const unstorable = wanted.filter((one) => !isPlaced(one));
  checkTogether(
    placements.map(({ path }) => ({ path, isFolder: false })),
    usualLimits.path,
  );
  const placed = new Set(placements.map(({ entry }) => entry));
  const noted: LeftOutFile[] = unstorable.map(({ path }) => ({ path, why: 'unstorable' }));
  return {
    content: {
      is: 'folders',
      folders: installed.map(({ name, metadata }) => ({ name, metadata })),
      ...(parts.length > 0 && {
        parts: parts.slice(0, mostParts).map((part) => ({
          path: pathOf(part),
          name: part.metadata.name ?? part.name,
        })),
      }),
      ...leftOutFiles(noted),
    },
    placements,
    downloads: [],
    leftOut: files.filter((path) => !placed.has(path)),
  };
};

const isInfo = (path: string): boolean =>
  posix.basename(path).toLowerCase() === infoName.toLowerCase() && !path.startsWith('__MACOSX/');

/** Linux finds `ModInfo.xml` alone, whatever else is beside it. */
const hasBetter = (path: string, files: readonly string[]): boolean =>
  posix.basename(path) !== infoName && files.includes(posix.join(posix.dirname(path), infoName));

const optional = /(?:^|\/)(?:optionals?|options?|extras?|alternat\w*)(?![a-z])[^/]*\//i;
/** Beside the mod that it belongs to, in a folder whose name says that it is to be chosen. */
const isOptionalPart = (root: string, folders: readonly Folder[]): boolean =>
  optional.test(`${posix.dirname(root)}/`) && folders.some((other) => !optional.test(other.root));

const isStorable = (path: string): boolean => pathFault(path, usualLimits.path) === null;

const pathOf = ({ root }: Folder): string => root.slice(0, -1);

const isNamed = (folder: Folder): folder is Named => folder.name !== null;

/** That of the folder, else the mod's own; null: no system could hold either. */
const nameOf = (root: string, { id }: ModMetadata): string | null =>
  [root === '' ? id : posix.basename(root), id].find(
    (name) => !name.includes('/') && pathFault(name, 200) === null,
  ) ?? null;

/** Each file goes where the innermost mod around it goes. */
const placementsOf = (
  files: readonly string[],
  folders: readonly Folder[],
  installed: readonly Named[],
): Placement[] => {
  const inwards = folders.toSorted((one, other) => other.root.length - one.root.length);
  return files.flatMap((entry) => {
    const around = inwards.find(({ root }) => entry.startsWith(root));
    const folder = installed.find((one) => one === around);
    if (folder === undefined) return [];
    const inner = entry === folder.info ? infoName : entry.slice(folder.root.length);
    return [{ entry, path: `Mods/${folder.name}/${inner}` }];
  });
};

const whyNone = (files: readonly string[]): string => {
  const packed = files.find((path) => /\.(?:zip|7z|rar)$/i.test(path));
  return packed === undefined
    ? 'The archive has no ModInfo.xml: it is not a mod for 7 Days to Die.'
    : `The archive has no ModInfo.xml, but another archive: unpack it and upload ${posix.basename(packed)} alone.`;
};
