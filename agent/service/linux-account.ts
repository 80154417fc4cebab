import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { AgentHome } from '../configuration/agent-home.ts';
import { changeConfig } from '../configuration/change-config.ts';
import { ownerOf } from '../discovery/find-games.ts';
import { readServerSettings } from '../setup/server-settings.ts';
import { ServiceError } from './service-error.ts';

const run = promisify(execFile);

export interface LinuxAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const lookUp = async (name: string): Promise<LinuxAccount | null> => {
  const line = await run('getent', ['passwd', '--', name]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  const [found, , uid, gid] = line.split(':');
  return found === name ? { name, uid: Number(uid), gid: Number(gid) } : null;
};

/** Has no rights and owns only the data folder: for an agent that knows no game folder yet. */
const ownAccount = 'castellan-agent';

/**
 * The account that the service runs under: the owner of the games' folders.
 * @param asked chosen by a person
 * @throws {ServiceError} when a person has to choose
 */
export const chooseAccount = async (home: AgentHome, asked: string | null): Promise<LinuxAccount> => {
  if (asked !== null) {
    const found = await lookUp(asked);
    if (found === null) throw new ServiceError(`This machine has no account "${asked}".`);
    return found;
  }
  const owners = await folderOwners(home);
  const [only, another] = [...new Set(owners.values())];
  if (only === undefined) return (await lookUp(ownAccount)) ?? (await makeOwnAccount(home));
  if (another !== undefined)
    throw new ServiceError(
      `The games' folders belong to several accounts (${[...new Set(owners.values())].join(', ')}). Install the agent as root, which runs each game under its account: castellan-agent install --account root`,
    );
  if (only === 'root')
    throw new ServiceError(
      "The game's folder belongs to root. Give it to a separate account, which is safer, or let the agent and the game run as root: castellan-agent install --account root",
    );
  const found = await lookUp(only);
  if (found === null)
    throw new ServiceError(`The account ${only}, which owns the game's folder, cannot be read.`);
  return found;
};

/** By server, for those whose folder is known and exists. */
const folderOwners = async (home: AgentHome): Promise<ReadonlyMap<string, string>> => {
  const owners = new Map<string, string>();
  for (const id of await home.serverIds()) {
    const folder = (await readServerSettings(home.configPath(id)))?.server?.folder;
    const owner = folder === undefined ? null : await ownerOf(folder).catch(() => null);
    if (owner !== null) owners.set(id, owner);
  }
  return owners;
};

const makeOwnAccount = async (home: AgentHome): Promise<LinuxAccount> => {
  const options = [
    '--system',
    '--user-group',
    '--home-dir',
    home.folder,
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
  ];
  await run('useradd', [...options, ownAccount]).catch((error: { stderr?: string }) => {
    throw new ServiceError(`The account ${ownAccount} could not be created: ${error.stderr?.trim()}`);
  });
  const made = await lookUp(ownAccount);
  if (made === null) throw new ServiceError(`The account ${ownAccount} was created but cannot be read.`);
  return made;
};

/** By number: the account that an installation creates, and the one that the service has now. */
export const accountsOfService = async (installed: string | null): Promise<readonly number[]> => {
  const found = await Promise.all([ownAccount, installed ?? ownAccount].map(lookUp));
  return found.flatMap((account) => account?.uid ?? []);
};

/** Only the one that an installation has created. */
export const removeOwnAccount = async (): Promise<void> => {
  if ((await lookUp(ownAccount)) !== null) await run('userdel', [ownAccount]).catch(() => undefined);
};

/** An agent as root starts each game under the owner of its folder; any other agent can start it only under its own account. */
export const fitStartAccounts = async (home: AgentHome, account: string): Promise<void> => {
  const owners = await folderOwners(home);
  for (const id of await home.serverIds()) {
    const server = (await readServerSettings(home.configPath(id)))?.server;
    if (server?.start.by !== 'holder') continue;
    const { account: before, ...start } = server.start;
    const owner = owners.get(id);
    const after = account !== 'root' ? undefined : (before ?? (owner === 'root' ? undefined : owner));
    if (after !== before)
      await changeConfig(home.configPath(id), {
        server: { ...server, start: { ...start, ...(after !== undefined && { account: after }) } },
      });
  }
};

/** The units that start games of this data folder. */
export const unitsOf = async (home: AgentHome): Promise<string[]> => {
  const units = new Set<string>();
  for (const id of await home.serverIds()) {
    const server = (await readServerSettings(home.configPath(id)))?.server;
    if (server?.start.by === 'systemd' && server.allow.power) units.add(server.start.unit);
  }
  return [...units].sort();
};

/** @throws {ServiceError} when the account cannot start the program, for example from a data folder that is closed to it */
export const tryProgram = async (
  [program, ...args]: readonly [string, ...string[]],
  { name, uid, gid }: LinuxAccount,
): Promise<void> => {
  await run(program, [...args, '--version'], { uid, gid, cwd: '/' }).catch((error: Error) => {
    throw new ServiceError(
      `The account ${name} cannot start ${program}: ${error.message.split('\n')[0]} Choose another folder with --home.`,
    );
  });
};
