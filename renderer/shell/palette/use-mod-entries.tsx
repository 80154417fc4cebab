import { IconPuzzle } from '@tabler/icons-react';
import { languages } from '#contracts/kernel/language.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { games } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { actOnServer } from './act-on-server.ts';
import type { Entry } from './entry.ts';
import { paletteWords } from './palette.words.ts';

/** The mods of each server with an agent, and the search for more of them. */
export const useModEntries = (): readonly Entry[] => {
  const words = useWords(paletteWords);
  const can = useCan();
  const read = useRead(gameServersHttp.list, {}, { enabled: can.somewhere('mods.read') });
  const servers = (read.data?.rows ?? []).filter(
    ({ id, game, status }) => status.agentMode !== null && games[game].hasMods && can('mods.read', id),
  );
  const icon = <IconPuzzle size={18} aria-hidden />;
  return [
    ...actOnServer(words, {
      id: 'add-mods',
      icon,
      servers: servers.filter(({ id }) => can('mods.write', id)),
      general: (texts) => texts.addModsToOne,
      direct: (texts, server) => texts.addMods(server),
      run: (id) => goTo(`/servers/${encodeURIComponent(id)}/mods?mods=add`),
    }),
    ...servers.map(
      ({ id, name }): Entry => ({
        id: `mods:${id}`,
        group: 'servers',
        label: words.mods(name),
        also: languages.map((language) => paletteWords[language].mods(name)),
        icon,
        isDirect: true,
        run: () => goTo(`/servers/${encodeURIComponent(id)}/mods`),
      }),
    ),
  ];
};
