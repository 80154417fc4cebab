import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { readJson } from '#runtime/read-json.ts';

/** Placeholder in the start command for the ids of mods, such as `-mods={mods}`. */
export const modsMark = '{mods}';

/** Ids in load order, as written by the job that changes mods. */
const modIds = z.array(z.string().regex(/^\d{1,20}$/)).max(1000);
const largestListBytes = 64 * 1024;

export const modIdsFile = (stateFolder: string): string => join(stateFolder, 'mods', 'ids.json');

/**
 * The ids that the game is started with; empty when no list was ever written.
 * @throws {Error} with a message for people: without its mods, a game may delete from its world what belongs to them
 */
export const readModIds = async (path: string): Promise<readonly string[]> => {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`The list of mods ${path} cannot be read: ${error.code}.`);
  });
  if (content === null) return [];
  const ids = content.length > largestListBytes ? null : readJson(modIds, content.toString('utf8'));
  if (ids === null)
    throw new Error(`The list of mods ${path} is damaged. Change the mods in the panel to write it again.`);
  return ids;
};

/** The command with these ids in place of the mark. Without any ids, an argument that would have no value is left out. */
export const withModIds = (
  command: readonly [string, ...string[]],
  ids: readonly string[],
): [string, ...string[]] => {
  const [program, ...args] = command;
  const filled = args.flatMap((arg) => {
    if (!arg.includes(modsMark)) return [arg];
    if (ids.length > 0) return [arg.replaceAll(modsMark, ids.join(','))];
    const rest = arg.replaceAll(/,\{mods\}|\{mods\},?/g, '');
    return rest === '' || rest.endsWith('=') ? [] : [rest];
  });
  return [program, ...filled];
};

/** What is wrong with the mark in the start command, for people; null: nothing. */
export const modsMarkFault = (
  game: GameId,
  {
    start,
    allow,
  }: {
    readonly start:
      | { readonly by: 'holder'; readonly command: readonly string[] }
      | { readonly by: 'systemd' | 'windows-service' | 'none' };
    readonly allow: { readonly mods: boolean };
  },
): string | null => {
  const takesIds = gameOf(game).mods.ids?.at === 'command';
  const [program = '', ...args] = start.by === 'holder' ? start.command : [];
  if (program.includes(modsMark))
    return `${modsMark} stands in the name of the program. Put it into an argument.`;
  const hasMark = args.some((arg) => arg.includes(modsMark));
  if (!takesIds)
    return hasMark
      ? `The start command has ${modsMark}, which is for games that take the ids of mods as an argument. Take it out.`
      : null;
  if (!allow.mods || hasMark) return null;
  return start.by === 'holder'
    ? `Mods are allowed, but the start command has no ${modsMark}. Put -mods=${modsMark} into it, in place of the ids that stand there.`
    : `Mods are allowed, but only with a start command ("by": "holder") can the agent tell the game which: it has to have -mods=${modsMark} in it.`;
};
