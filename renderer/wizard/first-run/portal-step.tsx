import { Button, Divider, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { FirstRunPortal } from '#contracts/desktop-first-run.ts';
import { useWords } from '../../language/use-words.ts';
import { firstRunWords } from './first-run.words.ts';
import { PortalForm } from './portal-form.tsx';
import type { StepProps } from './step-props.ts';

/** Where the license comes from, in a build that names no portal. */
export const PortalStep = ({ state, draft, keep }: StepProps) => {
  const { portal } = useWords(firstRunWords);
  /** What is to be done next is then to compare it. */
  const [isFound, setFound] = useState(false);
  // An installation that only lacks its portal has made all the other choices.
  const goOn = (chosen: FirstRunPortal) =>
    keep({ portal: chosen, step: state.reason === 'no-portal' ? 'begin' : 'folder' });
  return (
    <Stack>
      <Title order={2}>{portal.title}</Title>
      <Text>{portal.text}</Text>
      {state.hasDemoPortal && (
        <>
          <Stack component="section" gap="xs" aria-label={portal.demoTitle}>
            <Title order={3}>{portal.demoTitle}</Title>
            <Text>{portal.demoText}</Text>
            <Button variant={isFound ? 'default' : 'filled'} onClick={() => goOn({ kind: 'demo' })}>
              {portal.demo}
            </Button>
          </Stack>
          <Divider />
        </>
      )}
      <Stack component="section" gap="xs" aria-label={portal.connectTitle}>
        <Title order={3}>{portal.connectTitle}</Title>
        <PortalForm
          chosen={draft.portal?.kind === 'connected' ? draft.portal : null}
          isPrimary={!state.hasDemoPortal}
          onFound={setFound}
          onChosen={goOn}
        />
      </Stack>
    </Stack>
  );
};
