import { IconPuzzle } from '@tabler/icons-react';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { languages } from '#contracts/language.ts';
import { useCan } from '../access/access-state.ts';
import { useWords } from '../language/use-words.ts';
import { goTo } from '../routing/use-hash-location.ts';
import { useRead } from '../wire/queries.ts';
import type { Entry } from './entry.ts';
import { paletteWords } from './palette.words.ts';

/** The mods of each server with an agent, and the search for more of them. */
export const useModEntries = (): readonly Entry[] => {
  const words = useWords(paletteWords);
  const can = useCan();
  const servers = useRead(gameServersHttp.list, {}, { enabled: can.somewhere('mods.read') });
  return (servers.data?.rows ?? [])
    .filter(({ id, status }) => status.agentMode !== null && can('mods.read', id))
    .flatMap(({ id, name }): Entry[] => [
      {
        id: `mods:${id}`,
        group: 'servers',
        label: words.mods(name),
        also: languages.map((language) => paletteWords[language].mods(name)),
        icon: <IconPuzzle size={18} aria-hidden />,
        run: () => goTo(`/servers/${encodeURIComponent(id)}/mods`),
      },
      ...(can('mods.write', id)
        ? [
            {
              id: `add-mods:${id}`,
              group: 'acts',
              label: words.addMods(name),
              also: languages.map((language) => paletteWords[language].addMods(name)),
              icon: <IconPuzzle size={18} aria-hidden />,
              run: () => goTo(`/servers/${encodeURIComponent(id)}/mods?mods=add`),
            } as const,
          ]
        : []),
    ]);
};
