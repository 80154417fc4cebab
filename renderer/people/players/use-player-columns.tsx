import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Format } from '#contracts/kernel/format.ts';
import type { InWords } from '#contracts/kernel/words.ts';
import { games } from '#contracts/servers/games.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import type { ListColumn } from '../../kit/lists/list-props.ts';
import { NamedGameMark } from '../../servers/game-mark.tsx';
import type { Whereabouts } from '../../servers/online-players.ts';
import { PlatformIdCell } from '../people/platform-id.tsx';
import type { PlayerLine } from './player-line.ts';
import { playersWords } from './players.words.ts';

interface WhereLabelProps {
  readonly where: Whereabouts;
  readonly serverName: (id: string) => string;
}

/** The server that a player is on now; an unknown place is not shown as offline. */
const WhereLabel = ({ where, serverName }: WhereLabelProps) => {
  const words = useWords(playersWords);
  switch (where.state) {
    case 'on':
      return where.places.map(({ serverId }) => (
        <StateLabel key={serverId} tone="ok">
          <bdi>{serverName(serverId)}</bdi>
        </StateLabel>
      ));
    case 'unknown':
      return <StateLabel tone="warn">{words.unknown}</StateLabel>;
    case 'away':
      return <StateLabel tone="idle">{words.away}</StateLabel>;
  }
};

interface PlayerColumnsOptions {
  readonly isOnlineOnly: boolean;
  readonly nameOf: (serverId: string) => string;
}

const joinedAt = ({ where }: PlayerLine): string | undefined =>
  where.state === 'on' ? where.places[0]?.joinedAt : undefined;

export const usePlayerColumns = ({
  isOnlineOnly,
  nameOf,
}: PlayerColumnsOptions): readonly ListColumn<PlayerLine>[] => {
  const words = useWords(playersWords);
  const format = useFormat();
  return useMemo(
    () => playerColumns(words, format, { isOnlineOnly, nameOf }),
    [words, format, isOnlineOnly, nameOf],
  );
};

const playerColumns = (
  words: InWords<(typeof playersWords)['en']>,
  format: Format,
  { isOnlineOnly, nameOf }: PlayerColumnsOptions,
): readonly ListColumn<PlayerLine>[] => {
  const gameName = ({ game }: PlayerLine) => (game ? games[game].name : '');
  const whereText = ({ where }: PlayerLine) => {
    if (where.state === 'on') return where.places.map(({ serverId }) => nameOf(serverId)).join(', ');
    return where.state === 'unknown' ? words.unknown : words.away;
  };
  const who: readonly ListColumn<PlayerLine>[] = [
    {
      id: 'name',
      header: words.name,
      cell: ({ name }) => <bdi>{name}</bdi>,
      text: ({ name }) => name,
      width: 'minmax(6.5rem, 2fr)',
    },
    {
      id: 'where',
      header: words.where,
      cell: ({ where }) => <WhereLabel where={where} serverName={nameOf} />,
      text: whereText,
      width: 'minmax(8rem, 1fr)',
    },
    {
      id: 'platform',
      header: words.platformId,
      cell: ({ platformId }) =>
        platformId === null ? (
          <Text size="sm" c="dimmed" span>
            {words.noPlatformId}
          </Text>
        ) : (
          <PlatformIdCell platformId={platformId} />
        ),
      text: ({ platformId }) => platformId ?? '',
      width: 'minmax(10.5rem, 2fr)',
    },
    {
      id: 'game',
      header: words.game,
      cell: ({ game }) => game && <NamedGameMark game={game} />,
      text: gameName,
      width: '4.25rem',
      isMinor: true,
    },
  ];
  if (isOnlineOnly)
    return [
      ...who,
      {
        id: 'here',
        header: words.here,
        cell: (line) => {
          const at = joinedAt(line);
          return at && <TimeAgo at={at} />;
        },
        text: (line) => joinedAt(line) ?? '',
        width: '9rem',
      },
    ];
  return [
    ...who,
    {
      id: 'seen',
      header: words.lastSeen,
      cell: ({ lastSeenAt, where }) =>
        where.state === 'on' ? words.now : lastSeenAt && <TimeAgo at={lastSeenAt} />,
      text: ({ lastSeenAt }) => lastSeenAt ?? '',
      width: '9rem',
    },
    {
      id: 'played',
      header: words.playedShort,
      cell: ({ playedSeconds, where }) => {
        if (playedSeconds === null) return '–';
        // The data of online players dates from the last time their server was asked.
        return where.state === 'on' && playedSeconds < 60 ? words.justCame : format.duration(playedSeconds);
      },
      text: ({ playedSeconds }) => String(playedSeconds ?? ''),
      width: '6.75rem',
      align: 'end',
      isMinor: true,
    },
  ];
};
