import { Button, Code, Group, List, Progress, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type SecretsStatus, secretFaults, secretsHttp } from '#contracts/operations/secrets.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { queryClient, readKey, useRead } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import classes from './secrets.module.css';
import { secretsWords } from './secrets.words.ts';

type Key = SecretsStatus['keys'][number];
const order = { current: 0, previous: 1, unknown: 2 } as const;

/** An old key is fine unless secrets still use it. */
const toneOf = ({ state, count }: Key): Tone => {
  if (state === 'current') return 'ok';
  if (state === 'unknown') return 'bad';
  return count > 0 ? 'warn' : 'idle';
};

const KeysCard = ({ status }: { readonly status: SecretsStatus }) => {
  const words = useWords(secretsWords);
  const format = useFormat();
  const { total, unreadable, damaged, keys } = status;
  const lost = unreadable + damaged;
  const onOld = keys.filter(({ state }) => state === 'previous').reduce((sum, { count }) => sum + count, 0);
  return (
    <Card title={words.keys}>
      <Text component="div" role="status">
        {lost > 0 && <StateLabel tone="bad">{words.unreadable(lost)}</StateLabel>}
        {lost === 0 && (
          <StateLabel tone={total > 0 ? 'ok' : 'idle'}>
            {total > 0 ? words.fine(total) : words.none}
          </StateLabel>
        )}
      </Text>
      {onOld > 0 && (
        <Text component="div">
          <StateLabel tone="warn">{words.old(onOld)}</StateLabel>
        </Text>
      )}
      <Table aria-label={words.keys} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.key}</Table.Th>
            <Table.Th scope="col">{words.state}</Table.Th>
            <Table.Th scope="col" ta="end" className={classes.whole}>
              {words.count}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...keys]
            .sort((a, b) => order[a.state] - order[b.state])
            .map((key) => (
              <Table.Tr key={key.keyId}>
                <Table.Th scope="row" fw={400}>
                  <Code className={classes.whole}>{key.keyId}</Code>
                </Table.Th>
                <Table.Td>
                  <StateLabel tone={toneOf(key)}>{words.keyState[key.state]}</StateLabel>
                  <Text size="sm" c="dimmed">
                    {words.keyMeaning[key.state]}
                  </Text>
                  {key.replacedAt && (
                    <Text size="sm" c="dimmed">
                      {words.replaced}: <TimeAgo at={key.replacedAt} />
                    </Text>
                  )}
                </Table.Td>
                <Table.Td ta="end">{format.number(key.count)}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
};

/** The secrets that cannot be read, and the remedy. */
const FaultsCard = ({ status }: { readonly status: SecretsStatus }) => {
  const words = useWords(secretsWords);
  const format = useFormat();
  const { faults, unreadable, damaged } = status;
  const more = unreadable + damaged - faults.length;
  const kinds = secretFaults.filter((kind) => faults.some(({ fault }) => fault === kind));
  return (
    <Card title={words.faults}>
      <Stack gap={4}>
        {kinds.map((kind) => (
          <Text key={kind}>
            <strong>{words.fault[kind]}:</strong> {words.remedy[kind]}
          </Text>
        ))}
      </Stack>
      <Table aria-label={words.faults}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.secret}</Table.Th>
            <Table.Th scope="col">{words.state}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {faults.map(({ secret, fault }) => (
            <Table.Tr key={secret}>
              <Table.Td>
                <bdi>{secret}</bdi>
              </Table.Td>
              <Table.Td>
                <StateLabel tone="bad">{words.fault[fault]}</StateLabel>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {more > 0 && <Text c="dimmed">{words.moreFaults(format.number(more))}</Text>}
    </Card>
  );
};

const commands = {
  rotate: 'castellan key rotate',
  make: 'openssl rand -hex 32',
  restart: 'castellan restart api',
  forget: 'castellan key forget',
} as const;
const steps = ['backUp', 'make', 'restart', 'reencrypt'] as const;

const Command = ({ text }: { readonly text: string }) => (
  <Group gap={4} wrap="nowrap">
    <Code>{text}</Code>
    <CopyButton value={text} />
  </Group>
);

/** The procedure for a new key: as one command, and by hand. */
const RotationCard = () => {
  const { rotation: words } = useWords(secretsWords);
  return (
    <Card title={words.title}>
      <Stack gap="sm" maw="48rem">
        <Text>{words.text}</Text>
        <Command text={commands.rotate} />
        <Text>{words.byHand}</Text>
        <List type="ordered" spacing="xs">
          {steps.map((step) => (
            <List.Item key={step}>
              {words.steps[step]}
              {(step === 'make' || step === 'restart') && <Command text={commands[step]} />}
            </List.Item>
          ))}
        </List>
        <Text>{words.kept}</Text>
        <Text>{words.stolen}</Text>
        <Command text={commands.forget} />
      </Stack>
    </Card>
  );
};

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

const statusKey = readKey(secretsHttp.status, {});
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
    await queryClient.cancelQueries({ queryKey: statusKey });
    queryClient.setQueryData(statusKey, status);
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
