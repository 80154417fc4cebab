import { Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { SetUpStage } from '#contracts/desktop-first-run.ts';
import { StateLabel } from '../../design/state-label.tsx';
import { onDesktop } from '../../desktop/desktop-bridge.ts';
import { useWords } from '../../language/use-words.ts';
import classes from '../wizard.module.css';
import { firstRunWords } from './first-run.words.ts';

/** The completed and current steps of the setup, in plain words. */
export const SetUpProgress = () => {
  const { stages: words, stagesText } = useWords(firstRunWords);
  const [stages, setStages] = useState<readonly SetUpStage[]>([]);
  const list = useRef<HTMLDivElement>(null);
  useEffect(
    () => onDesktop('firstRun.progress', ({ stage }) => setStages((before) => [...before, stage])),
    [],
  );
  // The button that led here is gone.
  useEffect(() => list.current?.focus(), []);
  return (
    <Stack ref={list} tabIndex={-1} className={classes.step} gap="sm" role="status">
      <Text>{stagesText}</Text>
      {stages.map((stage, index) => {
        const isDone = index < stages.length - 1;
        return (
          <StateLabel key={stage} tone={isDone ? 'ok' : 'busy'} isPlain>
            {words[stage]}
          </StateLabel>
        );
      })}
    </Stack>
  );
};
