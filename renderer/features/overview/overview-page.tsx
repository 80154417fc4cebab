import { useCan } from '../../access/access-state.ts';
import { Page as Frame } from '../../design/page.tsx';
import { Together } from '../../design/together.tsx';
import { useWords } from '../../language/use-words.ts';
import { useStackHealth } from '../../stack-health/use-stack-health.ts';
import { FiguresStrip } from './figures-strip.tsx';
import { FirstStepsHint } from './first-steps-hint.tsx';
import { JustNow } from './just-now.tsx';
import { MetricsSection } from './metrics-section.tsx';
import { NeedsYou } from './needs-you.tsx';
import classes from './overview.module.css';
import { overviewWords } from './overview.words.ts';
import { ServersSection } from './servers-section.tsx';
import { SystemSection } from './system-section.tsx';
import { useServersNow } from './use-servers-now.ts';
import { Verdict } from './verdict.tsx';

/** Whether anything is wrong, who is playing, and what waits for a person; as far as the reader may see it. */
export const Page = () => {
  const words = useWords(overviewWords);
  const can = useCan();
  const servers = useServersNow();
  // Polled in addition to live updates: a verdict must not depend on a connection that is open but delivers nothing.
  const health = useStackHealth({ isPolled: true });
  const seesStack = can('stack.read');
  const seesServers = can.somewhere('servers.read');
  const rows = servers.read.data?.rows;
  const serverName = (id: string) => rows?.find((server) => server.id === id)?.name ?? null;
  return (
    <Frame title={words.title}>
      <Together reads={[...(seesServers ? [servers.read] : []), ...(seesStack ? [health.read] : [])]}>
        {(seesStack || seesServers) && (
          <Verdict
            health={health.read.data}
            servers={rows ?? []}
            scope={seesStack ? (can('servers.read') ? 'all' : 'stack') : 'servers'}
            isRead={(!seesStack || health.read.data !== undefined) && (!seesServers || rows !== undefined)}
            isUnreadable={
              (seesStack && health.read.error !== null) || (seesServers && servers.read.error !== null)
            }
            lastKnownAt={health.lastKnownAt ?? servers.lastKnownAt}
          />
        )}
        <FirstStepsHint servers={rows} />
        <FiguresStrip servers={rows} />
        <div className={classes.columns}>
          <div className={classes.column}>
            {seesServers && <ServersSection servers={servers} />}
            {seesStack && <SystemSection health={health} />}
            {seesStack && (
              <div className={classes.metrics}>
                <MetricsSection />
              </div>
            )}
          </div>
          <div className={classes.column}>
            <NeedsYou />
            {can('events.read') && <JustNow serverName={serverName} />}
          </div>
        </div>
      </Together>
    </Frame>
  );
};
