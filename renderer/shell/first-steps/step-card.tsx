import { Group, Paper, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import classes from './first-steps.module.css';
import { firstStepsWords } from './first-steps.words.ts';
import type { OnboardingStatus, StepState } from './onboarding-status.ts';
import type { Step } from './steps.ts';

/** A step; the next one opens automatically, the others on request. */
export const StepCard = ({
  step: { id, Body, staysOpen = false },
  number,
  state,
  isNext,
  status,
}: {
  readonly step: Step;
  readonly number: number;
  readonly state: StepState;
  readonly isNext: boolean;
  readonly status: OnboardingStatus;
}) => {
  const words = useWords(firstStepsWords);
  const bodyId = useId();
  /** Null: open when it is the step's turn. */
  const [isWanted, setIsWanted] = useState<boolean | null>(null);
  const [wasNext, setWasNext] = useState(isNext);
  const toggle = useRef<HTMLButtonElement>(null);
  const wasNextBefore = useRef(isNext);
  useEffect(() => {
    if (isNext) setWasNext(true);
    // The step before has disappeared along with the focus: a keyboard user continues here.
    const isNewlyNext = isNext && !wasNextBefore.current;
    if (isNewlyNext && document.activeElement === document.body) toggle.current?.focus();
    wasNextBefore.current = isNext;
  }, [isNext]);
  const isOpen = isWanted ?? (isNext || (staysOpen && wasNext));
  /** When closed, it keeps what was typed into it. */
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Paper
      component="li"
      withBorder
      p="md"
      bg="var(--surface-card)"
      {...(isNext && { 'aria-current': 'step' as const })}
    >
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2}>
            <UnstyledButton
              ref={toggle}
              className={classes.toggle}
              aria-expanded={isOpen}
              aria-controls={bodyId}
              onClick={() => setIsWanted(!isOpen)}
            >
              <Group gap="xs" wrap="nowrap" component="span">
                <Chevron size={16} aria-hidden />
                <span>
                  {number}. {words.steps[id]}
                </span>
              </Group>
            </UnstyledButton>
          </Title>
          {state === 'done' && <StateLabel tone="ok">{words.done}</StateLabel>}
          {state === 'open' && (
            <StateLabel tone={isNext ? 'busy' : 'idle'}>{isNext ? words.next : words.open}</StateLabel>
          )}
          {state === 'unknown' && <StateLabel tone="warn">{words.unknown}</StateLabel>}
        </Group>
        <div id={bodyId} hidden={!isOpen}>
          {wasOpen && (state === 'unknown' ? <Text>{words.unknownText}</Text> : <Body status={status} />)}
        </div>
      </Stack>
    </Paper>
  );
};
