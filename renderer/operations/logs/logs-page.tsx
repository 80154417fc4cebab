import { Button, Group, ScrollArea, Table, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { auditHttp } from '#contracts/kernel/audit.ts';
import { addressOf } from '#contracts/kernel/call-input.ts';
import { eventsHttp } from '#contracts/kernel/events.ts';
import { logsHttp } from '#contracts/kernel/logs.ts';
import {
  type ComponentLogRow,
  componentLogLevels,
  componentLogsHttp,
  logComponents,
} from '#contracts/operations/component-logs.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { call } from '../../kit/api/call.ts';
import { useRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { FilterBox } from '../../kit/lists/filter-box.tsx';
import { Filters } from '../../kit/records/filters.tsx';
import { Moment } from '../../kit/records/moment.tsx';
import { RecordDrawer } from '../../kit/records/record-drawer.tsx';
import { RecordsView } from '../../kit/records/records-view.tsx';
import { TextFilter } from '../../kit/records/text-filter.tsx';
import { useLiveRecords } from '../../kit/records/use-live-records.ts';
import { useRecordFilter } from '../../kit/records/use-record-filter.ts';
import { useRecords } from '../../kit/records/use-records.ts';
import { Value } from '../../kit/records/value.tsx';
import classes from './log-line.module.css';
import { type LogLine, lineOf, linesOf, logComponentIn, logFilterIn, logFilterNames } from './log-lines.ts';
import { logsWords } from './logs.words.ts';

const everyMs = 60_000;
const newestOnly = { query: { limit: 1 } } as const;

/** The size of each log, and how long it is kept. */
const LogSpace = () => {
  const words = useWords(logsWords);
  const format = useFormat();
  const records = useRead(logsHttp.usage, {}, { everyMs });
  const can = useCan();
  const newest = {
    audit: useRead(auditHttp.list, newestOnly, { everyMs, enabled: can('audit.read') }).data?.rows,
    events: useRead(eventsHttp.list, newestOnly, { everyMs, enabled: can('events.read') }).data?.rows,
  } as const;
  const files = useRead(componentLogsHttp.usage, {}, { everyMs });
  const time = (at: string | null) => (at === null ? words.none : <TimeAgo at={at} />);
  const failed = [records, files].find(({ data, error }) => error && data === undefined);
  // It is below everything else: shown only when it is complete, it moves nothing, its own columns neither.
  if (!failed && (records.data === undefined || files.data === undefined)) return null;
  return (
    <Card title={words.space}>
      {failed && <Trouble error={failed.error} onRetry={() => void failed.refetch()} />}
      <ScrollArea
        type="auto"
        offsetScrollbars="present"
        viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': words.space }}
      >
        <Table aria-label={words.space} miw="34rem" style={{ whiteSpace: 'nowrap' }}>
          <Table.Thead>
            <Table.Tr>
              {[words.log, words.size, words.rows, words.oldest, words.newest, words.kept].map((header) => (
                <Table.Th key={header}>{header}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {records.data?.logs.map(({ name, bytes, rowsEstimate, oldestAt, retentionDays }) => (
              <Table.Tr key={name}>
                <Table.Td>{words.names[name]}</Table.Td>
                <Table.Td>{format.bytes(bytes)}</Table.Td>
                <Table.Td>{words.rowsAbout(format.number(rowsEstimate))}</Table.Td>
                <Table.Td>{time(oldestAt)}</Table.Td>
                <Table.Td>{newest[name] ? time(newest[name][0]?.at ?? null) : '–'}</Table.Td>
                <Table.Td>{words.days(retentionDays)}</Table.Td>
              </Table.Tr>
            ))}
            {files.data?.logs.map(({ component, bytes, newestAt }) => (
              <Table.Tr key={component}>
                <Table.Td>{words.components[component]}</Table.Td>
                <Table.Td>{format.bytes(bytes)}</Table.Td>
                <Table.Td>–</Table.Td>
                <Table.Td>–</Table.Td>
                <Table.Td>{time(newestAt)}</Table.Td>
                <Table.Td>{words.keptBySize}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </Card>
  );
};

/** The most that could ever be visible of a line's other fields in its row. */
const longestSummary = 300;

const summaryOf = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('  ')
    .slice(0, longestSummary);

/** A line of a log, its other fields collapsed behind its text. */
const LogLineRow = ({ line: { row, skipped } }: { readonly line: LogLine }) => {
  const words = useWords(logsWords);
  if (!row) return <span className={classes.skipped}>… {words.skipped(skipped)}</span>;
  return (
    <span className={classes.row}>
      <span className={classes.when}>
        <Moment at={row.at} isShort />
      </span>
      <span className={classes.level} data-level={row.level ?? 'info'}>
        {row.level ? words.levels[row.level] : '–'}
      </span>
      <span className={classes.message}>
        <bdi>{row.message}</bdi> <bdi className={classes.fields}>{summaryOf(row.fields)}</bdi>
      </span>
    </span>
  );
};

const LogDrawer = ({ row, onClose }: { readonly row: ComponentLogRow; readonly onClose: () => void }) => {
  const words = useWords(logsWords);
  const { at, level, component, message, fields, raw } = row;
  const others = Object.entries(fields);
  return (
    <RecordDrawer title={words.components[component]} onClose={onClose}>
      <Facts
        facts={[
          { label: words.when, value: <Moment at={at} /> },
          { label: words.level, value: level ? words.levels[level] : '–' },
        ]}
      />
      <Group justify="space-between">
        <Title order={3}>{words.message}</Title>
        <CopyButton value={raw ?? JSON.stringify({ at, level, message, ...fields })} label={words.copy} />
      </Group>
      <Value value={message} />
      {others.length > 0 && (
        <>
          <Title order={3}>{words.fields}</Title>
          <Facts
            facts={others.map(([name, value]) => ({
              label: <bdi>{name}</bdi>,
              value: <Value value={value} />,
            }))}
          />
        </>
      )}
      {raw !== undefined && (
        <>
          <Title order={3}>{words.raw}</Title>
          <Value value={raw} />
        </>
      )}
    </RecordDrawer>
  );
};

const rowHeights = { wide: 1.75, narrow: 3 } as const;

export const Page = () => {
  const words = useWords(logsWords);
  const { values, set, filter, count, clear } = useRecordFilter(logFilterIn, logFilterNames, true);
  const [open, setOpen] = useState<ComponentLogRow | null>(null);
  const component = logComponentIn(values);
  const read = async (cursor: string | undefined, signal: AbortSignal) => {
    const query = { ...filter, ...(cursor !== undefined && { cursor }) };
    const answer = await call(componentLogsHttp.search, { params: { component }, query }, { signal });
    return {
      rows: answer.rows.map(lineOf),
      older: answer.nextCursor === null ? null : { cursor: answer.nextCursor },
      newer: null,
      liveCursor: answer.liveCursor,
    };
  };
  const records = useRecords<LogLine>({
    key: [componentLogsHttp.search.path, component, filter],
    isOneWay: true,
    olderThan: ({ cursor }) => ({ cursor }),
    newerThan: ({ cursor }) => ({ cursor }),
    open: (_beginning, signal) => read(undefined, signal),
    read: ({ cursor }, signal) => read(cursor, signal),
  });
  const { isFollowing } = useLiveRecords(records, { topic: 'log', component }, (message) =>
    message.type === 'log' && message.component === component ? linesOf(message, filter) : null,
  );

  return (
    <Frame
      title={words.title}
      description={words.description}
      actions={
        <Button
          component="a"
          href={addressOf(componentLogsHttp.download.path, { component }, undefined)}
          download={`castellan-${component}.log`}
          variant="default"
          px="sm"
          leftSection={<IconDownload size={16} aria-hidden />}
          aria-label={words.downloadLabel(words.components[component])}
        >
          {words.download}
        </Button>
      }
    >
      <Filters
        count={count}
        onClear={clear}
        lead={
          <FilterBox
            label={words.component}
            options={logComponents.map((value) => ({ value, label: words.components[value] }))}
            value={component}
            onChange={(next) => set({ component: next })}
            isRequired
          />
        }
      >
        <FilterBox
          label={words.level}
          options={componentLogLevels.map((value) => ({ value, label: words.atLeast(words.levels[value]) }))}
          value={filter.level ?? null}
          onChange={(next) => set({ level: next })}
        />
        <TextFilter name="text" label={words.text} />
      </Filters>
      <RecordsView
        label={`${words.title}: ${words.components[component]}`}
        records={records}
        liveEdge="end"
        rowHeights={rowHeights}
        openId={open?.id ?? null}
        onOpen={({ row }) => setOpen(row)}
        isFollowingRef={isFollowing}
        {...(count > 0 && { onClearFilters: clear })}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
      >
        {(line) => <LogLineRow line={line} />}
      </RecordsView>
      {(records.window !== undefined || records.error !== null) && <LogSpace />}
      {open && <LogDrawer row={open} onClose={() => setOpen(null)} />}
    </Frame>
  );
};
