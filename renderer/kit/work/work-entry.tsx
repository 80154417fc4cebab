import { Button, CloseButton, Group, List, Progress, Stack, Text } from '@mantine/core';
import { StateLabel, type Tone } from '../design/state-label.tsx';
import { problemWords } from '../language/problem-words.ts';
import { useFormat } from '../language/use-format.ts';
import { useLanguage, useWords } from '../language/use-words.ts';
import { workWords } from './work.words.ts';
import { handled, type WorkRun } from './work-run.ts';
import { cancelRest, forgetWork, goOn, tryAgain } from './work-state.ts';

const shownFailures = 20;

const toneOf = ({ state, failures }: WorkRun): Tone => {
  if (state === 'halted') return 'warn';
  if (state !== 'ended') return 'busy';
  return failures.length > 0 ? 'bad' : 'ok';
};

/** One run: its progress, what failed and why, and the possible actions. */
export const WorkEntry = ({ run }: { readonly run: WorkRun }) => {
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
