import { Stack, Text } from '@mantine/core';
import type { StackHealth } from '#contracts/health.ts';
import { Card } from '../../design/card.tsx';
import { Facts } from '../../design/facts.tsx';
import { StateLabel } from '../../design/state-label.tsx';
import { useWords } from '../../language/use-words.ts';
import { PartTrouble } from '../../stack-health/part-trouble.tsx';
import { stackHealthWords } from '../../stack-health/stack-health.words.ts';
import { isTrouble, partTones, stackParts } from '../../stack-health/stack-parts.ts';
import { healthWords } from './health.words.ts';

export interface PartsCardProps {
  readonly health: StackHealth;
  readonly isLastKnown: boolean;
}

/** What is wrong, what it means and what to do; or that everything is fine. */
export const TroubleCard = ({ health, isLastKnown }: PartsCardProps) => {
  const words = useWords(healthWords);
  const names = useWords(stackHealthWords);
  const troubles = stackParts(health).filter(isTrouble);
  if (isLastKnown)
    return (
      <Card title={words.troubles}>
        <StateLabel tone="bad">{words.cannotSay}</StateLabel>
      </Card>
    );
  return (
    <Card title={words.troubles}>
      {troubles.length === 0 ? (
        <div role="status">
          <StateLabel tone="ok">{words.allWell}</StateLabel>
          <Text c="dimmed">{words.allWellText}</Text>
        </div>
      ) : (
        <Stack gap="md" role="status">
          {troubles.map((part) => (
            <div key={part.name}>
              <Text fw={600} component="div">
                <StateLabel tone={partTones[part.state]}>
                  {names.parts[part.name]}: {names.states[part.state]}
                </StateLabel>
              </Text>
              <PartTrouble part={part} here="/health" />
            </div>
          ))}
        </Stack>
      )}
    </Card>
  );
};

/** All components at a glance. */
export const PartsCard = ({ health, isLastKnown }: PartsCardProps) => {
  const words = useWords(healthWords);
  const names = useWords(stackHealthWords);
  return (
    <Card title={words.parts}>
      <Facts
        facts={stackParts(health).map(({ name, state }) => ({
          label: names.parts[name],
          value: (
            <StateLabel tone={isLastKnown ? 'idle' : partTones[state]}>{names.states[state]}</StateLabel>
          ),
        }))}
      />
    </Card>
  );
};
