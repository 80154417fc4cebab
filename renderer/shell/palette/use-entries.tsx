import { IconBell, IconServer2, IconTerminal2, IconUser } from '@tabler/icons-react';
import { languages } from '#contracts/kernel/language.ts';
import { waitingWords } from '#contracts/operations/waiting-words.ts';
import { playersHttp } from '#contracts/people/players.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { useWaiting } from '../../operations/waiting/use-waiting.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { type NavigationEntry, navigation, pageNames } from '../navigation.ts';
import { navigationWords } from '../navigation.words.ts';
import { NavigationIcon } from '../navigation-icons.tsx';
import { actOnServer } from './act-on-server.ts';
import type { ChosenPlayer, Entry } from './entry.ts';
import { isCalled } from './find-entries.ts';
import { paletteWords } from './palette.words.ts';

/** The pages that the reader may see. */
export const usePageEntries = (): readonly Entry[] => {
  const names = useWords(navigationWords);
  const can = useCan();
  return pageNames.flatMap((name): Entry[] => {
    const { path, permission }: NavigationEntry = navigation[name];
    if (permission && !can.somewhere(permission)) return [];
    return [
      {
        id: `page:${name}`,
        group: 'pages',
        label: names.pages[name],
        also: languages.map((language) => navigationWords[language].pages[name]),
        icon: <NavigationIcon name={name} />,
        run: () => goTo(path),
      },
    ];
  });
};

/** What waits for a person. */
export const useWaitingEntries = (): readonly Entry[] => {
  const { things } = useWords(waitingWords);
  return (useWaiting().data?.rows ?? []).map(
    ({ kind, count, to }): Entry => ({
      id: `waiting:${kind}`,
      group: 'waiting',
      label: things[kind](count),
      also: languages.map((language) => waitingWords[language].things[kind](count)),
      icon: <IconBell size={18} aria-hidden />,
      run: () => goTo(to),
    }),
  );
};

/** Each server that the reader may see, and its console. */
export const useServerEntries = (): readonly Entry[] => {
  const words = useWords(paletteWords);
  const can = useCan();
  const read = useRead(gameServersHttp.list, {}, { enabled: can.somewhere('servers.read') });
  const servers = read.data?.rows ?? [];
  return [
    ...servers.map(
      ({ id, name }): Entry => ({
        id: `server:${id}`,
        group: 'servers',
        label: name,
        icon: <IconServer2 size={18} aria-hidden />,
        run: () => goTo(`/servers/${id}`),
      }),
    ),
    ...actOnServer(words, {
      id: 'console',
      icon: <IconTerminal2 size={18} aria-hidden />,
      servers: servers.filter(({ id }) => can('console.read', id)),
      general: (texts) => texts.consoleOfOne,
      direct: (texts, server) => texts.console(server),
      run: (id) => goTo(`/servers/${encodeURIComponent(id)}/console`),
    }),
  ];
};

const fewestLetters = 2;
const mostPlayers = 8;
const mostOnline = 20;

interface FoundPlayers {
  readonly players: readonly (ChosenPlayer & { readonly hint: string })[];
  readonly isSearching: boolean;
}

/**
 * The players that the API finds for the typed text.
 * @param isOnlineFirst with too few letters for a search, returns matching players who are online now
 */
export const useFoundPlayers = (
  typed: string,
  { isOnlineFirst }: { readonly isOnlineFirst: boolean },
): FoundPlayers => {
  const words = useWords(paletteWords);
  const { servers, nameOf } = useServerNames();
  const text = typed.trim().slice(0, 100);
  const isAllowed = useCan().somewhere('players.read');
  const enabled = isAllowed && text.length >= fewestLetters;
  const found = useRead(playersHttp.search, { query: { text } }, { enabled });
  const online = useRead(playersHttp.online, {}, { enabled: isAllowed && isOnlineFirst });
  if (isOnlineFirst && !enabled) {
    const there = (online.data?.rows ?? [])
      .flatMap(({ players }) => players ?? [])
      .filter(({ name }) => isCalled(name, text));
    return {
      players: there.slice(0, mostOnline).flatMap(({ playerId, name, serverId }) => {
        const game = servers.find(({ id }) => id === serverId)?.game;
        return game ? [{ id: playerId, name, game, onlineOn: serverId, hint: nameOf(serverId) }] : [];
      }),
      isSearching: isAllowed && online.isPending,
    };
  }
  const rows = enabled ? (found.data?.rows ?? []) : [];
  const players = rows.slice(0, mostPlayers).map(({ id, name, platformId, game, onlineOn }) => ({
    id,
    name,
    game,
    onlineOn,
    hint: [onlineOn && words.online, platformId].filter(Boolean).join(' · '),
  }));
  return { players, isSearching: enabled && found.isPending };
};

/** The pages of players. */
export const playerEntries = (players: FoundPlayers['players']): readonly Entry[] =>
  players.map(
    ({ id, name, hint }): Entry => ({
      id: `player:${id}`,
      group: 'players',
      label: name,
      hint,
      icon: <IconUser size={18} aria-hidden />,
      run: () => goTo(`/players/${id}`),
    }),
  );
