import { Text } from '@mantine/core';
import { games } from '#contracts/games.ts';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import type { ListColumn } from '../../lists/list-props.ts';
import type { PlayerLine } from './player-line.ts';
import { playersWords } from './players.words.ts';
import { WhereLabel } from './where-label.tsx';

export interface PlayerColumnsOptions {
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
      width: 'minmax(8rem, 1.5fr)',
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
      cell: ({ platformId }) => (
        <Text size="sm" c="dimmed" span {...(platformId !== null && { ff: 'monospace' })}>
          <bdi>{platformId ?? words.noPlatformId}</bdi>
        </Text>
      ),
      text: ({ platformId }) => platformId ?? '',
      width: 'minmax(10rem, 2fr)',
    },
    { id: 'game', header: words.game, cell: gameName, text: gameName, isMinor: true },
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
      cell: ({ lastSeenAt }) => lastSeenAt && <TimeAgo at={lastSeenAt} />,
      text: ({ lastSeenAt }) => lastSeenAt ?? '',
      width: '9rem',
    },
    {
      id: 'played',
      header: words.played,
      cell: ({ playedSeconds }) => playedSeconds !== null && format.duration(playedSeconds),
      text: ({ playedSeconds }) => String(playedSeconds ?? ''),
      width: '8rem',
      align: 'end',
      isMinor: true,
    },
  ];
};
