import { StateLabel } from '../../kit/design/state-label.tsx';
import { useServerNow } from '../../kit/design/use-server-now.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import type { Whereabouts } from '../../servers/online-players.ts';
import { peopleWords } from './people.words.ts';

/** Where a person is now, and for how long; an unknown place is not shown as offline. */
export const PresencePill = ({
  where,
  serverName,
}: {
  readonly where: Whereabouts;
  readonly serverName: (id: string) => string;
}) => {
  const words = useWords(peopleWords);
  const format = useFormat();
  const nowMs = useServerNow();
  if (where.state === 'unknown')
    return <StateLabel tone="warn">{words.lastKnownOn(serverName(where.serverId))}</StateLabel>;
  if (where.state === 'away') return <StateLabel tone="idle">{words.offline}</StateLabel>;
  return where.places.map(({ serverId, joinedAt }) => {
    const minutes = Math.floor((nowMs - Date.parse(joinedAt)) / 60_000);
    const server = serverName(serverId);
    return (
      <StateLabel key={serverId} tone="ok">
        {minutes < 1 ? words.justJoined(server) : words.on(server, format.duration(minutes * 60))}
      </StateLabel>
    );
  });
};
