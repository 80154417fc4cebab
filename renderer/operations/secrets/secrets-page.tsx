import { Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type SecretsStatus, secretsHttp } from '#contracts/operations/secrets.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { queryClient, readKey, useRead } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { FaultsCard } from './faults-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { RotationCard } from './rotation-card.tsx';
import { secretsWords } from './secrets.words.ts';

/** The progress of the newest run. */
const ReencryptionCard = ({ run }: { readonly run: SecretsStatus['reencryption'] }) => {
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

const key = readKey(secretsHttp.status, {});
const whileRunningMs = 1000;
const otherwiseMs = 30_000;

export const Page = () => {
  const words = useWords(secretsWords);
  const isWriter = useCan()('secrets.write');
  const [isAsking, setIsAsking] = useState(false);
  const [isRunning, setIsRunning] = useState(false);
  const read = useRead(secretsHttp.status, {}, { everyMs: isRunning ? whileRunningMs : otherwiseMs });
  const run = read.data?.reencryption ?? null;
  useEffect(() => setIsRunning(run !== null && run.state !== 'done'), [run]);

  const begin = async () => {
    const status = await sendChange(secretsHttp.reencrypt, {});
    // A read that started earlier would bring back the old run.
    await queryClient.cancelQueries({ queryKey: key });
    queryClient.setQueryData(key, status);
  };
  const actions = isWriter && (
    <Button onClick={() => setIsAsking(true)} disabled={isRunning}>
      {words.reencrypt}
    </Button>
  );
  return (
    <Frame title={words.title} description={words.description} actions={actions}>
      <AsyncContent read={read}>
        {(status) => (
          <>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <KeysCard status={status} />
              <ReencryptionCard run={status.reencryption} />
            </SimpleGrid>
            {status.faults.length > 0 && <FaultsCard status={status} />}
            <RotationCard />
          </>
        )}
      </AsyncContent>
      {isAsking && (
        <ConfirmAction
          title={words.reencryptQuestion}
          act={words.reencrypt}
          isDestructive={false}
          onAction={begin}
          onClose={() => setIsAsking(false)}
        >
          {words.reencryptText}
        </ConfirmAction>
      )}
    </Frame>
  );
};
