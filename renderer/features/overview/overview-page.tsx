import { Button, Group, Text } from '@mantine/core';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { agentsHttp } from '#contracts/agents.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import { useCan } from '../../access/access-state.ts';
import { Card } from '../../design/card.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { Together } from '../../design/together.tsx';
import { useWords } from '../../language/use-words.ts';
import { useDeskCount } from '../../shell/use-desk-count.ts';
import { useStackHealth } from '../../stack-health/use-stack-health.ts';
import { useLiveState } from '../../wire/live.ts';
import { useRead } from '../../wire/queries.ts';
import { wasThere } from './counts.ts';
import { FiguresStrip } from './figures-strip.tsx';
import { JustNow } from './just-now.tsx';
import { MetricsSection } from './metrics-section.tsx';
import classes from './overview.module.css';
import { overviewWords } from './overview.words.ts';
import { ServersSection } from './servers-section.tsx';
import { SystemSection } from './system-section.tsx';
import { useServersNow } from './use-servers-now.ts';
import { Verdict } from './verdict.tsx';

/** Everything that waits for a person. */
const NeedsYou = () => {
  const words = useWords(overviewWords);
  const can = useCan();
  const desk = useDeskCount();
  const isLive = useLiveState() === 'live';
  if (!can('orders.read')) return null;
  return (
    <Card title={words.needsYou}>
      {desk === null || !isLive ? (
        <Text c="dimmed">{words.notKnownNow}</Text>
      ) : desk === 0 ? (
        <Text c="dimmed">{words.nothingWaits}</Text>
      ) : (
        <ul className={classes.rows}>
          <li className={classes.need}>
            <span>{words.deskWaits(desk)}</span>
            <PanelLink to="/desk" size="sm">
              {words.decide}
            </PanelLink>
            <Text size="xs" c="dimmed" component="span">
              {words.deskText}
            </Text>
          </li>
        </ul>
      )}
    </Card>
  );
};

const useHint = create<{ readonly isHidden: boolean }>()(
  persist(() => ({ isHidden: false as boolean }), { name: 'castellan.first-steps-hint', version: 1 }),
);

/** Links to the first steps while they are not done: no server answers, or no agent has ever connected. */
const FirstStepsHint = ({ servers }: { readonly servers: readonly GameServer[] | undefined }) => {
  const words = useWords(overviewWords);
  const mayAdd = useCan()('servers.write');
  const isHidden = useHint((hint) => hint.isHidden);
  const agents = useRead(agentsHttp.list, {}, { enabled: mayAdd && !isHidden });
  if (!mayAdd || isHidden || !servers || !agents.data) return null;
  const isDone = servers.some(({ status }) => status.state === 'online') && agents.data.rows.some(wasThere);
  if (isDone) return null;
  return (
    <Card title={words.hintTitle}>
      <Text>{words.hint}</Text>
      <Group gap="sm">
        <PanelLink to="/first-steps">{words.hintLink}</PanelLink>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => useHint.setState({ isHidden: true })}
        >
          {words.hintHide}
        </Button>
      </Group>
    </Card>
  );
};

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
