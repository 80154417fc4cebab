import type { ModsConfig } from '../configuration/mods-section.ts';
import type { ApiFiles } from './downloads/api-files.ts';
import { openModFiles } from './downloads/open-mod-files.ts';
import type { ModFiles } from './mod-files.ts';

/** The machine's cache, opened when the first mod file is needed: a fault in its folder must not keep the agent from starting. */
export const machineModFiles = (config: ModsConfig, api: ApiFiles): ModFiles => {
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
