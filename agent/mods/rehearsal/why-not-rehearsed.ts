import { readFile, realpath } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { games } from '#contracts/games.ts';
import { rehearsalOf } from '#games/game-rehearsals.ts';
import { savesOf } from '#games/game-saves.ts';
import type { GameRehearsal } from '#games/rehearsal-layout.ts';
import { demandRoom } from '#runtime/disk-space.ts';
import type { AgentConfig } from '../../configuration/config.ts';
import { readHolderRecord } from '../../power/holder/holder-record.ts';
import { familyOf } from '../../power/process/game-family.ts';
import { findSavePlaces, isInside, serverFolder } from '../../saves/save-places.ts';
import { sizeOfCopy } from './copy-server.ts';

export type RehearsedConfig = Pick<AgentConfig, 'game' | 'server' | 'stateFolder' | 'saves'>;

/** Below the server's folder: the game's account gets there, and blocks are shared where the disk can. */
export const copyName = '.castellan-rehearsal';
/** What the running game has, and a little. */
const memoryFactor = 1.1;
const largestScriptBytes = 1024 * 1024;

/** What is to be known of a server before a copy of it is started. */
export interface RehearsalPlan {
  readonly game: GameRehearsal;
  /** Without links. */
  readonly folder: string;
  readonly copy: string;
  /** Its settings file, below the folder. */
  readonly settings: string;
  readonly command: readonly [string, ...string[]];
  readonly account: string | null;
  /** Of the world, without links, all within the folder. */
  readonly places: readonly string[];
  /** By its path below the folder. */
  readonly isLeftOut: (path: string) => boolean;
}

/** Why a new set cannot be started beside the server now, for people; null: it can. Starts nothing. */
export const whyNotRehearsed = async (config: RehearsedConfig): Promise<string | null> => {
  const plan = await planRehearsal(config).catch((error: Error) => error.message);
  return typeof plan === 'string' ? plan : null;
};

/** @returns why not, in words. @throws {Error} in words, too */
export const planRehearsal = async (config: RehearsedConfig): Promise<RehearsalPlan | string> => {
  const { server, stateFolder, saves } = config;
  const game = rehearsalOf(config.game);
  if (game === null)
    return `${games[config.game].name} is not rehearsed: a second server beside the first one needs as much memory again, and both would share the game's own folders.`;
  if (server?.start.by !== 'holder')
    return 'Only a game that the agent starts by a command ("by": "holder") can be started a second time.';
  const folder = await realpath(server.folder);
  const [program, ...args] = server.start.command;
  const scripts = await readScripts(folder, server.start.command);
  const told = [...args, ...scripts.flatMap(({ words }) => words)];
  const copy = join(folder, copyName);
  const turn = turner([folder, server.folder], copy);
  const left = told.filter((arg) => turn(arg) === arg);
  const strayed = told.find((arg) =>
    [folder, server.folder].some((one) => turn(arg).replaceAll(copy, '').includes(one)),
  );
  if (strayed !== undefined)
    return 'The start command names a path that begins as that of the server, which a copy would use, too.';
  const whyNot =
    scriptObstacle([folder, server.folder], scripts) ?? (await game.whyNot(serverFolder(folder), left));
  if (whyNot !== null) return whyNot;
  const settings = resolve(folder, game.settingsFile(told).replaceAll(server.folder, folder));
  if (!isInside(folder, settings)) return `The settings ${settings} are outside the folder of the server.`;
  const places = await findSavePlaces(config.game, folder, saves.from, async () => told);
  const outside = places.find((place) => !isInside(folder, place));
  if (outside !== undefined)
    return `The world is in ${outside}, outside the folder of the server, where a copy would use it, too.`;
  const isLeftOut = (path: string) => !path.includes('/') && game.leftOut.test(path);
  const lacking =
    (await memoryObstacle(stateFolder, args)) ?? (await roomObstacle(config, folder, isLeftOut));
  if (lacking !== null) return lacking;
  return {
    ...{ game, folder, copy, places, isLeftOut },
    settings: relative(folder, settings),
    command: [program, ...args],
    account: server.start.account,
  };
};

interface Script {
  readonly name: string;
  /** Without comments. */
  readonly text: string;
  /** Of the lines that start the game. */
  readonly words: readonly string[];
}

/** Those of the server's folder that the command runs. */
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

/** A script that goes to the server's folder, or leaves the game to another program, would not start the copy. */
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

const memoryObstacle = async (stateFolder: string, args: readonly string[]): Promise<string | null> => {
  const used = (await residentBytes(join(stateFolder, 'power'))) ?? heapOf(args);
  if (used === null) return null;
  const available = await availableBytes();
  const needed = used * memoryFactor;
  return available >= needed
    ? null
    : `A second server needs some ${gigabytes(needed)} of memory, and ${gigabytes(available)} are free.`;
};

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** Linux counts the files that it keeps in memory apart from what programs have. */
const availableBytes = async (): Promise<number> => {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '');
  const kib = /^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1];
  return kib === undefined ? freemem() : Number(kib) * 1024;
};

/** Of the running game; null where it does not run, or where that cannot be told. */
const residentBytes = async (powerFolder: string): Promise<number | null> => {
  if (process.platform !== 'linux') return null;
  const record = await readHolderRecord(powerFolder).catch(() => null);
  if (!record || record.ended) return null;
  const sizes = await Promise.all(
    (await familyOf(record)).map(async ({ pid }) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
    }),
  );
  const sum = sizes.reduce((all, one) => all + one, 0);
  return sum === 0 ? null : sum;
};

/** `-Xmx6G`: what Java may take; null where the command does not say. */
const heapOf = (args: readonly string[]): number | null => {
  const found = args.map((arg) => /^-Xmx(\d+)([kmgt]?)$/i.exec(arg)).findLast((match) => match !== null);
  if (!found) return null;
  return Number(found[1]) * 1024 ** ('kmgt'.indexOf((found[2] || ' ').toLowerCase()) + 1);
};

const roomObstacle = async (
  { game }: RehearsedConfig,
  folder: string,
  isLeftOut: (path: string) => boolean,
): Promise<string | null> => {
  const bytes = await sizeOfCopy(folder, { isLeftOut, signal: new AbortController().signal });
  return demandRoom(`A copy of the server (${games[game].name})`, [{ path: folder, bytes }]).then(
    () => null,
    (error: Error) => error.message,
  );
};

/** Names of files in a world that belong to the running game. */
export const isPassing = (game: AgentConfig['game'], path: string): boolean =>
  savesOf(game).passing.includes(path.split(/[\\/]/).at(-1) ?? '');

/** Puts the copy in place of these folders, and of what is in them, wherever a word has their whole path. */
const turner = (folders: readonly string[], copy: string): ((word: string) => string) => {
  const names = folders.toSorted((one, other) => other.length - one.length);
  const plain = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const path = new RegExp(`(?<![^=@:;,"'])(?:${plain})(?=$|[\\\\/:;,"'])`, 'g');
  return (word) => word.replace(path, () => copy);
};

/** As the copy is started: whatever names the server's folder names the copy instead. */
export const commandInCopy = (
  { command, folder, copy }: Pick<RehearsalPlan, 'command' | 'folder' | 'copy'>,
  named: string,
): [string, ...string[]] => {
  const turn = turner([folder, named], copy);
  const [program, ...args] = command;
  return [turn(program), ...args.map((arg) => turn(arg))];
};
