import { Stack, Text } from '@mantine/core';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useTold } from '../../kit/language/use-told.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { firstStepsWords } from './first-steps.words.ts';
import type { StepBodyProps } from './onboarding-status.ts';

const tones = { online: 'ok', starting: 'busy', offline: 'bad', unknown: 'busy' } as const;
/** The number of players shown. */
const few = 5;

export const OnlineStep = ({ status: { servers = [] } }: StepBodyProps) => {
  const { online: words } = useWords(firstStepsWords);
  return (
    <Stack gap="sm">
      <Text>{words.text}</Text>
      {servers.length === 0 && <Text>{words.none}</Text>}
      {servers.slice(0, few).map((server) => (
        <ServerLine key={server.id} server={server} />
      ))}
    </Stack>
  );
};

const ServerLine = ({ server: { id, name, host, status } }: { readonly server: GameServer }) => {
  const { online: words } = useWords(firstStepsWords);
  const { state, detail, answeredAt } = status;
  const told = useTold();
  const needsAgent = host === null && status.agentMode === null;
  return (
    <div>
      <StateLabel tone={tones[state]}>
        <bdi>{name}</bdi>: {words.states[state]}
      </StateLabel>
      {state !== 'online' && (
        <Text c="dimmed" size="sm" component="div">
          {detail && <bdi>{told(detail)}</bdi>} {needsAgent && words.agentFirst}
          {answeredAt && (
            <div>
              {words.answered}: <TimeAgo at={answeredAt} />
            </div>
          )}
          <div>
            <PanelLink to={`/servers/${encodeURIComponent(id)}/settings`}>{words.settings}</PanelLink>
          </div>
        </Text>
      )}
    </div>
  );
};
