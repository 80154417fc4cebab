import { Group, Progress, Stack, Text } from '@mantine/core';
import type { SecretsStatus } from '#contracts/secrets.ts';
import { Card } from '../../design/card.tsx';
import { StateLabel } from '../../design/state-label.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { secretsWords } from './secrets.words.ts';

/** The progress of the newest run. */
export const ReencryptionCard = ({ run }: { readonly run: SecretsStatus['reencryption'] }) => {
  const { run: words } = useWords(secretsWords);
  const format = useFormat();
  if (!run)
    return (
      <Card title={words.title}>
        <Text c="dimmed">{words.never}</Text>
      </Card>
    );
  const { state, total, done, failed, requestedAt, endedAt } = run;
  const isDone = state === 'done';
  const worked = done + failed;
  const percent = total === null ? 0 : total === 0 ? 100 : (100 * worked) / total;
  const doneTone = failed > 0 ? 'warn' : 'ok';
  return (
    <Card title={words.title}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <StateLabel tone={isDone ? doneTone : 'busy'}>{words[state]}</StateLabel>
          {total !== null && total > 0 && (
            <Text size="sm" component="span" role="status">
              {words.progress(format.number(worked), total)}
            </Text>
          )}
        </Group>
        <Progress
          value={percent}
          aria-label={words.title}
          color={isDone && failed > 0 ? 'yellow' : 'castle'}
        />
        {isDone && total === 0 && <Text size="sm">{words.nothing}</Text>}
        {failed > 0 && <Text size="sm">{words.failed(failed)}</Text>}
        <Text size="sm" c="dimmed">
          {words.asked}: <TimeAgo at={requestedAt} />
          {endedAt && (
            <>
              {' · '}
              {words.ended}: <TimeAgo at={endedAt} />
            </>
          )}
        </Text>
        {!isDone && (
          <Text size="sm" c="dimmed">
            {words.leave}
          </Text>
        )}
      </Stack>
    </Card>
  );
};
