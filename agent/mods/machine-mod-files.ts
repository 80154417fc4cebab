import type { ModsConfig } from '../configuration/mods-section.ts';
import type { ApiFiles } from './downloads/api-files.ts';
import { openModFiles } from './downloads/open-mod-files.ts';
import { ModFileError, type ModFiles } from './mod-files.ts';

/** The machine's cache, opened when a file of a mod is wanted for the first time: a fault of its folder must not keep the agent from starting. */
export const machineModFiles = (config: ModsConfig, api: ApiFiles = noApiFiles): ModFiles => {
  let opened: Promise<ModFiles> | null = null;
  const open = () => {
    opened ??= openModFiles({ ...config, api }).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  return { fetch: async (file, options) => (await open()).fetch(file, options) };
};

const noApiFiles: ApiFiles = {
  partBytes: 1024 * 1024,
  part: async () => {
    throw new ModFileError('gone', 'This agent takes no files that were uploaded in the panel. Update it.');
  },
  curseforgeKey: async () => {
    throw new ModFileError('key', 'This agent takes no key for CurseForge from the panel. Update it.');
  },
};
