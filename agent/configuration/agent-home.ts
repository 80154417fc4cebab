import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { ifAbsent } from '#runtime/absent-file.ts';

/** Where an installed agent keeps its files: a folder per game server, its own program and its log. */
export interface AgentHome {
  readonly folder: string;
  /** Holds `config.json`, the key and the journal of one game server. */
  serverFolder(serverId: string): string;
  configPath(serverId: string): string;
  /** The program that the service runs. */
  readonly programFolder: string;
  /** Ids of the servers that have a folder, sorted. */
  serverIds(): Promise<string[]>;
}

/** @param folder null: this system's usual location; the machine-wide one when root runs it, and on Windows */
export const agentHome = (folder: string | null, environment: NodeJS.ProcessEnv): AgentHome => {
  const home = resolve(folder ?? usualFolder(environment));
  const servers = join(home, 'servers');
  return {
    folder: home,
    serverFolder: (serverId) => join(servers, serverId),
    configPath: (serverId) => join(servers, serverId, 'config.json'),
    programFolder: join(home, 'program'),
    async serverIds() {
      const entries = await readdir(servers, { withFileTypes: true }).catch(ifAbsent([]));
      return entries
        .filter((entry) => entry.isDirectory() && isServerId(entry.name))
        .map(({ name }) => name)
        .sort();
    },
  };
};

/** Whether there seems to be an installation in a data folder. */
export const isAgentInstalled = (home: string): boolean => existsSync(join(home, 'servers'));

/** The form of server ids that the panel assigns; nothing that leads out of a folder. */
export const isServerId = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,63}$/i.test(text);

const usualFolder = ({ ProgramData, XDG_DATA_HOME }: NodeJS.ProcessEnv): string => {
  if (process.platform === 'win32') return join(ProgramData ?? 'C:\\ProgramData', 'Castellan Agent');
  if (process.getuid?.() === 0) return '/var/lib/castellan-agent';
  return join(XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'castellan-agent');
};
