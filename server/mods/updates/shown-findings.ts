import type { ModsList } from '#contracts/servers/agent-mods.ts';
import type { ModFindings } from '../changes/shown-list.ts';
import type { ModCheck } from './update-checks.ts';

/** What the last check found about these mods; an update counts only for the version that it was found for. */
export const shownFindings = (check: ModCheck | null, list: ModsList): Omit<ModFindings, 'playerList'> => {
  const { updates = {}, projects = {}, known = {}, faults = [] } = check?.findings ?? {};
  return {
    check: check && { at: check.at, nextAt: check.nextAt, faults: [...faults] },
    installed(key) {
      const mod = list.installed.find((one) => one.key === key);
      const update = updates[key];
      return {
        project: projects[key] ?? null,
        update:
          update && update.from === mod?.version
            ? { version: update.version, name: update.name, isByHand: update.isByHand }
            : null,
      };
    },
    found(path) {
      const sha512 = list.found.find((file) => file.path === path)?.sha512 ?? '';
      const one = known[sha512];
      return one ? { project: one.project, version: one.version, versionName: one.versionName } : null;
    },
  };
};
