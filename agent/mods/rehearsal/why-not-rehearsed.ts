import { readFile, realpath } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { games } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import type { GameRehearsal } from '#games/rehearsal-layout.ts';
import type { AgentConfig } from '../../configuration/config.ts';
import { readHolderRecord } from '../../power/holder/holder-record.ts';
import { familyOf } from '../../power/process/game-family.ts';
import type { FolderWorker } from '../folder/folder-worker.ts';
import { copyName } from './copy-paths.ts';

export type RehearsedConfig = Pick<AgentConfig, 'game' | 'server' | 'stateFolder' | 'saves'>;

/** The memory of the running game, and a little more. */
const memoryFactor = 1.1;

/** The facts needed before a copy of a server is started. */
export interface RehearsalPlan {
  readonly game: GameRehearsal;
  /** Without links. */
  readonly folder: string;
  readonly copy: string;
  /** Its settings file, below the folder. */
  readonly settings: string;
  readonly command: readonly [string, ...string[]];
  readonly account: string | null;
  /** Folders of the world, without links, all within the folder. */
  readonly places: readonly string[];
}

/** Why a new set cannot be started beside the server now, for people; null: it can. Starts nothing. */
export const whyNotRehearsed = async (
  config: RehearsedConfig,
  worker: FolderWorker,
): Promise<string | null> => {
  const plan = await planRehearsal(config, worker).catch((error: Error) => error.message);
  return typeof plan === 'string' ? plan : null;
};

/** @returns why not, in words. @throws {Error} also with a message for people */
export const planRehearsal = async (
  config: RehearsedConfig,
  worker: FolderWorker,
  signal?: AbortSignal,
): Promise<RehearsalPlan | string> => {
  const { server, stateFolder, saves } = config;
  const game = gameOf(config.game).rehearsal;
  if (game === null)
    return `${games[config.game].name} is not rehearsed: a second server beside the first one needs as much memory again, and both would share the game's own folders.`;
  if (server?.start.by !== 'holder')
    return 'Only a game that the agent starts by a command ("by": "holder") can be started a second time.';
  const { command, account } = server.start;
  const folder = await realpath(server.folder);
  const copy = join(folder, copyName);
  const lacking = await memoryObstacle(stateFolder, command.slice(1));
  if (lacking !== null) return lacking;
  const looked = await worker.run(
    'lookForRehearsal',
    { game: config.game, folder, named: server.folder, copy, command, savesFrom: saves.from },
    signal,
  );
  if ('whyNot' in looked) return looked.whyNot;
  return { game, folder, copy, command, account, ...looked };
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

/** Linux counts cached files separately from the memory of programs. */
const availableBytes = async (): Promise<number> => {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '');
  const kib = /^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1];
  return kib === undefined ? freemem() : Number(kib) * 1024;
};

/** For the running game; null when it does not run, or its memory is unknown. */
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

/** `-Xmx6G`: the heap that Java may use; null when the command does not say. */
const heapOf = (args: readonly string[]): number | null => {
  const found = args.map((arg) => /^-Xmx(\d+)([kmgt]?)$/i.exec(arg)).findLast((match) => match !== null);
  if (!found) return null;
  return Number(found[1]) * 1024 ** ('kmgt'.indexOf((found[2] || ' ').toLowerCase()) + 1);
};
