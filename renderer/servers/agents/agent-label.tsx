import type { Agent } from '#contracts/servers/agents.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { agentState, agentTones } from './agent-state.ts';
import { agentsWords } from './agents.words.ts';

export const AgentLabel = ({
  agent,
  withMode = false,
}: {
  readonly agent: Agent;
  /** Adds how it is connected. */
  readonly withMode?: boolean;
}) => {
  const words = useWords(agentsWords);
  const state = agentState(agent);
  const mode = withMode && state === 'connected' && agent.mode;
  return (
    <StateLabel tone={agentTones[state]}>
      {words.states[state]}
      {mode && `, ${words.modes[mode]}`}
    </StateLabel>
  );
};
