import { readFile, realpath } from 'node:fs/promises';
import * as z from 'zod';
import { gameId } from '#contracts/servers/games.ts';
import { answers } from '#runtime/answering-folder.ts';
import { settingsText } from '#runtime/env.ts';
import type { AgentHome } from '../configuration/agent-home.ts';
import { ServiceError } from '../service/service-error.ts';

const start = z.discriminatedUnion('by', [
  z.object({ by: z.literal('holder'), command: z.array(z.string()).min(1), account: z.string().optional() }),
  z.object({ by: z.literal('systemd'), unit: z.string() }),
  z.object({ by: z.literal('windows-service'), service: z.string() }),
  z.object({ by: z.literal('none') }),
]);
export type StartSetting = z.infer<typeof start>;

const allow = z.object({
  power: z.boolean().default(false),
  files: z.boolean().default(false),
  mods: z.boolean().default(false),
  backups: z.boolean().optional(),
});
export type AllowSetting = z.infer<typeof allow>;

const server = z.object({
  folder: z.string(),
  start: start.default({ by: 'none' }),
  allow: allow.default({ power: false, files: false, mods: false }),
});
const console = z.object({
  host: z.string().default('127.0.0.1'),
  port: z.int().optional(),
  password: z.string(),
});

/** The part of config.json that a set-up needs; invalid values count as missing, and are set again. */
const settings = z.object({
  game: gameId,
  server: server.nullish().catch(null),
  console: console.nullish().catch(null),
  logFile: z.string().nullish().catch(null),
});
export type ServerSettings = z.infer<typeof settings>;

/**
 * Null when the file is missing, or names no game.
 * @throws {ServiceError} when it may not be read
 */
export const readServerSettings = async (path: string): Promise<ServerSettings | null> => {
  try {
    const text = settingsText(path, await readFile(path));
    return settings.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || code === 'ENOENT' || code === 'ENOTDIR') return null;
    const remedy =
      code === 'EACCES'
        ? ' Run this command as root, as an administrator, or as the account that owns it.'
        : '';
    throw new ServiceError(`${path} cannot be read: ${message}.${remedy}`, { cause: error });
  }
};

const realFolder = async (folder: string): Promise<string> => {
  const path = (await answers(folder)) ? await realpath(folder).catch(() => folder) : folder;
  return process.platform === 'win32' ? path.toLowerCase() : path;
};

/** Folders of games that other servers of this data folder already have, by their real path. */
export const takenFolders = async (
  home: AgentHome,
  serverId: string,
): Promise<ReadonlyMap<string, string>> => {
  const taken = new Map<string, string>();
  for (const id of await home.serverIds()) {
    if (id === serverId) continue;
    const folder = (await readServerSettings(home.configPath(id)))?.server?.folder;
    if (folder !== undefined) taken.set(await realFolder(folder), id);
  }
  return taken;
};

/** The server that already has this folder; null when none has. */
export const holderOfFolder = async (
  taken: ReadonlyMap<string, string>,
  folder: string,
): Promise<string | null> => taken.get(await realFolder(folder)) ?? null;
