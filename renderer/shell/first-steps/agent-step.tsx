import { List, Stack, Text } from '@mantine/core';
import type { Agent } from '#contracts/servers/agents.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { firstStepsWords } from './first-steps.words.ts';
import type { StepBodyProps } from './onboarding-status.ts';

/** The number of agents shown. */
const few = 5;

const isConnected = ({ mode, stale }: Agent) => mode !== null && !stale;

export const AgentStep = ({ status: { agents = [] } }: StepBodyProps) => {
  const { agent: words, notAllowed } = useWords(firstStepsWords);
  const can = useCan();
  const connected = agents.find(isConnected);
  const known = connected ?? agents.find(({ keyFingerprint }) => keyFingerprint !== null);
  if (known)
    return (
      <StateLabel tone={connected ? 'ok' : 'warn'}>
        {connected ? words.connected : words.known} <AgentLink agent={known} />
      </StateLabel>
    );
  const open = agents.filter(({ serverId }) => can('agents.write', serverId));
  return (
    <Stack gap="sm">
      <Text>{words.text}</Text>
      {agents.length === 0 && <Text>{words.none}</Text>}
      {agents.length > 0 && open.length === 0 && <Text>{notAllowed}</Text>}
      {open.length > 0 && (
        <>
          <List>
            {open.slice(0, few).map((agent) => (
              <List.Item key={agent.serverId}>
                {words.setUp} <AgentLink agent={agent} />
              </List.Item>
            ))}
          </List>
          {agents.some(({ lastRefusal }) => lastRefusal !== null) ? (
            <StateLabel tone="bad">{words.refused}</StateLabel>
          ) : (
            <StateLabel tone="busy">{words.waiting}</StateLabel>
          )}
        </>
      )}
    </Stack>
  );
};

const AgentLink = ({ agent: { serverId, serverName } }: { readonly agent: Agent }) => (
  <PanelLink to={`/agents/${encodeURIComponent(serverId)}`} underline="always">
    <bdi>{serverName}</bdi>
  </PanelLink>
);
