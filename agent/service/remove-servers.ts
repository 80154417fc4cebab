import { rm } from 'node:fs/promises';
import type { AgentHome } from '../configuration/agent-home.ts';
import { isFolderHeld } from '../configuration/state-folder.ts';
import { ServiceError } from './service-error.ts';

/** Deletes settings, keys and journals of all servers. @throws {ServiceError} while an agent writes them */
export const removeServers = async (home: AgentHome, say: (text: string) => void): Promise<void> => {
  if (await isFolderHeld(home.folder))
    throw new ServiceError(`An agent still runs with ${home.folder}. Stop it first; nothing was deleted.`);
  for (const id of await home.serverIds()) await rm(home.serverFolder(id), { recursive: true, force: true });
  say('Settings, keys and journals are deleted.');
};
