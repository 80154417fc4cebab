import type { ServerMods } from '#contracts/mods/mods.ts';
import type { ModsList } from '#contracts/servers/agent-mods.ts';
import type { ModPins } from './mod-pins.ts';

type ShownList = NonNullable<ServerMods['list']>;

/** What is known about a server's mods besides its agent's reports. */
export interface ModFindings extends Pick<ServerMods, 'check' | 'playerList'> {
  installed(key: string): Pick<ShownList['installed'][number], 'update' | 'project'> | null;
  found(path: string): ShownList['found'][number]['known'];
}

export const shownList = (
  { at, list }: { readonly at: Date; readonly list: ModsList },
  pinned: Awaited<ReturnType<ModPins['all']>>,
  findings: ModFindings,
): ShownList => {
  const { obstacle: _, obstacleDetail: __, installed, found, ...rest } = list;
  return {
    ...rest,
    at: at.toISOString(),
    installed: installed.map((mod) => ({
      ...mod,
      pin: pinned.get(mod.key) ?? null,
      update: null,
      project: null,
      ...findings.installed(mod.key),
    })),
    found: found.map((mod) => ({ ...mod, known: findings.found(mod.path) })),
  };
};
