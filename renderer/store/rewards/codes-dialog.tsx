import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { addressOf } from '#contracts/kernel/call-input.ts';
import { type CodeBatch, rewardsHttp } from '#contracts/store/rewards.ts';
import { usePagedRead } from '../../kit/api/queries.ts';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useReturnFocus } from '../../kit/design/use-return-focus.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { rewardsWords } from './rewards.words.ts';

const pageSize = 100;

interface CodesDialogProps {
  readonly batch: CodeBatch;
  readonly mayChange: boolean;
  readonly onClose: () => void;
}

/** The codes of a batch, with their uses. */
export const CodesDialog = ({ batch: { id, name }, mayChange, onClose }: CodesDialogProps) => {
  useReturnFocus();
  const words = useWords(rewardsWords).codes;
  const format = useFormat();
  const codes = usePagedRead(rewardsHttp.codes, { params: { id }, query: { limit: pageSize } });
  const { rows, isPending, error, hasMore, isLoadingMore, loadMore, reload } = codes;
  return (
    <Modal opened onClose={onClose} title={<bdi>{words.shownTitle(name)}</bdi>} size="lg">
      <Stack gap="md">
        {error && <Trouble error={error} onRetry={reload} />}
        {isPending && !error && <Loading />}
        {rows.length > 0 && (
          <Table.ScrollContainer minWidth={360} mah="50vh" scrollAreaProps={{ tabIndex: 0, mah: '50vh' }}>
            <Table aria-label={words.shownTitle(name)}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{words.code}</Table.Th>
                  <Table.Th ta="end">{words.used}</Table.Th>
                  <Table.Th>{words.lastUsed}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map(({ id: codeId, code, uses, lastUsedAt }) => (
                  <Table.Tr key={codeId}>
                    <Table.Td>
                      {code === null ? (
                        <Text c="dimmed">{words.hidden}</Text>
                      ) : (
                        <Group gap="xs" wrap="nowrap">
                          <Text ff="monospace">{code}</Text>
                          <CopyButton value={code} label={words.copy(code)} />
                        </Group>
                      )}
                    </Table.Td>
                    <Table.Td ta="end">{format.number(uses)}</Table.Td>
                    <Table.Td>{lastUsedAt === null ? words.never : <TimeAgo at={lastUsedAt} />}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        <Group gap="xs" justify="flex-end">
          {hasMore && (
            <Button variant="default" loading={isLoadingMore} onClick={loadMore}>
              {words.more}
            </Button>
          )}
          {mayChange && (
            <Button
              component="a"
              href={addressOf(rewardsHttp.exportCodes.path, { id }, undefined)}
              download={rewardsHttp.exportCodes.download}
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {words.export}
            </Button>
          )}
          <Button onClick={onClose}>{words.close}</Button>
        </Group>
      </Stack>
    </Modal>
  );
};
