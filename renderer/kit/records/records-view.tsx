import { Button, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { EmptyState } from '../design/empty-state.tsx';
import { Loading } from '../design/loading.tsx';
import { Trouble } from '../design/trouble.tsx';
import { useWords } from '../language/use-words.ts';
import classes from './record-list.module.css';
import { type LiveEdge, RecordList } from './record-list.tsx';
import { type Identified, newCount } from './record-window.ts';
import { recordsWords } from './records.words.ts';
import type { Records } from './use-records.ts';

/** More than fit into a window. */
const rowsOnTheirWay = 30;

interface RecordsViewProps<Row> {
  readonly label: string;
  readonly records: Records<Row>;
  /** Where new rows are added: logs are read downwards, and only from their newest line. */
  readonly liveEdge: LiveEdge;
  /** In rem, for rows of one line, and for rows of two lines where there is no room. */
  readonly rowHeights: { readonly wide: number; readonly narrow: number };
  /** The names of the columns. */
  readonly head?: ReactNode;
  readonly openId: string | null;
  readonly onOpen: (row: Row) => void;
  /** Kept at whether the live edge is in view. */
  readonly isFollowingRef?: { current: boolean };
  readonly children: (row: Row) => ReactNode;
  /** Shown if there are no records at all. */
  readonly empty: ReactNode;
  /** Absent: nothing is filtered. */
  readonly onClearFilters?: () => void;
}

/** As high as the list that is loading. */
const RecordsOnTheirWay = ({ head }: Pick<RecordsViewProps<never>, 'head'>) => (
  <div className={classes.frame}>
    {head && <div className={classes.head}>{head}</div>}
    <div className={classes.waiting}>
      <Loading rows={rowsOnTheirWay} />
    </div>
  </div>
);

/** A long list of records with its two ends: the waiting rows at the newer one, and further rows at the older one. */
export const RecordsView = <Row extends Identified>(props: RecordsViewProps<Row>) => {
  const { records, liveEdge, label } = props;
  const words = useWords(recordsWords);
  const isNarrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false });
  const { window } = records;
  const isReversed = liveEdge === 'end';
  const shown = window?.rows;
  const rows = useMemo(() => (isReversed ? shown?.toReversed() : shown) ?? [], [isReversed, shown]);
  if (!window)
    return records.error ? (
      <Trouble error={records.error} onRetry={() => records.begin('newest')} />
    ) : (
      <Stack gap="xs">
        <RecordsOnTheirWay head={props.head} />
        <Group mih="2rem" />
      </Stack>
    );

  const count = newCount(window);
  const hasMore = isReversed
    ? { start: window.older !== null, end: window.newer !== null }
    : { start: window.newer !== null, end: window.older !== null };
  const isDetached = window.newer !== null;
  const isEmpty = window.rows.length === 0 && window.older === null;
  const IconNewest = isReversed ? IconArrowDown : IconArrowUp;
  return (
    <Stack gap="xs">
      {isEmpty ? (
        props.onClearFilters ? (
          <EmptyState
            title={words.nothing}
            text={words.nothingText}
            action={
              <Button variant="default" size="xs" onClick={props.onClearFilters}>
                {words.clear}
              </Button>
            }
          />
        ) : (
          props.empty
        )
      ) : (
        <RecordList
          label={label}
          rows={rows}
          liveEdge={liveEdge}
          generation={records.shownKey}
          beginAt={(records.beginning === 'newest') === isReversed ? 'end' : 'start'}
          rowHeight={isNarrow ? props.rowHeights.narrow : props.rowHeights.wide}
          hasMore={hasMore}
          openId={props.openId}
          onOpen={props.onOpen}
          head={props.head}
          onFollow={(isFollowing) => {
            if (props.isFollowingRef) props.isFollowingRef.current = isFollowing;
            if (isFollowing && count > 0) records.showWaiting();
          }}
          onNear={(edge) => {
            if (records.edgeError) return;
            if ((edge === 'end') === isReversed) records.loadNewer();
            else records.loadOlder();
          }}
          notice={
            count > 0 &&
            props.openId === null && (
              <Button
                size="xs"
                leftSection={<IconNewest size={14} aria-hidden />}
                onClick={records.showWaiting}
              >
                {isReversed ? words.newLines(count) : words.newRows(count)}
              </Button>
            )
          }
        >
          {props.children}
        </RecordList>
      )}
      {records.edgeError !== null && <Trouble error={records.edgeError} onRetry={records.tryAgain} />}
      <Group gap="xs" justify="space-between" mih="2rem">
        <Text size="sm" c="dimmed" role="status">
          {records.isReading ? words.reading : window.older === null && !isEmpty ? words.end : ''}
        </Text>
        <Group gap="xs">
          {isDetached && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconNewest size={14} aria-hidden />}
              onClick={() => records.begin('newest')}
            >
              {words.toNewest}
            </Button>
          )}
          {window.older !== null && !isReversed && (
            <>
              <Button size="xs" variant="default" loading={records.isReading} onClick={records.loadOlder}>
                {words.more}
              </Button>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconArrowDown size={14} aria-hidden />}
                onClick={() => records.begin('oldest')}
              >
                {words.toOldest}
              </Button>
            </>
          )}
        </Group>
      </Group>
    </Stack>
  );
};
