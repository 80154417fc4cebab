import { expect } from 'vitest';
import { inspectedMod } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { openArchiveBytes } from '#runtime/archives/open-archive.ts';
import { zipByBytes } from '#runtime/archives/testing/zip-by-bytes.ts';
import { gameOf } from '../games.ts';
import type { InspectedArchive } from '../inspected-archive.ts';

/** By their paths in the archive. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** What a game reads from an archive of these files. */
export const inspectFiles = (
  files: Files,
  game: GameId,
  parts?: readonly string[],
): Promise<InspectedArchive> => inspectBytes(zipOf(files), game, parts);

export const zipOf = (files: Files): Buffer =>
  zipByBytes(Object.entries(files).map(([name, data]) => ({ name, data })));

export const inspectBytes = async (
  bytes: Buffer,
  game: GameId,
  parts?: readonly string[],
): Promise<InspectedArchive> => {
  await using archive = await openArchiveBytes(bytes);
  const inspected = await gameOf(game).mods.inspect(archive, parts);
  // Guarantee: whatever a file says about itself, what the agent sends fits the contract.
  expect(inspectedMod.shape.content.parse(inspected.content)).toEqual(inspected.content);
  return inspected;
};
