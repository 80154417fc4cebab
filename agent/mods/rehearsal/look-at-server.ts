import { readFile, realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import * as z from 'zod';
import { type GameId, games } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { demandRoom } from '#runtime/disk-space.ts';
import { findSavePlaces, isInside, serverFolder } from '../../saves/save-places.ts';
import { isLeftOut, turner } from './copy-paths.ts';
import { sizeOfCopy } from './copy-server.ts';

export const lookedForRehearsal = z.union([
  z.object({ whyNot: z.string() }),
  z.object({
    /** Its settings file, below the folder. */
    settings: z.string(),
    /** Folders of the world, without links, all within the folder. */
    places: z.array(z.string()),
  }),
]);
type LookedForRehearsal = z.infer<typeof lookedForRehearsal>;

const largestScriptBytes = 1024 * 1024;

/** Whether the files of a server let a copy of it run beside it. @throws {Error} with a message for people */
export const lookForRehearsal = async (options: {
  readonly game: GameId;
  /** Without links. */
  readonly folder: string;
  /** The folder as the configuration names it. */
  readonly named: string;
  readonly copy: string;
  readonly command: readonly [string, ...string[]];
  /** From the configuration; null: as the game's settings say. */
  readonly savesFrom: readonly string[] | null;
  readonly signal: AbortSignal;
}): Promise<LookedForRehearsal> => {
  const { folder, named, copy, command, savesFrom, signal } = options;
  const game = gameOf(options.game).rehearsal;
  if (game === null) throw new Error(`${options.game} is not rehearsed`);
  const scripts = await readScripts(folder, command);
  const told = [...command.slice(1), ...scripts.flatMap(({ words }) => words)];
  const turn = turner([folder, named], copy);
  const left = told.filter((arg) => turn(arg) === arg);
  const strayed = told.find((arg) =>
    [folder, named].some((one) => turn(arg).replaceAll(copy, '').includes(one)),
  );
  if (strayed !== undefined)
    return {
      whyNot:
        'The start command names a path that begins as that of the server, which a copy would use, too.',
    };
  const whyNot = scriptObstacle([folder, named], scripts) ?? (await game.whyNot(serverFolder(folder), left));
  if (whyNot !== null) return { whyNot };
  const settings = resolve(folder, game.settingsFile(told).replaceAll(named, folder));
  if (!isInside(folder, settings))
    return { whyNot: `The settings ${settings} are outside the folder of the server.` };
  const { places } = await findSavePlaces(options.game, folder, savesFrom, async () => told);
  const outside = places.find((place) => !isInside(folder, place));
  if (outside !== undefined)
    return {
      whyNot: `The world is in ${outside}, outside the folder of the server, where a copy would use it, too.`,
    };
  const lacking = await roomObstacle(options.game, folder, isLeftOut(options.game), signal);
  if (lacking !== null) return { whyNot: lacking };
  return { settings: relative(folder, settings), places: [...places] };
};

interface Script {
  readonly name: string;
  /** Without comments. */
  readonly text: string;
  /** From the lines that start the game. */
  readonly words: readonly string[];
}

/** Scripts in the server's folder that the command runs. */
const readScripts = async (folder: string, command: readonly string[]): Promise<Script[]> => {
  const scripts: Script[] = [];
  for (const name of command) {
    if (!/\.(?:sh|bash|bat|cmd|ps1)$|(?:^|[\\/])[^.\\/]+$/i.test(name)) continue;
    const path = resolve(folder, name);
    if (!isInside(folder, await realpath(path).catch(() => path))) continue;
    const content = await readFile(path).catch(() => null);
    // A program, not a script.
    if (content === null || content.length > largestScriptBytes || content.includes(0)) continue;
    const lines = content
      .toString('utf8')
      .split(/\r?\n/)
      .filter((line) => !/^\s*(?:#|rem\b|::)/i.test(line));
    const words = lines
      .filter((line) => /java|\.jar|7DaysToDieServer/i.test(line))
      .flatMap((line) => line.split(/[\s"']+/));
    scripts.push({ name, text: lines.join('\n'), words });
  }
  return scripts;
};

/** A script that changes to the server's folder, or detaches the game, would not start the copy. */
const scriptObstacle = (folders: readonly string[], scripts: readonly Script[]): string | null => {
  const going = /(?:^|[;&|(\s])(?:cd|pushd|chdir)\s+(?:\/d\s+)?["']?(?:[/\\~]|[a-z]:|\$HOME)/im;
  const handing = /(?:^|[;&|(\s])(?:screen|tmux|docker|podman|systemctl|systemd-run|nohup|sudo|su)\s/m;
  for (const { name, text } of scripts) {
    if (folders.some((folder) => text.includes(folder)) || going.test(text))
      return `The start script ${name} names a folder, so that it would not start the copy. Let it stay in the folder that it is started in.`;
    if (handing.test(text))
      return `The start script ${name} hands the game to another program, which the copy would meet, too.`;
  }
  return null;
};

const roomObstacle = async (
  game: GameId,
  folder: string,
  isLeftOut: (path: string) => boolean,
  signal: AbortSignal,
): Promise<string | null> => {
  const bytes = await sizeOfCopy(folder, { isLeftOut, signal });
  return demandRoom(`A copy of the server (${games[game].name})`, [{ path: folder, bytes }]).then(
    () => null,
    (error: Error) => error.message,
  );
};
