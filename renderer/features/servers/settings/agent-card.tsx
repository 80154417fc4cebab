import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type Agent, agentsHttp } from '#contracts/agents.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import { useCan } from '../../../access/access-state.ts';
import { Card } from '../../../design/card.tsx';
import { ConfirmAct } from '../../../design/confirm-act.tsx';
import { Facts } from '../../../design/facts.tsx';
import { notifyDone } from '../../../design/notify.ts';
import { Shown } from '../../../design/shown.tsx';
import { StateLabel } from '../../../design/state-label.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { useWords } from '../../../language/use-words.ts';
import { useSearchState } from '../../../routing/use-search-state.ts';
import { useChange, useRead } from '../../../wire/queries.ts';
import { AgentSetUp } from './agent-set-up.tsx';
import { settingsWords } from './settings.words.ts';

const rereadMs = 5000;
/** Seconds: less is what a network takes. */
const noticedSkew = 30;

/** The Game Agent of a server: how it is, and how to set one up. `?section=agent` leads here. */
export const AgentCard = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(settingsWords).agent;
  const can = useCan();
  const { values } = useSearchState();
  const place = useRef<HTMLDivElement>(null);
  const [isReplacing, setIsReplacing] = useState(false);
  const agents = useRead(agentsHttp.list, {}, { everyMs: rereadMs });
  const replace = useChange(agentsHttp.replace, [agentsHttp.list]);
  const isWanted = values.section === 'agent';
  const isRead = agents.data !== undefined;
  useEffect(() => {
    if (!isWanted || !isRead) return;
    place.current?.scrollIntoView();
    place.current?.focus();
  }, [isWanted, isRead]);
  const mayReplace = can('agents.write', server.id);
  return (
    <div ref={place} tabIndex={-1}>
      <Card
        title={words.title}
        actions={
          mayReplace && (
            <Button variant="default" size="xs" onClick={() => setIsReplacing(true)}>
              {words.replace}
            </Button>
          )
        }
      >
        <Text c="dimmed">{words.text}</Text>
        <Shown read={agents}>
          {({ rows }) => {
            const agent = rows.find(({ serverId }) => serverId === server.id);
            return (
              <Stack>
                <AgentFacts agent={agent ?? null} />
                {mayReplace && (
                  <AgentSetUp server={server} isConnected={Boolean(agent?.mode) && agent?.stale === false} />
                )}
              </Stack>
            );
          }}
        </Shown>
      </Card>
      {isReplacing && (
        <ConfirmAct
          title={words.replaceQuestion}
          act={words.replaceAct}
          onAct={async () => {
            await replace.mutateAsync({ params: { serverId: server.id } });
            notifyDone(words.replaced);
          }}
          onClose={() => setIsReplacing(false)}
        >
          {words.replaceText}
        </ConfirmAct>
      )}
    </div>
  );
};

const AgentFacts = ({ agent }: { readonly agent: Agent | null }) => {
  const words = useWords(settingsWords).agent;
  const { mode, stale, lastSeenAt, lastRefusal } = agent ?? {};
  if (!agent || (!lastSeenAt && !lastRefusal)) return <StateLabel tone="idle">{words.never}</StateLabel>;
  const skew = Math.round(Math.abs(agent.clockSkewSeconds ?? 0));
  return (
    <Stack gap="sm">
      <Group gap="sm" role="status">
        <StateLabel tone={mode ? (stale ? 'warn' : 'ok') : 'bad'}>
          {mode ? (stale ? words.stale : words.connected[mode]) : words.notConnected}
        </StateLabel>
      </Group>
      <Facts
        facts={[
          { label: words.lastSeen, value: lastSeenAt ? <TimeAgo at={lastSeenAt} /> : '–' },
          { label: words.address, value: <bdi>{agent.address ?? '–'}</bdi> },
          { label: words.version, value: <bdi>{agent.version ?? '–'}</bdi> },
          ...(agent.encrypted === null
            ? []
            : [
                {
                  label: words.encrypted,
                  value: (
                    <StateLabel tone={agent.encrypted ? 'ok' : 'warn'}>
                      {agent.encrypted ? words.yes : words.no}
                    </StateLabel>
                  ),
                },
              ]),
          { label: words.key, value: agent.keyFingerprint ?? words.noKey },
          ...(agent.clockSkewSeconds === null
            ? []
            : [
                {
                  label: words.skew,
                  value: (
                    <StateLabel tone={skew > noticedSkew ? 'warn' : 'ok'}>
                      {skew > noticedSkew ? words.skewText(skew) : words.skewFine}
                    </StateLabel>
                  ),
                },
              ]),
          { label: words.waiting, value: String(agent.waitingCommands) },
        ]}
      />
      {lastRefusal && (
        <div>
          <StateLabel tone="warn">{words.refusal}</StateLabel>
          <Text size="sm">
            <TimeAgo at={lastRefusal.at} /> (<bdi>{lastRefusal.address}</bdi>):{' '}
            <bdi>{lastRefusal.detail}</bdi>
          </Text>
        </div>
      )}
    </Stack>
  );
};
