import { Stack, Table, Text } from '@mantine/core';
import { type SecretsStatus, secretFaults } from '#contracts/operations/secrets.ts';
import { Card } from '../../kit/design/card.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { secretsWords } from './secrets.words.ts';

/** The secrets that cannot be read, and the remedy. */
export const FaultsCard = ({ status }: { readonly status: SecretsStatus }) => {
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
