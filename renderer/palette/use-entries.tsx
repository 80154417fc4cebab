import { IconServer2, IconTerminal2, IconUser } from '@tabler/icons-react';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { languages } from '#contracts/language.ts';
import { playersHttp } from '#contracts/players.ts';
import { useCan } from '../access/access-state.ts';
import { useWords } from '../language/use-words.ts';
import { type NavigationEntry, navigation, pageNames } from '../navigation.ts';
import { navigationWords } from '../navigation.words.ts';
import { goTo } from '../routing/use-hash-location.ts';
import { useRead } from '../wire/queries.ts';
import type { Entry } from './entry.ts';
import { paletteWords } from './palette.words.ts';

/** The pages that one may see. */
export const usePageEntries = (): readonly Entry[] => {
  const names = useWords(navigationWords);
  const can = useCan();
  return pageNames.flatMap((name): Entry[] => {
    const { path, icon: Icon, permission }: NavigationEntry = navigation[name];
    if (permission && !can.somewhere(permission)) return [];
    return [
      {
        id: `page:${name}`,
        group: 'pages',
        label: names.pages[name],
        also: languages.map((language) => navigationWords[language].pages[name]),
        icon: <Icon size={18} aria-hidden />,
        run: () => goTo(path),
      },
    ];
  });
};

/** Each server that one may see, and its console. */
export const useServerEntries = (): readonly Entry[] => {
  const words = useWords(paletteWords);
  const can = useCan();
  const servers = useRead(gameServersHttp.list, {}, { enabled: can.somewhere('servers.read') });
  return (servers.data?.rows ?? []).flatMap(({ id, name }): Entry[] => [
    {
      id: `server:${id}`,
      group: 'servers',
      label: name,
      icon: <IconServer2 size={18} aria-hidden />,
      run: () => goTo(`/servers/${id}`),
    },
    ...(can('console.read', id)
      ? [
          {
            id: `console:${id}`,
            group: 'servers',
            label: words.console(name),
            also: languages.map((language) => paletteWords[language].console(name)),
            icon: <IconTerminal2 size={18} aria-hidden />,
            run: () => goTo(`/servers/${id}/console`),
          } as const,
        ]
      : []),
  ]);
};

const fewestLetters = 2;
const mostPlayers = 8;

export interface PlayerEntries {
  readonly entries: readonly Entry[];
  readonly isSearching: boolean;
}

/** The players that the API finds by what was typed. */
export const usePlayerEntries = (typed: string): PlayerEntries => {
  const words = useWords(paletteWords);
  const text = typed.trim().slice(0, 100);
  const enabled = useCan().somewhere('players.read') && text.length >= fewestLetters;
  const players = useRead(playersHttp.search, { query: { text } }, { enabled });
  const rows = enabled ? (players.data?.rows ?? []) : [];
  const entries = rows.slice(0, mostPlayers).map(
    ({ id, name, platformId, onlineOn }): Entry => ({
      id: `player:${id}`,
      group: 'players',
      label: name,
      hint: [onlineOn && words.online, platformId].filter(Boolean).join(' · '),
      icon: <IconUser size={18} aria-hidden />,
      run: () => goTo(`/players/${id}`),
    }),
  );
  return { entries, isSearching: enabled && players.isPending };
};
