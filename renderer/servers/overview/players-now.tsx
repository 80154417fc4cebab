import { Text } from '@mantine/core';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { Sparkline } from '../../kit/charts/sparkline.tsx';
import { Card } from '../../kit/design/card.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useServerNow } from '../../kit/design/use-server-now.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { useServerDay } from '../game-servers/use-server-day.ts';
import { PlayersUnknown } from '../players-unknown.tsx';
import { usePlayersOf } from '../use-players-of.ts';
import classes from './server-overview.module.css';
import { serverOverviewWords } from './server-overview.words.ts';

const mostShown = 12;

interface OfServer {
  readonly server: GameServer;
}

/** How many players are on the server, how that changed over a day, and who they are, as far as the reader may see it. */
export const PlayersNow = ({ server }: OfServer) => {
  const words = useWords(serverOverviewWords);
  const format = useFormat();
  const day = useServerDay().get(server.id);
  const mayList = useCan()('players.read', server.id);
  const { players } = server.status;
  return (
    <Card
      title={words.players}
      actions={
        mayList && (
          <PanelLink size="sm" to={`/servers/${encodeURIComponent(server.id)}/players`}>
            {players ? words.all(players) : words.allPlayers}
          </PanelLink>
        )
      }
    >
      <div className={classes.rows}>
        <div className={classes.row}>
          <span className={classes.quiet}>{words.day}</span>
          {day && <Sparkline values={day} width={112} height={24} />}
          <strong className={classes.figure}>
            {players === null ? words.unknown : format.number(players)}
          </strong>
        </div>
        {mayList && <Names server={server} />}
      </div>
    </Card>
  );
};

/** The first to join comes first. */
const Names = ({ server }: OfServer) => {
  const words = useWords(serverOverviewWords);
  const format = useFormat();
  const nowMs = useServerNow();
  const online = usePlayersOf(server.id);
  const players = online?.players?.toSorted((one, other) => one.joinedAt.localeCompare(other.joinedAt));
  if (online && !players)
    return (
      <div className={classes.note}>
        <PlayersUnknown asOf={online.asOf} />
      </div>
    );
  // An empty list may be older than the end of the game.
  if (players?.length === 0)
    return server.status.players === null ? null : (
      <Text c="dimmed" py="xs">
        {words.noPlayersOnline}
      </Text>
    );
  return players ? (
    <ul className={classes.list}>
      {players.slice(0, mostShown).map(({ playerId, name, joinedAt }) => (
        <li key={playerId} className={classes.row}>
          <PanelLink c="inherit" to={`/players/${encodeURIComponent(playerId)}`}>
            <bdi>{name}</bdi>
          </PanelLink>
          <span className={classes.quiet} title={format.exact(joinedAt)}>
            {format.duration(Math.max(60, Math.floor((nowMs - Date.parse(joinedAt)) / 60_000) * 60))}
          </span>
        </li>
      ))}
    </ul>
  ) : null;
};
