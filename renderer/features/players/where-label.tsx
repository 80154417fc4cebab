import { Text } from '@mantine/core';
import { StateLabel } from '../../design/state-label.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import type { Whereabouts } from '../../game-servers/online-players.ts';
import { useWords } from '../../language/use-words.ts';
import { playersWords } from './players.words.ts';

export interface WhereLabelProps {
  readonly where: Whereabouts;
  readonly serverName: (id: string) => string;
  /** With since when. */
  readonly isFull?: boolean;
}

/** On which server a player is now; what is not known is not said to be offline. */
export const WhereLabel = ({ where, serverName, isFull = false }: WhereLabelProps) => {
  const words = useWords(playersWords);
  switch (where.state) {
    case 'on':
      return where.places.map(({ serverId, joinedAt }) => (
        <StateLabel key={serverId} tone="ok">
          <bdi>{serverName(serverId)}</bdi>
          {isFull && (
            <Text span c="dimmed">
              {' · '}
              <TimeAgo at={joinedAt} />
            </Text>
          )}
        </StateLabel>
      ));
    case 'unknown':
      return (
        <StateLabel tone="warn">
          {isFull ? (
            <>
              {words.unknownSince} <bdi>{serverName(where.serverId)}</bdi>
              {where.asOf && (
                <Text span c="dimmed">
                  {' · '}
                  <TimeAgo at={where.asOf} />
                </Text>
              )}
            </>
          ) : (
            words.unknown
          )}
        </StateLabel>
      );
    case 'away':
      return <StateLabel tone="idle">{words.away}</StateLabel>;
  }
};
