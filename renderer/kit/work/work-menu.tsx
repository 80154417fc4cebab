import { Button, Loader, Popover, ScrollArea, Stack, Title, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleCheckFilled } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import { useFormat } from '../language/use-format.ts';
import { useWords } from '../language/use-words.ts';
import { workWords } from './work.words.ts';
import { WorkEntry } from './work-entry.tsx';
import { handled, type WorkRun } from './work-run.ts';
import { useWorkRuns } from './work-state.ts';

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const isAtWork = ({ state }: WorkRun): boolean => state === 'running' || state === 'waiting';

/** The background work, in the header; nothing while there is none. */
export const WorkMenu = () => {
  const words = useWords(workWords);
  const format = useFormat();
  const runs = useWorkRuns();
  const id = useId();
  const atWork = runs.filter(isAtWork);
  const hasTrouble = runs.some(({ state, failures }) => state === 'halted' || failures.length > 0);
  const counted = atWork.length > 0 ? atWork : runs;
  const done = sum(counted.map(handled));
  const total = sum(counted.map((run) => run.total));
  const title = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a button that had the focus goes when its run changes
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus();
  }, [runs]);
  const told = runs.map((run) => ending(run, words)).filter((text) => text !== null);
  return (
    <>
      <VisuallyHidden role="status">{told.at(-1) ?? ''}</VisuallyHidden>
      {runs.length > 0 && (
        <Popover position="bottom-end" trapFocus returnFocus withinPortal>
          <Popover.Target>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              aria-label={words.menu(format.number(done), format.number(total))}
              leftSection={
                atWork.length > 0 ? (
                  <Loader size={16} aria-hidden />
                ) : hasTrouble ? (
                  <IconAlertTriangleFilled size={16} color="var(--tone-bad)" aria-hidden />
                ) : (
                  <IconCircleCheckFilled size={16} color="var(--tone-ok)" aria-hidden />
                )
              }
            >
              {words.ofTotal(format.number(done), format.number(total))}
            </Button>
          </Popover.Target>
          <Popover.Dropdown w="min(24rem, 92vw)" aria-labelledby={id}>
            <ScrollArea.Autosize mah="70vh">
              <Stack gap="md">
                <Title order={2} id={id} ref={title} tabIndex={-1}>
                  {words.title}
                </Title>
                {runs.toReversed().map((run) => (
                  <WorkEntry key={run.id} run={run} />
                ))}
              </Stack>
            </ScrollArea.Autosize>
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
};

/** The result of a run, in a sentence; null while it is running. */
const ending = (run: WorkRun, words: (typeof workWords)['en']): string | null => {
  const { state, label, done, total, failures } = run;
  if (state === 'halted') return words.announceHalted(label, total - handled(run));
  if (state !== 'ended') return null;
  return failures.length > 0
    ? words.announceFailed(label, done, failures.length)
    : words.announceDone(label, done);
};
