import { Text } from '@mantine/core';
import { deliveriesHttp } from '#contracts/deliveries.ts';
import { Card } from '../../design/card.tsx';
import { Facts } from '../../design/facts.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useWords } from '../../language/use-words.ts';
import { useRead } from '../../wire/queries.ts';
import { playersWords } from './players.words.ts';

export interface SurvivorNumbersProps {
  readonly playerId: string;
  readonly nameOf: (serverId: string) => string;
}

const everyMs = 60_000;

/** The number by which ARK's commands address a player on each server; nothing where none is known. */
export const SurvivorNumbers = ({ playerId, nameOf }: SurvivorNumbersProps) => {
  const { survivor: words } = useWords(playersWords);
  const read = useRead(deliveriesHttp.survivorNumbers, { params: { id: playerId } }, { everyMs });
  const rows = read.data?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <Card title={words.title}>
      <Facts
        facts={rows.map(({ serverId, number, source, foundIn, setAt }) => ({
          label: <bdi>{nameOf(serverId)}</bdi>,
          value: (
            <>
              <Text span ff="monospace">
                {number}
              </Text>{' '}
              <Text span size="sm" c="dimmed">
                {words.setBy[source]} {foundIn !== null && <bdi>{foundIn}</bdi>} <TimeAgo at={setAt} />
              </Text>
            </>
          ),
        }))}
      />
    </Card>
  );
};
