import type { InspectedMod, ModFile } from '#contracts/agent-mods.ts';
import type { GameId } from '#contracts/games.ts';
import { fingerprintFile } from '#games/curseforge-fingerprint.ts';
import { gameOf } from '#games/games.ts';
import { ArchiveError } from '#runtime/archives/archive.ts';
import { openArchive } from '#runtime/archives/open-archive.ts';
import type { TaskRun } from '../tasks/task-handlers.ts';
import type { ModFiles } from './mod-files.ts';

/** Downloads a file into the cache, and reports its contents. */
export const inspectMod = async (
  file: ModFile,
  { game, files, run }: { readonly game: GameId; readonly files: ModFiles; readonly run: TaskRun },
): Promise<InspectedMod> => {
  await using held = await files.fetch(file, {
    taskId: run.id,
    signal: run.signal,
    onProgress: (done, total) => run.progress({ step: 'download', done, total }),
  });
  const { path, bytes, sha512, sha1 } = held;
  run.progress({ step: 'verify', done: 0, total: null });
  const fingerprint = await fingerprintFile(path, run.signal);
  return { bytes, sha512, sha1, fingerprint, content: await contentOf(path, game) };
};

const contentOf = async (path: string, game: GameId): Promise<InspectedMod['content']> => {
  try {
    await using archive = await openArchive(path);
    return (await gameOf(game).mods.inspect(archive)).content;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return { is: 'unknown', why: error.message.slice(0, 500) };
  }
};
