import { Alert, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ServerPlayers } from '#contracts/players.ts';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useWords } from '../../language/use-words.ts';
import { playersWords } from './players.words.ts';

export interface UnknownServersProps {
  readonly servers: readonly ServerPlayers[];
  /** Undefined: all. */
  readonly wanted: string | undefined;
  readonly nameOf: (id: string) => string;
}

/** Which servers are missing in a list of online players. */
export const UnknownServers = ({ servers, wanted, nameOf }: UnknownServersProps) => {
  const words = useWords(playersWords);
  const unknown = servers.filter(
    ({ players, serverId }) => players === null && (wanted === undefined || serverId === wanted),
  );
  if (unknown.length === 0) return null;
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={words.notKnown}
      role="status"
    >
      <List>
        {unknown.map(({ serverId, asOf }) => (
          <List.Item key={serverId}>
            <bdi>{nameOf(serverId)}</bdi> ({words.since}: {asOf ? <TimeAgo at={asOf} /> : words.notYet})
          </List.Item>
        ))}
      </List>
    </Alert>
  );
};
