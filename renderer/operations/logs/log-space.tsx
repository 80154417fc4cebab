import { ScrollArea, Table } from '@mantine/core';
import { auditHttp } from '#contracts/kernel/audit.ts';
import { eventsHttp } from '#contracts/kernel/events.ts';
import { logsHttp } from '#contracts/kernel/logs.ts';
import { componentLogsHttp } from '#contracts/operations/component-logs.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { logsWords } from './logs.words.ts';

const everyMs = 60_000;
const newestOnly = { query: { limit: 1 } } as const;

/** The size of each log, and how long it is kept. */
export const LogSpace = () => {
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
