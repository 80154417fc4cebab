import { Button, Group, Text } from '@mantine/core';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { agentsHttp } from '#contracts/agents.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import { useCan } from '../../access/access-state.ts';
import { Card } from '../../design/card.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { useWords } from '../../language/use-words.ts';
import { useRead } from '../../wire/queries.ts';
import { wasThere } from './counts.ts';
import { overviewWords } from './overview.words.ts';

const useHint = create<{ readonly isHidden: boolean }>()(
  persist(() => ({ isHidden: false as boolean }), { name: 'castellan.first-steps-hint', version: 1 }),
);

/** Links to the first steps while they are not done: no server answers, or no agent has ever connected. */
export const FirstStepsHint = ({ servers }: { readonly servers: readonly GameServer[] | undefined }) => {
  const words = useWords(overviewWords);
  const mayAdd = useCan()('servers.write');
  const isHidden = useHint((hint) => hint.isHidden);
  const agents = useRead(agentsHttp.list, {}, { enabled: mayAdd && !isHidden });
  if (!mayAdd || isHidden || !servers || !agents.data) return null;
  const isDone = servers.some(({ status }) => status.state === 'online') && agents.data.rows.some(wasThere);
  if (isDone) return null;
  return (
    <Card title={words.hintTitle}>
      <Text>{words.hint}</Text>
      <Group gap="sm">
        <PanelLink to="/first-steps">{words.hintLink}</PanelLink>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => useHint.setState({ isHidden: true })}
        >
          {words.hintHide}
        </Button>
      </Group>
    </Card>
  );
};
