import { List, Stack, Table, Text } from '@mantine/core';
import type { SeasonPreview } from '#contracts/seasons.ts';
import { StateLabel } from '../../design/state-label.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { Said } from '../../store-parts/said.tsx';
import { seasonsWords } from './seasons.words.ts';

/** What a season would do, in words and numbers. */
export const SeasonEffects = ({ preview }: { readonly preview: SeasonPreview }) => {
  const words = useWords(seasonsWords);
  const format = useFormat();
  const { regrants, balances, limits, open, servers } = preview;
  const reset = limits.filter(({ isReset }) => isReset);
  return (
    <Stack gap="sm">
      <Text size="sm">
        {words.scope}: <bdi>{format.list(servers.map(({ name }) => name))}</bdi>
      </Text>
      {regrants.length === 0 ? (
        <Text size="sm">{words.nothingAgain}</Text>
      ) : (
        <Table.ScrollContainer minWidth={320} scrollAreaProps={{ tabIndex: 0 }}>
          <Table aria-label={words.pieces}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.product}</Table.Th>
                <Table.Th ta="end">{words.pieces}</Table.Th>
                <Table.Th ta="end">{words.members}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {regrants.map(({ productId, name, most, members, pieces, hindrance, reason }) => (
                <Table.Tr key={productId}>
                  <Table.Td>
                    <bdi>{name}</bdi>
                    {most !== null && (
                      <Text size="xs" c="dimmed">
                        {words.atMost(most)}
                      </Text>
                    )}
                    {hindrance !== null && (
                      <>
                        <Text size="sm" component="div">
                          <StateLabel tone="warn">{words.cannot}</StateLabel>
                        </Text>
                        <Text size="xs">
                          <Said reason={reason} detail={hindrance} />
                        </Text>
                      </>
                    )}
                  </Table.Td>
                  <Table.Td ta="end">{hindrance === null ? format.number(pieces) : '–'}</Table.Td>
                  <Table.Td ta="end">{hindrance === null ? format.number(members) : '–'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <List size="sm" spacing="xs">
        <List.Item>
          {balances.members === 0
            ? words.balancesStay
            : words.balancesTaken(balances.taken, balances.members)}
        </List.Item>
        <List.Item>{reset.length === 0 ? words.limitsStay : words.limitsReset(reset.length)}</List.Item>
        <List.Item>
          {open.deliveries === 0 ? words.nothingOpen : words.open(open.deliveries, open.members)}
        </List.Item>
      </List>
    </Stack>
  );
};
