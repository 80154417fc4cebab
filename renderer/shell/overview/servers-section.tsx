import { Text } from '@mantine/core';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { games } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { Sparkline } from '../../kit/charts/sparkline.tsx';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { useHeld } from '../../kit/design/use-held.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { LastKnown } from '../../operations/last-known.tsx';
import { GameMark } from '../../servers/game-mark.tsx';
import { serverTones } from '../../servers/game-servers/server-state.tsx';
import { serverStateWords } from '../../servers/game-servers/server-state.words.ts';
import { useServerDay } from '../../servers/game-servers/use-server-day.ts';
import { overviewWords } from './overview.words.ts';
import classes from './servers-section.module.css';
import type { ServersNow } from './use-servers-now.ts';

/** Those that need attention come first. */
const rank: Readonly<Record<Tone, number>> = { bad: 0, warn: 1, busy: 2, idle: 3, ok: 4 };
const toneOf = ({ status }: GameServer): Tone => serverTones[status.shown];
const byNeed = (a: GameServer, b: GameServer): number => rank[toneOf(a)] - rank[toneOf(b)];
const shownServers = 12;

const ServerRow = (props: {
  readonly server: GameServer;
  readonly isLastKnown: boolean;
  readonly day: readonly (number | null)[] | undefined;
}) => {
  const { server, isLastKnown, day } = props;
  const words = useWords(overviewWords);
  const { states } = useWords(serverStateWords);
  const format = useFormat();
  const { id, name, game, status } = server;
  return (
    <tr>
      <td>
        <div className={classes.server}>
          <GameMark game={game} />
          <div className={classes.names}>
            <PanelLink to={`/servers/${id}`} className={classes.name ?? ''} c="var(--text)">
              <bdi>{name}</bdi>
            </PanelLink>
            <Text size="xs" c="dimmed" component="span">
              {games[game].name}
            </Text>
          </div>
        </div>
      </td>
      <td>
        <StateLabel tone={isLastKnown ? 'idle' : toneOf(server)}>{states[status.shown]}</StateLabel>
      </td>
      <td className={classes.number}>
        {status.players === null ? (
          <span title={words.unknown}>–</span>
        ) : (
          <span title={words.playersOn(status.players)}>{format.number(status.players)}</span>
        )}
      </td>
      <td className={classes.day}>{day && <Sparkline values={day} />}</td>
    </tr>
  );
};

/** The servers with their states; those that need attention first. */
export const ServersSection = ({ servers: { read, lastKnownAt } }: { readonly servers: ServersNow }) => {
  const words = useWords(overviewWords);
  const can = useCan();
  const days = useServerDay();
  const byId = new Map(read.data?.rows.map((server) => [server.id, server]));
  const [order, holdsStill] = useHeld([...byId.values()].sort(byNeed).map(({ id }) => id));
  const shown = order.slice(0, shownServers).flatMap((id) => byId.get(id) ?? []);
  return (
    <Card
      title={words.serverList}
      actions={
        <>
          {lastKnownAt && <LastKnown at={lastKnownAt} />}
          <PanelLink to="/servers" size="sm">
            {words.allServers}
          </PanelLink>
        </>
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
            <table className={classes.table} {...holdsStill}>
              <thead>
                <tr>
                  <th scope="col">{words.server}</th>
                  <th scope="col">{words.state}</th>
                  <th scope="col" className={classes.number}>
                    {words.playersHead}
                  </th>
                  <th scope="col" className={classes.day}>
                    {words.dayHead}
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((server) => (
                  <ServerRow
                    key={server.id}
                    server={server}
                    isLastKnown={lastKnownAt !== null}
                    day={days.get(server.id)}
                  />
                ))}
              </tbody>
            </table>
          )
        }
      </AsyncContent>
      {read.data && read.data.rows.length > shownServers && (
        <PanelLink to="/servers" size="sm">
          {words.moreServers(read.data.rows.length - shownServers)}
        </PanelLink>
      )}
    </Card>
  );
};
