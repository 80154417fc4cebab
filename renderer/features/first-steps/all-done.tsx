import { List, Stack, Text } from '@mantine/core';
import { useCan } from '../../access/access-state.ts';
import { Card } from '../../design/card.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { useWords } from '../../language/use-words.ts';
import { firstStepsWords } from './first-steps.words.ts';

export const AllDone = () => {
  const { allDone: words } = useWords(firstStepsWords);
  const can = useCan();
  return (
    <Card title={words.title}>
      <Stack gap="xs">
        <Text>{words.text}</Text>
        <List>
          <List.Item>
            <PanelLink to="/">{words.overview}</PanelLink>
          </List.Item>
          {can('store.write') && (
            <List.Item>
              <PanelLink to="/store">{words.store}</PanelLink>
            </List.Item>
          )}
          {can('admins.write') && (
            <List.Item>
              <PanelLink to="/admins">{words.admins}</PanelLink>
            </List.Item>
          )}
          {can.somewhere('players.read') && (
            <List.Item>
              <PanelLink to="/players">{words.players}</PanelLink>
            </List.Item>
          )}
        </List>
      </Stack>
    </Card>
  );
};
