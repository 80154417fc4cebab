import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../kit/access/access-state.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Together } from '../../kit/design/together.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { CodesCard } from './codes-card.tsx';
import { rewardsWords } from './rewards.words.ts';
import { RulesCard } from './rules-card.tsx';

export const Page = () => {
  const words = useWords(rewardsWords);
  const can = useCan();
  const [isAdding, setIsAdding] = useState(false);
  const add = can('rewards.write') && (
    <AddButton onClick={() => setIsAdding(true)}>{words.rules.add}</AddButton>
  );
  return (
    <Frame title={words.title} description={words.description} actions={add}>
      <Together>
        <RulesCard isAdding={isAdding} onAdded={() => setIsAdding(false)} />
        <CodesCard />
        {can('settings.read') && (
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              {words.gifts}
            </Text>
            <PanelLink to="/settings">{words.toSettings}</PanelLink>
          </Group>
        )}
      </Together>
    </Frame>
  );
};
