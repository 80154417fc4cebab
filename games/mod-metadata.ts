import type { GameId } from '#contracts/games.ts';
import type { Archive } from '#runtime/archives/archive.ts';
import { type InspectedArchive, unknownArchive, withoutPlan } from './inspected-archive.ts';
import { isJar, readJar } from './minecraft/mod-metadata/jar.ts';
import { inspectPack } from './minecraft/mod-metadata/pack.ts';
import { inspectFolders } from './seven-days-to-die/mod-folders.ts';

const inspectMinecraft = async (archive: Archive): Promise<InspectedArchive> => {
  if (!isJar(archive)) return inspectPack(archive);
  const { mods, unreadable } = await readJar(archive);
  if (mods.length > 0) return withoutPlan({ is: 'mods', mods: [...mods] });
  const why =
    unreadable.length > 0
      ? `The jar tells of itself in ${unreadable.join(' and ')}, which cannot be read.`
      : 'The jar has no file that tells which mod or plugin it is.';
  return unknownArchive(why);
};

/**
 * Inspects the file of a mod or of a pack.
 * @throws {ArchiveError} when nothing of it may be used
 */
export const inspectArchive = (archive: Archive, game: GameId): Promise<InspectedArchive> => {
  if (game === 'minecraft') return inspectMinecraft(archive);
  if (game === 'seven-days-to-die') return inspectFolders(archive);
  return Promise.resolve(
    withoutPlan({
      is: 'unknown',
      why: 'This game takes its mods by their ids, and downloads them by itself.',
    }),
  );
};
