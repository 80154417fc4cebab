import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inspectedMod } from '#contracts/agent-mods.ts';
import type { GameId } from '#contracts/games.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openArchive } from '#runtime/archives/open-archive.ts';
import { zipByBytes } from '#runtime/archives/testing/zip-by-bytes.ts';
import { gameOf } from '../games.ts';
import type { InspectedArchive } from '../inspected-archive.ts';

/** By their paths in the archive. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** What a game reads from an archive of these files. */
export const inspectFiles = async (files: Files, game: GameId): Promise<InspectedArchive> => {
  await using folder = await temporaryFolder('mod-metadata');
  const path = join(folder.path, 'file.zip');
  await writeFile(path, zipByBytes(Object.entries(files).map(([name, data]) => ({ name, data }))));
  await using archive = await openArchive(path);
  const inspected = await gameOf(game).mods.inspect(archive);
  // Guarantee: whatever a file says about itself, what the agent sends fits the contract.
  expect(inspectedMod.shape.content.parse(inspected.content)).toEqual(inspected.content);
  return inspected;
};
