import { Button } from '@mantine/core';
import { useDebouncedValue, useInterval, useMediaQuery } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type AuditFilter, type AuditRow, auditHttp } from '#contracts/audit.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { useWords } from '../../language/use-words.ts';
import { ExportLinks } from '../../records/export-links.tsx';
import { recordsWords } from '../../records/records.words.ts';
import { RecordsView } from '../../records/records-view.tsx';
import { asRecordPage, byTime } from '../../records/two-way.ts';
import { useRecords } from '../../records/use-records.ts';
import { useSearchState } from '../../routing/use-search-state.ts';
import { call } from '../../wire/call.ts';
import { auditWords } from './audit.words.ts';
import { AuditDrawer } from './audit-drawer.tsx';
import { auditFilterIn, auditFilterNames } from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditLine } from './audit-line.tsx';
import { useAuditNames } from './use-audit-names.ts';

const wideRow = 2.25;
const narrowRow = 3.25;
/** Whoever types is not answered at each letter. */
const settledMs = 300;
const lookEveryMs = 10_000;

export const Page = () => {
  const words = useWords(auditWords);
  const general = useWords(recordsWords);
  const { values, set } = useSearchState();
  const isNarrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false });
  const [open, setOpen] = useState<AuditRow | null>(null);
  const names = useAuditNames();
  const [settled] = useDebouncedValue(JSON.stringify(auditFilterIn(values)), settledMs);
  const filter: AuditFilter = JSON.parse(settled);
  const count = Object.keys(filter).length;
  const isFiltered = count > 0;
  const records = useRecords<AuditRow>({
    ...byTime,
    key: [auditHttp.list.path, filter],
    async open(beginning, signal) {
      const page = beginning === 'oldest' ? 'last' : 'first';
      return asRecordPage(await call(auditHttp.list, { query: { ...filter, page } }, { signal }));
    },
    read: async (edge, signal) =>
      asRecordPage(await call(auditHttp.list, { query: { ...filter, ...edge } }, { signal })),
  });
  // The links in an entry lead to this very page, with other filters.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the filters are others
  useEffect(() => setOpen(null), [settled]);
  const { start, stop } = useInterval(() => {
    if (document.visibilityState === 'visible' && !records.window?.newer) records.lookForNewer();
  }, lookEveryMs);
  useEffect(() => {
    start();
    return stop;
  }, [start, stop]);
  const clear = () => set(Object.fromEntries(auditFilterNames.map((name) => [name, ''])));

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
        rowHeight={isNarrow ? narrowRow : wideRow}
        openId={open?.id ?? null}
        onOpen={setOpen}
        {...(isFiltered && { onClearFilters: clear })}
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
