import { Group, Text } from '@mantine/core';
import { type GameServer, gameServersHttp } from '#contracts/game-servers.ts';
import { games } from '#contracts/games.ts';
import { useCan } from '../../access/access-state.ts';
import { AsyncContent } from '../../design/async-content.tsx';
import { Card } from '../../design/card.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { StateLabel, type Tone } from '../../design/state-label.tsx';
import { serverTones } from '../../game-servers/server-state.tsx';
import { serverStateWords } from '../../game-servers/server-state.words.ts';
import { useWords } from '../../language/use-words.ts';
import { LastKnown } from '../../stack-health/last-known.tsx';
import classes from './overview.module.css';
import { overviewWords } from './overview.words.ts';
import type { ServersNow } from './use-servers-now.ts';

/** What needs a look comes first. */
const rank: Readonly<Record<Tone, number>> = { bad: 0, warn: 1, busy: 2, idle: 3, ok: 4 };
const toneOf = ({ status }: GameServer): Tone => serverTones[status.shown];
const byNeed = (a: GameServer, b: GameServer): number => rank[toneOf(a)] - rank[toneOf(b)];
const shownServers = 12;

const ServerRow = ({ server, isLastKnown }: { server: GameServer; isLastKnown: boolean }) => {
  const words = useWords(overviewWords);
  const { states } = useWords(serverStateWords);
  const { id, name, game, status } = server;
  return (
    <li className={classes.server}>
      <PanelLink to={`/servers/${id}`} className={classes.serverName ?? ''}>
        <bdi>{name}</bdi>
      </PanelLink>
      <StateLabel tone={isLastKnown ? 'idle' : toneOf(server)}>{states[status.shown]}</StateLabel>
      <Text size="xs" c="dimmed" component="span">
        {games[game].name}
      </Text>
      <Text size="xs" c="dimmed" component="span" ta="end">
        {status.players === null
          ? status.state === 'online' && words.unknown
          : words.playersOn(status.players)}
      </Text>
    </li>
  );
};

/** The servers with their states; those that need a look first. */
export const ServersSection = ({ servers: { read, lastKnownAt } }: { readonly servers: ServersNow }) => {
  const words = useWords(overviewWords);
  const can = useCan();
  return (
    <Card
      title={words.serverList}
      actions={
        <Group gap="sm">
          {lastKnownAt && <LastKnown at={lastKnownAt} />}
          <PanelLink to="/servers" size="sm">
            {words.allServers}
          </PanelLink>
        </Group>
      }
    >
      <AsyncContent read={read}>
        {({ rows }) =>
          rows.length === 0 ? (
            <>
              <Text>{words.noServers}</Text>
              {can(gameServersHttp.create.access) && <PanelLink to="/servers">{words.addServer}</PanelLink>}
            </>
          ) : (
            <ul className={classes.rows}>
              {[...rows]
                .sort(byNeed)
                .slice(0, shownServers)
                .map((server) => (
                  <ServerRow key={server.id} server={server} isLastKnown={lastKnownAt !== null} />
                ))}
              {rows.length > shownServers && (
                <li>
                  <PanelLink to="/servers" size="sm">
                    {words.moreServers(rows.length - shownServers)}
                  </PanelLink>
                </li>
              )}
            </ul>
          )
        }
      </AsyncContent>
    </Card>
  );
};
