import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ComponentName, ComponentStatus, StackStatus } from '#contracts/operations/stack.ts';
import { callDesktop } from '../../../kit/api/desktop-bridge.ts';
import { Card } from '../../../kit/design/card.tsx';
import { ConfirmAction } from '../../../kit/design/confirm-action.tsx';
import { Loading } from '../../../kit/design/loading.tsx';
import { StateLabel } from '../../../kit/design/state-label.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { componentTones } from '../diagnostics-parts/component-tones.ts';
import { diagnosticsSectionWords } from './section.words.ts';

type Wanted = ComponentName | 'all';

/** Each process of the stack as the supervisor sees it, and a way to restart it. */
export const PartsCard = ({ status }: { readonly status: StackStatus | null }) => {
  const words = useWords(diagnosticsSectionWords);
  const [asked, setAsked] = useState<Wanted | null>(null);
  const nameOf = (wanted: Wanted) => (wanted === 'all' ? words.all : words.names[wanted]);
  const restart = async (wanted: Wanted) => {
    await callDesktop('stack.restart', wanted === 'all' ? {} : { component: wanted });
  };
  return (
    <Card
      title={words.parts}
      actions={
        <Button size="xs" variant="default" onClick={() => setAsked('all')}>
          {words.restartAll}
        </Button>
      }
    >
      {status === null && <Loading />}
      {status?.components.map((component) => (
        <Part key={component.name} component={component} onRestart={() => setAsked(component.name)} />
      ))}
      {asked !== null && (
        <ConfirmAction
          title={words.question(nameOf(asked))}
          act={words.restart}
          onAction={() => restart(asked)}
          onClose={() => setAsked(null)}
        >
          <Text>{words.restartText}</Text>
        </ConfirmAction>
      )}
    </Card>
  );
};

interface PartProps {
  readonly component: ComponentStatus;
  readonly onRestart: () => void;
}

const Part = ({ component: { name, state, reason, restarts }, onRestart }: PartProps) => {
  const words = useWords(diagnosticsSectionWords);
  return (
    <Group justify="space-between" wrap="nowrap" align="start" data-part={name}>
      <Stack gap={0} miw={0}>
        <StateLabel tone={componentTones[state]}>
          {words.names[name]}: {words.states[state]}
          {restarts > 0 && `, ${words.restarts(restarts)}`}
        </StateLabel>
        {reason !== null && (
          <Text size="sm" c="dimmed" lang="en" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{reason}</bdi>
          </Text>
        )}
      </Stack>
      <Button
        size="compact-sm"
        variant="default"
        style={{ flexShrink: 0 }}
        aria-label={words.restartOne(words.names[name])}
        onClick={onRestart}
      >
        {words.restart}
      </Button>
    </Group>
  );
};
