import { Text } from '@mantine/core';
import { type AgentsHealth, healthHttp } from '#contracts/operations/health.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { FiguresTable } from './figures-table.tsx';
import { healthWords } from './health.words.ts';

type AgentState = 'websocket' | 'polling' | 'stale' | 'away' | 'never';
const tones: Readonly<Record<AgentState, Tone>> = {
  websocket: 'ok',
  polling: 'ok',
  stale: 'bad',
  away: 'warn',
  never: 'idle',
};

const stateOf = ({ mode, stale, lastSeenAt }: AgentsHealth['agents'][number]): AgentState =>
  stale ? 'stale' : (mode ?? (lastSeenAt ? 'away' : 'never'));

/** Which Game Agents report. */
export const AgentsCard = ({ everyMs, isLastKnown }: { everyMs: number; isLastKnown: boolean }) => {
  const words = useWords(healthWords);
  const can = useCan();
  const agents = useRead(healthHttp.agents, {}, { everyMs });
  return (
    <Card
      title={words.agents}
      actions={
        can.somewhere('servers.read') && (
          <PanelLink to="/agents" size="sm">
            {words.allAgents}
          </PanelLink>
        )
      }
    >
      <AsyncContent read={agents}>
        {(known) =>
          known.agents.length === 0 ? (
            <Text>{words.agentsNone}</Text>
          ) : (
            <FiguresTable
              label={words.agents}
              columns={[{ header: words.server }, { header: words.state }, { header: words.lastSeen }]}
              rows={known.agents.map((agent) => ({
                id: agent.serverId,
                cells: [
                  <bdi key="server">{agent.serverName}</bdi>,
                  <StateLabel key="state" tone={isLastKnown ? 'idle' : tones[stateOf(agent)]}>
                    {words.agentStates[stateOf(agent)]}
                  </StateLabel>,
                  agent.lastSeenAt ? <TimeAgo key="seen" at={agent.lastSeenAt} /> : words.never,
                ],
              }))}
            />
          )
        }
      </AsyncContent>
    </Card>
  );
};
