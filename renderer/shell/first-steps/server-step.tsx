import { List, Stack, Text } from '@mantine/core';
import { games } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { firstStepsWords } from './first-steps.words.ts';
import type { StepBodyProps } from './onboarding-status.ts';
import { ServerForm } from './server-form.tsx';

/** The number of servers named. */
const few = 3;

export const ServerStep = ({ status: { clusters = [], servers = [] } }: StepBodyProps) => {
  const { server: words, notAllowed } = useWords(firstStepsWords);
  const can = useCan();
  if (servers.length > 0)
    return (
      <Stack gap="xs">
        <List>
          {servers.slice(0, few).map(({ id, name, game }) => (
            <List.Item key={id}>
              <bdi>{name}</bdi>, {games[game].name}
            </List.Item>
          ))}
        </List>
        <PanelLink to="/servers">{words.to}</PanelLink>
      </Stack>
    );
  return (
    <Stack gap="sm">
      <Text>{words.text}</Text>
      {!can('servers.write') && <Text>{notAllowed}</Text>}
      {can('servers.write') && clusters.length === 0 && <Text>{words.first}</Text>}
      {can('servers.write') && clusters.length > 0 && <ServerForm clusters={clusters} />}
    </Stack>
  );
};
