import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentHome } from '../configuration/agent-home.ts';
import { asOwnerOf } from '../configuration/as-owner.ts';
import { isFolderHeld } from '../configuration/state-folder.ts';
import { ServiceError } from './service-error.ts';

/** @throws {ServiceError} while an agent runs that the service manager does not know */
export const demandNoAgent = async ({ folder }: AgentHome): Promise<void> => {
  if (await isFolderHeld(folder))
    throw new ServiceError(`An agent is running with ${folder}. Stop it first. Nothing was deleted.`);
};

/** Deletes settings, keys and journals of all servers, and the data folder if nothing else is in it. */
export const removeServers = async (home: AgentHome, say: (text: string) => void): Promise<void> => {
  const servers = join(home.folder, 'servers');
  await asOwnerOf(servers, async () => {
    for (const id of await home.serverIds())
      await rm(home.serverFolder(id), { recursive: true, force: true });
  });
  await asOwnerOf(home.folder, async () => {
    for (const name of ['enrolling', 'logs', 'agent.log'])
      await rm(join(home.folder, name), { recursive: true, force: true });
    await rmdir(servers).catch(keepingOthers);
  });
  // It belongs to an account that may be deleted, and another account may get its uid.
  await rmdir(home.folder).catch(keepingOthers);
  say('Settings, keys and journals were deleted.');
};

const keepingOthers = (error: NodeJS.ErrnoException): void => {
  if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM', 'EBUSY'].includes(error.code ?? '')) throw error;
};
