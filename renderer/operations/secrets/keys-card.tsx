import { Code, Table, Text } from '@mantine/core';
import type { SecretsStatus } from '#contracts/operations/secrets.ts';
import { Card } from '../../kit/design/card.tsx';
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

export const KeysCard = ({ status }: { readonly status: SecretsStatus }) => {
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
