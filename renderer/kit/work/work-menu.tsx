import {
  Button,
  CloseButton,
  Group,
  List,
  Loader,
  Popover,
  Progress,
  ScrollArea,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleCheckFilled } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import { StateLabel, type Tone } from '../design/state-label.tsx';
import { problemWords } from '../language/problem-words.ts';
import { useFormat } from '../language/use-format.ts';
import { useLanguage, useWords } from '../language/use-words.ts';
import { workWords } from './work.words.ts';
import { handled, type WorkRun } from './work-run.ts';
import { cancelRest, forgetWork, goOn, tryAgain, useWorkRuns } from './work-state.ts';

const shownFailures = 20;

const toneOf = ({ state, failures }: WorkRun): Tone => {
  if (state === 'halted') return 'warn';
  if (state !== 'ended') return 'busy';
  return failures.length > 0 ? 'bad' : 'ok';
};

/** One run: its progress, what failed and why, and the possible actions. */
const WorkEntry = ({ run }: { readonly run: WorkRun }) => {
  const { id, label, state, total, done, failures, halt } = run;
  const words = useWords(workWords);
  const language = useLanguage();
  const format = useFormat();
  const whyHalted = halt === null ? null : problemWords(halt, language);
  return (
    <Stack gap="xs" component="section" aria-label={label}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <StateLabel tone={toneOf(run)}>
          <bdi>{label}</bdi>
        </StateLabel>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" c="dimmed" component="span">
            {words.ofTotal(format.number(handled(run)), format.number(total))}
          </Text>
          {state === 'ended' && (
            <CloseButton size="sm" aria-label={words.forget} onClick={() => forgetWork(id)} />
          )}
        </Group>
      </Group>
      {state !== 'ended' && (
        <Progress
          value={total === 0 ? 100 : (100 * handled(run)) / total}
          aria-label={words.progress(label, format.number(handled(run)), format.number(total))}
        />
      )}
      {state === 'waiting' && <Text size="sm">{words.waiting}</Text>}
      {whyHalted && (
        <Text size="sm">
          {words.halted}: {whyHalted.text} {whyHalted.remedy}
        </Text>
      )}
      {state === 'ended' && (
        <Text size="sm">
          {words.done(done)}
          {failures.length > 0 && `, ${words.failed(failures.length)}`}
        </Text>
      )}
      {failures.length > 0 && (
        <List size="sm">
          {failures.slice(0, shownFailures).map(({ name, error }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: failures are only ever added at the end
            <List.Item key={index}>
              <bdi>{name}</bdi>: {problemWords(error, language).text}
            </List.Item>
          ))}
          {failures.length > shownFailures && (
            <List.Item>{words.more(failures.length - shownFailures)}</List.Item>
          )}
        </List>
      )}
      <Group gap="xs">
        {(state === 'waiting' || state === 'running' || state === 'halted') && (
          <Button size="compact-sm" variant="default" onClick={() => cancelRest(id)}>
            {words.cancel}
          </Button>
        )}
        {state === 'halted' && (
          <Button size="compact-sm" onClick={() => goOn(id)}>
            {words.goOn}
          </Button>
        )}
        {state === 'ended' && failures.length > 0 && (
          <Button size="compact-sm" onClick={() => tryAgain(id)}>
            {words.tryAgain}
          </Button>
        )}
      </Group>
    </Stack>
  );
};

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
