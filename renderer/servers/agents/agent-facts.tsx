import { Group, Text } from '@mantine/core';
import type { Agent } from '#contracts/servers/agents.ts';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useTold } from '../../kit/language/use-told.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { AgentVersion } from '../game-servers/agent-version.tsx';
import { AgentLabel } from './agent-label.tsx';
import { agentWarnings } from './agent-state.ts';
import { agentsWords } from './agents.words.ts';

/** Below this, a clock counts as right: seconds. */
const noticedSkew = 2;

const gameTones = { online: 'ok', starting: 'busy', offline: 'bad', unknown: 'idle' } as const;

/** All facts about an agent; unknown ones have no line. */
export const AgentFacts = ({ agent }: { readonly agent: Agent }) => {
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
