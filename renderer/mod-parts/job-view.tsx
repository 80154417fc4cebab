import { Progress, Stack, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { ModsJob } from '#contracts/mods.ts';
import { StateLabel } from '../design/state-label.tsx';
import { useFormat } from '../language/use-format.ts';
import { useWords } from '../language/use-words.ts';
import { modPartsWords } from './mod-parts.words.ts';
import classes from './mod-rows.module.css';
import { jobVerdict, percentOf, progressInWords } from './mods-in-words.ts';

/** How a job stands or ended, in a sentence. */
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

/** How far a job under way is; the bar is there from its beginning, so that nothing moves. */
export const JobProgress = ({ job }: { readonly job: ModsJob }) => {
  const words = useWords(modPartsWords);
  const format = useFormat();
  return (
    <Stack gap="xs">
      <Text size="sm">
        {progressInWords(job, words, format)} · <bdi>{words.by(job.byName)}</bdi>
      </Text>
      <Progress value={percentOf(job.progress) ?? 0} aria-label={words.progress} />
      {job.isCancelled && <Text size="sm">{words.isCancelled}</Text>}
    </Stack>
  );
};

const fewLines = 8;

/** Why a job ended as it did: where, in the agent's words, and in the game's last lines. */
export const JobReason = ({ job }: { readonly job: ModsJob }) => {
  const words = useWords(modPartsWords);
  const [isAll, setIsAll] = useState(false);
  const { result, detail, state } = job;
  const lines = result?.lines ?? [];
  const shown = isAll ? lines : lines.slice(-fewLines);
  if (state === 'waiting' || state === 'running') return null;
  return (
    <Stack gap={4}>
      {result?.failedAt && state !== 'done' && <Text size="sm">{words.failedAt[result.failedAt]}</Text>}
      {detail !== null && state !== 'done' && (
        <Text size="sm">
          <bdi>{detail}</bdi>
        </Text>
      )}
      {result?.notes.map((note) => (
        <Text key={note} size="sm">
          <bdi>{note}</bdi>
        </Text>
      ))}
      {lines.length > 0 && (
        <>
          <Text size="sm">{words.gameSaid}</Text>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <section className={classes.lines} aria-label={words.gameSaid} tabIndex={0}>
            {shown.join('\n')}
          </section>
          {lines.length > fewLines && (
            <UnstyledButton fz="sm" mih={24} c="var(--mantine-color-anchor)" onClick={() => setIsAll(!isAll)}>
              {isAll ? words.fewerLines : words.allLines(lines.length)}
            </UnstyledButton>
          )}
        </>
      )}
    </Stack>
  );
};
