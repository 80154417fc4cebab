import { IconDeviceFloppy } from '@tabler/icons-react';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { languages } from '#contracts/language.ts';
import { useCan } from '../access/access-state.ts';
import { useWords } from '../language/use-words.ts';
import { goTo } from '../routing/use-hash-location.ts';
import { useRead } from '../wire/queries.ts';
import type { Entry } from './entry.ts';
import { paletteWords } from './palette.words.ts';

/** A backup of the saves of each server with an agent; the page of the server asks first. */
export const useSaveEntries = (): readonly Entry[] => {
  const words = useWords(paletteWords);
  const can = useCan();
  const servers = useRead(gameServersHttp.list, {}, { enabled: can.somewhere('saves.write') });
  return (servers.data?.rows ?? [])
    .filter(({ id, status }) => status.agentMode !== null && can('saves.write', id))
    .map(
      ({ id, name }): Entry => ({
        id: `saves:${id}`,
        group: 'acts',
        label: words.backUpSaves(name),
        also: languages.map((language) => paletteWords[language].backUpSaves(name)),
        icon: <IconDeviceFloppy size={18} aria-hidden />,
        run: () => goTo(`/servers/${encodeURIComponent(id)}/saves?save=backup`),
      }),
    );
};
