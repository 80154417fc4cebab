import type { GameServer } from '#contracts/servers/game-servers.ts';
import { games } from '#contracts/servers/games.ts';
import type { ServerPower } from '#contracts/servers/power.ts';
import { useCan } from '../kit/access/access-state.ts';
import { useLiveState } from '../kit/api/live.ts';
import { DetailHeader } from '../kit/design/detail-header.tsx';
import { TimeAgo } from '../kit/design/time-ago.tsx';
import { useServerNow } from '../kit/design/use-server-now.ts';
import { useFormat } from '../kit/language/use-format.ts';
import { useWords } from '../kit/language/use-words.ts';
import { GameMark } from './game-mark.tsx';
import { ServerStateSentence } from './game-servers/server-state.tsx';
import { PowerActions } from './power/power-actions.tsx';
import { RunningAct } from './power/power-acts.tsx';
import classes from './server-header.module.css';
import { serverPageWords } from './server-page.words.ts';

interface ServerHeaderProps {
  readonly server: GameServer;
  /** Undefined until it is known. */
  readonly power: ServerPower | undefined;
  readonly part?: string;
}

/** The server's name, its state, and the actions on it, above every tab of its page. */
export const ServerHeader = ({ server, power, part }: ServerHeaderProps) => {
  const words = useWords(serverPageWords);
  const mayAct = useCan()('servers.power', server.id);
  const isAway = useLiveState() === 'away';
  const { name, game, host, port, status, archivedAt } = server;
  return (
    <>
      <DetailHeader
        mark={<GameMark game={game} size={36} />}
        title={name}
        {...(part !== undefined && { part })}
        state={
          <span role="status" className={classes.state}>
            {isAway && <span>{words.stateFrom}</span>}
            <ServerStateSentence server={server} />
          </span>
        }
        facts={[
          { key: 'game', content: games[game].name },
          { key: 'address', content: host === null ? words.byAgent : <bdi>{`${host}:${port}`}</bdi> },
          ...(archivedAt === null && (power?.process ?? status.since) !== null
            ? [{ key: 'since', content: <UpTime server={server} power={power} /> }]
            : []),
        ]}
        actions={
          archivedAt === null && mayAct && power ? <PowerActions server={server} power={power} /> : undefined
        }
      />
      {power?.act && (
        <div className={classes.act}>
          <RunningAct serverId={server.id} act={power.act} mayCancel={mayAct} />
        </div>
      )}
    </>
  );
};

/** How long the game has been running, as its agent proved it; otherwise how long its state has lasted. */
const UpTime = ({ server, power }: Pick<ServerHeaderProps, 'server' | 'power'>) => {
  const words = useWords(serverPageWords);
  const format = useFormat();
  const nowMs = useServerNow();
  const { since } = server.status;
  const process = power?.isAgentPresent ? power.process : null;
  if (process?.report.state === 'running' && process.report.upMs !== null) {
    const upMs = process.report.upMs + Math.max(0, nowMs - Date.parse(process.at));
    const minutes = Math.floor(upMs / 60_000);
    return minutes === 0 ? words.justStarted : words.up(format.duration(minutes * 60));
  }
  return (
    since && (
      <>
        {words.since} <TimeAgo at={since} />
      </>
    )
  );
};
