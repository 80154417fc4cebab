import { Button } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type AuditRow, auditHttp } from '#contracts/audit.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { useWords } from '../../language/use-words.ts';
import { bidirectionalPaging } from '../../records/bidirectional-paging.ts';
import { ExportLinks } from '../../records/export-links.tsx';
import { recordsWords } from '../../records/records.words.ts';
import { RecordsView } from '../../records/records-view.tsx';
import { useRecordFilter } from '../../records/use-record-filter.ts';
import { useRecords } from '../../records/use-records.ts';
import { call } from '../../wire/call.ts';
import { auditWords } from './audit.words.ts';
import { AuditDrawer } from './audit-drawer.tsx';
import { auditFilterIn, auditFilterNames } from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditLine } from './audit-line.tsx';
import { useAuditNames } from './use-audit-names.ts';

const rowHeights = { wide: 2.25, narrow: 3.25 } as const;
const lookEveryMs = 10_000;

export const Page = () => {
  const words = useWords(auditWords);
  const general = useWords(recordsWords);
  const { filter, filterKey, count, clear } = useRecordFilter(auditFilterIn, auditFilterNames, true);
  const [open, setOpen] = useState<AuditRow | null>(null);
  const names = useAuditNames();
  const records = useRecords(
    bidirectionalPaging<AuditRow>([auditHttp.list.path, filter], (edge, signal) =>
      call(auditHttp.list, { query: { ...filter, ...edge } }, { signal }),
    ),
  );
  // The links in an entry lead to this very page, with other filters.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the filters are others
  useEffect(() => setOpen(null), [filterKey]);
  const { start, stop } = useInterval(() => {
    if (document.visibilityState === 'visible' && !records.window?.newer) records.lookForNewer();
  }, lookEveryMs);
  useEffect(() => {
    start();
    return stop;
  }, [start, stop]);

  return (
    <Frame
      title={words.title}
      description={words.description}
      actions={
        <>
          <Button
            variant="default"
            px="sm"
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={records.lookForNewer}
          >
            {words.reload}
          </Button>
          <ExportLinks csv={auditHttp.exportCsv} jsonLines={auditHttp.exportJsonLines} query={filter} />
        </>
      }
    >
      <AuditFilters count={count} onClear={clear} />
      <RecordsView
        label={words.title}
        records={records}
        liveEdge="start"
        rowHeights={rowHeights}
        openId={open?.id ?? null}
        onOpen={setOpen}
        {...(count > 0 && { onClearFilters: clear })}
        newWords={general.newRows}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
        hasOldest
      >
        {(row) => <AuditLine row={row} names={names} />}
      </RecordsView>
      {open && <AuditDrawer row={open} names={names} onClose={() => setOpen(null)} />}
    </Frame>
  );
};
