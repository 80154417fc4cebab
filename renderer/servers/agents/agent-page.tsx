import { Button, Group, List, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { type Agent, agentsHttp } from '#contracts/servers/agents.ts';
import { games } from '#contracts/servers/games.ts';
import { chatTrustHttp } from '#contracts/storefronts/chat-trust.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { LoadingDetail } from '../../kit/design/loading-shapes.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useTold } from '../../kit/language/use-told.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { AgentVersion } from '../game-servers/agent-version.tsx';
import { useLiveAgents } from '../game-servers/use-live-agents.ts';
import { AgentLabel } from './agent-label.tsx';
import { AgentNotices } from './agent-notices.tsx';
import { AgentSetUp } from './agent-set-up.tsx';
import { agentState, agentWarnings } from './agent-state.ts';
import { agentsWords } from './agents.words.ts';
import { enrolWords } from './enrol.words.ts';
import { EnrolAgent } from './enrol-agent.tsx';

/** Below this, a clock counts as right: seconds. */
const noticedSkew = 2;

const gameTones = { online: 'ok', starting: 'busy', offline: 'bad', unknown: 'idle' } as const;

/** All facts about an agent; unknown ones have no line. */
const AgentFacts = ({ agent }: { readonly agent: Agent }) => {
  const words = useWords(agentsWords);
  const told = useTold();
  const format = useFormat();
  const { mode, state, encrypted, clockSkewSeconds: skew } = agent;
  const warnings = agentWarnings(agent);

  const clock = (seconds: number) => {
    if (Math.abs(seconds) < noticedSkew) return words.clockRight;
    const time = format.duration(Math.abs(seconds));
    const says = seconds > 0 ? words.clockFast(time) : words.clockSlow(time);
    return warnings.includes('clock') ? <StateLabel tone="warn">{says}</StateLabel> : says;
  };
  const onTheWay = (isEncrypted: boolean) => {
    if (isEncrypted) return <StateLabel tone="ok">{words.encrypted}</StateLabel>;
    if (warnings.includes('plain')) return <StateLabel tone="warn">{words.plain}</StateLabel>;
    return words.plainLocal;
  };
  return (
    <Facts
      facts={[
        { label: words.agent, value: <AgentLabel agent={agent} /> },
        ...(mode ? [{ label: words.mode, value: words.modesText[mode] }] : []),
        {
          label: words.lastSeen,
          value: agent.lastSeenAt ? <TimeAgo at={agent.lastSeenAt} /> : words.never,
        },
        ...(agent.connectedAt
          ? [{ label: words.connectedSince, value: <TimeAgo at={agent.connectedAt} /> }]
          : []),
        ...(state
          ? [
              {
                label: words.gameState,
                value: (
                  <>
                    <StateLabel tone={gameTones[state]}>{words.gameStates[state]}</StateLabel>
                    {agent.detail && (
                      <Text c="dimmed" size="sm">
                        <bdi>{told(agent.detail)}</bdi>
                      </Text>
                    )}
                  </>
                ),
              },
            ]
          : []),
        ...(agent.version ? [{ label: words.version, value: <AgentVersion agent={agent} /> }] : []),
        ...(agent.address ? [{ label: words.address, value: <bdi>{agent.address}</bdi> }] : []),
        ...(encrypted === null ? [] : [{ label: words.encryption, value: onTheWay(encrypted) }]),
        ...(skew === null ? [] : [{ label: words.clock, value: clock(skew) }]),
        { label: words.key, value: <AgentKey agent={agent} /> },
        { label: words.waiting, value: format.number(agent.waitingCommands) },
      ]}
    />
  );
};

const AgentKey = ({ agent: { keyFingerprint, pinnedAt } }: { readonly agent: Agent }) => {
  const words = useWords(agentsWords);
  if (keyFingerprint === null) return words.noKey;
  return (
    <Group gap={4}>
      <Text ff="monospace" size="sm" span>
        {keyFingerprint}
      </Text>
      <CopyButton value={keyFingerprint} />
      {pinnedAt && (
        <Text c="dimmed" size="sm" span>
          {words.keyPinned} <TimeAgo at={pinnedAt} />
        </Text>
      )}
    </Group>
  );
};

