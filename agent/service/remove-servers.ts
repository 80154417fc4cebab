import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentHome } from '../configuration/agent-home.ts';
import { asOwnerOf } from '../configuration/as-owner.ts';
import { isFolderHeld } from '../configuration/state-folder.ts';
import { ServiceError } from './service-error.ts';

/** @throws {ServiceError} while an agent runs that the service manager knows nothing of */
export const demandNoAgent = async ({ folder }: AgentHome): Promise<void> => {
  if (await isFolderHeld(folder))
    throw new ServiceError(`An agent runs with ${folder}. Stop it first; nothing was deleted.`);
};

/** Deletes settings, keys and journals of all servers. */
export const removeServers = async (home: AgentHome, say: (text: string) => void): Promise<void> => {
  await asOwnerOf(join(home.folder, 'servers'), async () => {
    for (const id of await home.serverIds())
      await rm(home.serverFolder(id), { recursive: true, force: true });
  });
  say('Settings, keys and journals are deleted.');
};
