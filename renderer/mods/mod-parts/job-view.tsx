import { Progress, Stack, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { ModsJob } from '#contracts/mods/mods.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { modPartsWords } from './mod-parts.words.ts';
import classes from './mod-rows.module.css';
import { jobVerdict, percentOf, progressInWords, stepInWords } from './mods-in-words.ts';
import { SaidOfMods } from './said-of-mods.tsx';
import { ScrolledText } from './scrolled-text.tsx';

/** A job's state or result, in a sentence. */
export const JobLabel = ({ job }: { readonly job: ModsJob }) => {
  const words = useWords(modPartsWords);
  const format = useFormat();
  const { tone, says } = jobVerdict(job);
  return (
    <StateLabel tone={tone}>
      {tone === 'busy' ? progressInWords(job, words, format) : words.verdicts[says]}
    </StateLabel>
  );
};

/** The progress of a running job; its step is shown above. All of it is there from the beginning, so that nothing moves. */
export const JobProgress = ({ job }: { readonly job: ModsJob }) => {
  const words = useWords(modPartsWords);
  const format = useFormat();
  const figures = progressInWords(job, words, format);
  const percent = percentOf(job.progress);
  return (
    <Stack gap="xs">
      <Text size="sm">
        {/* The stable parts come first: then a change of width moves nothing. */}
        <bdi>{words.by(job.byName)}</bdi>
        {figures !== stepInWords(job, words) && ` · ${figures}`}
      </Text>
      {percent === null ? (
        <Progress.Root>
          <Progress.Section value={100} striped animated withAria={false} />
        </Progress.Root>
      ) : (
        <Progress value={percent} aria-label={words.progress} />
      )}
      {job.isCancelled && (
        <Text size="sm" className={classes.cancelling}>
          {words.isCancelled}
        </Text>
      )}
    </Stack>
  );
};

const fewLines = 8;

/** Why a job ended this way: the step, the agent's words, and the game's last lines. */
export const JobReason = ({
  job,
  foldsLines = false,
}: {
  readonly job: ModsJob;
  /** The game's lines are shown on request. */
  readonly foldsLines?: boolean;
}) => {
  const words = useWords(modPartsWords);
  const { result, detail, state } = job;
  const lines = result?.lines ?? [];
  if (state === 'waiting' || state === 'running') return null;
  return (
    <Stack gap={4}>
      {result?.failedAt && state !== 'done' && <Text size="sm">{words.failedAt[result.failedAt]}</Text>}
      {detail !== null && state !== 'done' && (
        <Text size="sm">
          <SaidOfMods detail={detail} />
        </Text>
      )}
      {result?.notes.map((note) => (
        <Text key={note} size="sm">
          <bdi>{note}</bdi>
        </Text>
      ))}
      {lines.length > 0 &&
        (foldsLines ? (
          <details>
            <summary className={classes.summary}>{words.gameSaid}</summary>
            <GameLines lines={lines} />
          </details>
        ) : (
          <>
            <Text size="sm">{words.gameSaid}</Text>
            <GameLines lines={lines} />
          </>
        ))}
    </Stack>
  );
};

const GameLines = ({ lines }: { readonly lines: readonly string[] }) => {
  const words = useWords(modPartsWords);
  const [isAll, setIsAll] = useState(false);
  const shown = isAll ? lines : lines.slice(-fewLines);
  return (
    <>
      <ScrolledText className={classes.lines} label={words.gameSaid}>
        {shown.join('\n')}
      </ScrolledText>
      {lines.length > fewLines && (
        <UnstyledButton fz="sm" mih={24} c="var(--mantine-color-anchor)" onClick={() => setIsAll(!isAll)}>
          {isAll ? words.fewerLines : words.allLines(lines.length)}
        </UnstyledButton>
      )}
    </>
  );
};
