import { Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useState } from 'react';
import { consoleHttp, type KeptLine } from '#contracts/servers/console.ts';
import { call } from '../../kit/api/call.ts';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { useReturnFocus } from '../../kit/design/use-return-focus.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { Moment } from '../../kit/records/moment.tsx';
import { RecordsView } from '../../kit/records/records-view.tsx';
import { useRecords } from '../../kit/records/use-records.ts';
import { plainText } from '../plain-text.ts';
import { consoleWords } from './console.words.ts';
import classes from './earlier-lines.module.css';

const rowHeights = { wide: 1.75, narrow: 3 } as const;
const pageSize = 200;
const longestSearch = 200;
/** A search that finds nothing in one read continues with the next. */
const mostReadings = 10;

/** The game's output of the last days: to scroll back in and to search. */
export const EarlierLines = ({
  serverId,
  onClose,
}: {
  readonly serverId: string;
  readonly onClose: () => void;
}) => {
  useReturnFocus();
  const words = useWords(consoleWords).earlier;
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState<KeptLine | null>(null);
  const search = useDeferredValue(typed.trim());

  const read = async (from: string | undefined, signal: AbortSignal) => {
    let cursor = from;
    for (let count = 1; ; count += 1) {
      const query = {
        limit: pageSize,
        ...(cursor !== undefined && { cursor }),
        ...(search !== '' && { search }),
      };
      const { rows, nextCursor } = await call(consoleHttp.lines, { params: { serverId }, query }, { signal });
      const isDone = rows.length > 0 || nextCursor === null || count === mostReadings;
      if (isDone) return { rows, older: nextCursor === null ? null : { cursor: nextCursor }, newer: null };
      cursor = nextCursor;
    }
  };
  const records = useRecords<KeptLine>({
    key: [consoleHttp.lines.path, serverId, search],
    isOneWay: true,
    olderThan: ({ id }) => ({ cursor: id }),
    newerThan: ({ id }) => ({ cursor: id }),
    open: (_beginning, signal) => read(undefined, signal),
    read: ({ cursor }, signal) => read(cursor, signal),
  });

  return (
    <Modal opened onClose={onClose} title={words.title} size="80rem">
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {words.text}
        </Text>
        <TextInput
          aria-label={words.search}
          placeholder={words.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setOpen(null);
          }}
          maxLength={longestSearch}
          data-autofocus
        />
        <RecordsView
          label={words.title}
          records={records}
          liveEdge="end"
          rowHeights={rowHeights}
          openId={open?.id ?? null}
          onOpen={setOpen}
          {...(search !== '' && { onClearFilters: () => setTyped('') })}
          empty={<EmptyState title={words.empty} text={words.emptyText} />}
        >
          {({ at, text }) => (
            <span className={classes.row}>
              <span className={classes.when}>
                <Moment at={at} isShort />
              </span>
              <bdi>{plainText(text)}</bdi>
            </span>
          )}
        </RecordsView>
        <div role="status">
          {open && (
            <Group justify="space-between" align="flex-start" wrap="nowrap">
              <pre className={classes.whole}>{plainText(open.text)}</pre>
              <CopyButton value={open.text} label={words.copy} />
            </Group>
          )}
        </div>
      </Stack>
    </Modal>
  );
};
