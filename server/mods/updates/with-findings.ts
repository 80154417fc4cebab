import type { ServerMods } from '#contracts/mods.ts';
import type { ModCheck } from './update-checks.ts';

type Known = NonNullable<NonNullable<ServerMods['list']>['found'][number]['known']>;

/** A server's mods with what the last check found; an update counts only for the version that it was found for. */
export const withFindings = (mods: ServerMods, check: ModCheck | null): ServerMods => {
  if (!check) return mods;
  const { updates, projects, known, faults } = check.findings;
  const { list } = mods;
  return {
    ...mods,
    check: { at: check.at, nextAt: check.nextAt, faults: [...faults] },
    list: list && {
      ...list,
      installed: list.installed.map((mod) => {
        const update = updates[mod.key];
        return {
          ...mod,
          project: projects[mod.key] ?? null,
          update:
            update && update.from === mod.version && mod.pin === null
              ? { version: update.version, name: update.name, isByHand: update.isByHand }
              : null,
        };
      }),
      found: list.found.map((file) => ({
        ...file,
        known: file.sha512 === null ? null : knownOf(known[file.sha512]),
      })),
    },
  };
};

const knownOf = (known: Known | undefined): Known | null =>
  known ? { project: known.project, version: known.version, versionName: known.versionName } : null;
