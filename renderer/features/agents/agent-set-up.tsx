import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Agent } from '#contracts/agents.ts';
import { StateLabel } from '../../design/state-label.tsx';
import { useLiveServers } from '../../game-servers/use-live-servers.ts';
import { useWords } from '../../language/use-words.ts';
import { checkCommand, startCommand } from './agent-config.ts';
import { AgentConfigStep } from './agent-config-step.tsx';
import { agentState, agentTones } from './agent-state.ts';
import { agentsWords } from './agents.words.ts';
import { CommandLine } from './command-line.tsx';

/** From nothing to a connected agent; ends with the result, live. */
export const AgentSetUp = ({ agent }: { readonly agent: Agent }) => {
  const words = useWords(agentsWords);
  const { program, config, check, start } = words.steps;
  const server = useLiveServers().data?.rows.find(({ id }) => id === agent.serverId);
  const state = agentState(agent);
  return (
    <Stack gap="lg">
      <Step number={1} title={program.title}>
        <Text>{program.text}</Text>
      </Step>
      <Step number={2} title={config.title}>
        {server && <AgentConfigStep server={server} />}
      </Step>
      <Step number={3} title={check.title}>
        <Text>{check.text}</Text>
        <CommandLine command={checkCommand} />
      </Step>
      <Step number={4} title={start.title}>
        <Text>{start.text}</Text>
        <CommandLine command={startCommand} />
      </Step>
      <div role="status">
        {state === 'connected' && <StateLabel tone="ok">{words.connectedNow}</StateLabel>}
        {state === 'refused' && (
          <StateLabel tone={agentTones.refused}>
            {words.states.refused}. {words.stateTexts.refused}
          </StateLabel>
        )}
        {state !== 'connected' && state !== 'refused' && (
          <StateLabel tone="busy">{words.waitingForIt}</StateLabel>
        )}
      </div>
    </Stack>
  );
};

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly children: ReactNode;
}

const Step = ({ number, title, children }: StepProps) => (
  <Stack gap="xs">
    <Title order={3}>
      {number}. {title}
    </Title>
    {children}
  </Stack>
);