interface ReplaceAgentProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

const ReplaceAgent = ({ agent: { serverId, serverName }, onClose }: ReplaceAgentProps) => {
  const words = useWords(agentsWords);
  const replace = useChange(agentsHttp.replace, [agentsHttp.list, chatTrustHttp.list]);
  return (
    <ConfirmAction
      // The name may be in any script: isolated, it does not affect the order of the words around it.
      title={`${words.replaceQuestion} \u2068${serverName}\u2069?`}
      act={words.replace}
      onAction={() => replace.mutateAsync({ params: { serverId } })}
      doneText={words.replaced}
      onClose={onClose}
    >
      <Text mb="xs">{words.replaceText}</Text>
      <List>
        {words.replacePoints.split('\n').map((point) => (
          <List.Item key={point}>{point}</List.Item>
        ))}
      </List>
    </ConfirmAction>
  );
};

export const AgentPage = ({ serverId }: { readonly serverId: string }) => {
  const words = useWords(agentsWords);
  return (
    <AsyncContent read={useLiveAgents()} loading={<LoadingDetail />}>
      {({ rows }) => {
        const agent = rows.find((row) => row.serverId === serverId);
        if (agent) return <AgentView agent={agent} />;
        return (
          <Frame title={words.title}>
            <EmptyState
              title={words.noSuch}
              text={words.noSuchText}
              action={<PanelLink to="/agents">{words.toAll}</PanelLink>}
            />
          </Frame>
        );
      }}
    </AsyncContent>
  );
};

const AgentView = ({ agent }: { readonly agent: Agent }) => {
  const words = useWords(agentsWords);
  const can = useCan();
  const [isReplacing, setIsReplacing] = useState(false);
  /** Null: as the state suggests when the page is opened. */
  const [isSetUpWanted, setIsSetUpWanted] = useState<boolean | null>(null);
  const state = agentState(agent);
  const [stateAtFirst] = useState(state);
  // It stays open when the agent connects, since the reader is waiting for that.
  const isSetUpOpen = isSetUpWanted ?? (stateAtFirst === 'none' || stateAtFirst === 'refused');
  const maySetUp = can('agents.write', agent.serverId);
  return (
    <Frame
      title={agent.serverName}
      part={words.title}
      description={
        <Group gap="xs">
          <PanelLink to="/agents">{words.title}</PanelLink>
          <span>{games[agent.game].name}</span>
          <PanelLink to={`/servers/${encodeURIComponent(agent.serverId)}`}>{words.toServer}</PanelLink>
        </Group>
      }
      actions={
        maySetUp &&
        agent.keyFingerprint !== null && (
          <Button variant="default" onClick={() => setIsReplacing(true)}>
            {words.replace}
          </Button>
        )
      }
    >
      <AgentNotices agent={agent} />
      <Card title={words.present}>
        <Text>{words.stateTexts[state]}</Text>
        <AgentFacts agent={agent} />
      </Card>
      {maySetUp && (
        <Card
          title={words.setUp}
          actions={
            <Button
              size="xs"
              variant="default"
              aria-expanded={isSetUpOpen}
              onClick={() => setIsSetUpWanted(!isSetUpOpen)}
            >
              {isSetUpOpen ? words.setUpHide : words.setUpAgain}
            </Button>
          }
        >
          {isSetUpOpen && <WaysToSetUp agent={agent} />}
        </Card>
      )}
      {isReplacing && <ReplaceAgent agent={agent} onClose={() => setIsReplacing(false)} />}
    </Frame>
  );
};

const WaysToSetUp = ({ agent }: { readonly agent: Agent }) => {
  const words = useWords(enrolWords);
  return (
    <Tabs defaultValue="line" keepMounted>
      <Tabs.List aria-label={words.ways} mb="md">
        <Tabs.Tab value="line">{words.byLine}</Tabs.Tab>
        <Tabs.Tab value="hand">{words.byHand}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="line">
        <EnrolAgent agent={agent} />
      </Tabs.Panel>
      <Tabs.Panel value="hand">
        <AgentSetUp agent={agent} />
      </Tabs.Panel>
    </Tabs>
  );
};
