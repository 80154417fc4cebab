import { posix } from 'node:path';
import type { ModMetadata } from '#contracts/agent-mods.ts';
import type { Archive } from '#runtime/archives/archive.ts';
import { pathFault } from '#runtime/archives/check-paths.ts';
import { type InspectedArchive, type Placement, unknownArchive } from '../inspected-archive.ts';
import { largestMetadata } from '../metadata-text.ts';
import { readModInfo } from './mod-info.ts';

interface Folder {
  /** Path in the archive with a trailing `/`; empty for its root. */
  readonly root: string;
  readonly info: string;
  readonly name: string;
  readonly metadata: ModMetadata;
}

const mostFolders = 200;
/** The game finds `Mods/<Name>/ModInfo.xml`, and nothing deeper. */
const infoName = 'ModInfo.xml';

/**
 * The mods of an archive, wherever their folders are in it; files beside them, such as a readme, are left out.
 * @throws {ArchiveError}
 */
export const inspectFolders = async (archive: Archive): Promise<InspectedArchive> => {
  archive.checkPaths();
  const files = archive.entries.filter(({ isFolder }) => !isFolder).map(({ path }) => path);
  const infos = files.filter((path) => posix.basename(path).toLowerCase() === infoName.toLowerCase());
  if (infos.length === 0)
    return unknownArchive('The archive has no ModInfo.xml: it is not a mod for 7 Days to Die.');
  if (infos.length > mostFolders) return unknownArchive(`The archive has more than ${mostFolders} mods.`);
  const folders: Folder[] = [];
  for (const info of infos) {
    const metadata = readModInfo(await archive.read(info, largestMetadata));
    if (metadata === null) return unknownArchive(`The game cannot read ${info}: it names no mod.`);
    const root = info.slice(0, -infoName.length);
    const name = root === '' ? metadata.id : posix.basename(root);
    if (name.includes('/') || pathFault(name, 200) !== null)
      return unknownArchive(`“${name}” is no name for the folder of a mod.`);
    folders.push({ root, info, name, metadata });
  }
  const nested = folders.find(({ root }) =>
    folders.some((other) => other.root !== root && root.startsWith(other.root)),
  );
  if (nested)
    return unknownArchive(
      `${nested.info} lies in the folder of another mod, where the game would not find it.`,
    );
  const twin = folders.find(({ name }, at) =>
    folders.slice(0, at).some((other) => other.name.toLowerCase() === name.toLowerCase()),
  );
  if (twin) return unknownArchive(`The archive has two mods in folders named “${twin.name}”.`);
  const placements: Placement[] = files.flatMap((entry) => {
    const folder = folders.find(({ root }) => entry.startsWith(root));
    if (folder === undefined) return [];
    const inner = entry === folder.info ? infoName : entry.slice(folder.root.length);
    return [{ entry, path: `Mods/${folder.name}/${inner}` }];
  });
  const placed = new Set(placements.map(({ entry }) => entry));
  return {
    content: { is: 'folders', folders: folders.map(({ name, metadata }) => ({ name, metadata })) },
    placements,
    downloads: [],
    leftOut: files.filter((path) => !placed.has(path)),
  };
};
