import type { GameServer } from '#contracts/game-servers.ts';
import type { ServerPower } from '#contracts/power.ts';
import { useCan } from '../../../access/access-state.ts';
import { AsyncContent, type Readable } from '../../../design/async-content.tsx';
import { Together } from '../../../design/together.tsx';
import { MachineCard } from '../power/machine-card.tsx';
import { PowerNotes } from '../power/power-notes.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { OverTime } from './over-time.tsx';
import { PlayersNow } from './players-now.tsx';
import { LastCommands, LastEvents } from './recent-activity.tsx';
import { ServerFacts } from './server-facts.tsx';
import { ServerLoad } from './server-load.tsx';
import classes from './server-overview.module.css';

export interface ServerOverviewProps {
  readonly server: GameServer;
  readonly power: Readable<ServerPower>;
}

/** One server at a glance: what needs a person, who is playing, its graphs, its latest events. */
export const ServerOverview = ({ server, power }: ServerOverviewProps) => {
  const can = useCan();
  const { id, archivedAt } = server;
  return (
    <Together reads={archivedAt === null ? [power] : []}>
      <div className={classes.columns}>
        <div className={classes.column}>
          {archivedAt === null && <NeedsAttention server={server} />}
          {archivedAt === null && (
            <AsyncContent read={power}>
              {(known) => <PowerNotes server={server} power={known} />}
            </AsyncContent>
          )}
          <OverTime serverId={id} />
          {can('events.read') && <LastEvents server={server} />}
          {can('console.read', id) && <LastCommands server={server} />}
          {power.data?.machine && <MachineCard machine={power.data.machine} />}
        </div>
        <div className={`${classes.column} ${classes.side}`}>
          {archivedAt === null && <PlayersNow server={server} />}
          <ServerFacts server={server} />
          {archivedAt === null && <ServerLoad server={server} />}
        </div>
      </div>
    </Together>
  );
};
