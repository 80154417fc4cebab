import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { eventKindNames, severities } from '#contracts/event-kinds.ts';
import { type EventRow, eventsHttp } from '#contracts/events.ts';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { useCan } from '../../access/access-state.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { eventWords } from '../../event-words/event-words.ts';
import { useLanguage, useWords } from '../../language/use-words.ts';
import { FilterBox } from '../../lists/filter-box.tsx';
import { ExportLinks } from '../../records/export-links.tsx';
import { Filters } from '../../records/filters.tsx';
import { ManyFilter } from '../../records/many-filter.tsx';
import { RangeFilter } from '../../records/range-filter.tsx';
import { recordsWords } from '../../records/records.words.ts';
import { RecordsView } from '../../records/records-view.tsx';
import { asRecordPage, byTime } from '../../records/two-way.ts';
import { useLiveRecords } from '../../records/use-live-records.ts';
import { useRecords } from '../../records/use-records.ts';
import { useSearchState } from '../../routing/use-search-state.ts';
import { call } from '../../wire/call.ts';
import { useRead } from '../../wire/queries.ts';
import { EventDrawer } from './event-drawer.tsx';
import { eventFilterIn, eventFilterNames, isInFilter } from './event-filter.ts';
import { EventLine } from './event-line.tsx';
import { eventsWords } from './events.words.ts';

const wideRow = 2.25;
const narrowRow = 3.25;

export const Page = () => {
  const words = useWords(eventsWords);
  const general = useWords(recordsWords);
  const { kinds, severities: severityWords } = eventWords[useLanguage()];
  const can = useCan();
  const { values, set } = useSearchState();
  const isNarrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false });
  const [open, setOpen] = useState<EventRow | null>(null);
  const servers = useRead(gameServersHttp.list, {}, { enabled: can.somewhere('servers.read') });
  const nameOf = (id: string | null) => servers.data?.rows.find((server) => server.id === id)?.name ?? null;
  const filter = eventFilterIn(values);
  const { serverId = null } = filter;
  const serverChoices = (servers.data?.rows ?? []).map(({ id, name }) => ({ value: id, label: name }));
  // Gone, not to be seen, or not read yet: what is filtered by is shown all the same.
  if (serverId !== null && !serverChoices.some(({ value }) => value === serverId))
    serverChoices.push({ value: serverId, label: serverId });
  const count = Object.keys(filter).length;
  const isFiltered = count > 0;
  const records = useRecords<EventRow>({
    ...byTime,
    key: [eventsHttp.list.path, filter],
    async open(beginning, signal) {
      const page = beginning === 'oldest' ? 'last' : 'first';
      const answer = await call(eventsHttp.list, { query: { ...filter, page } }, { signal });
      return { ...asRecordPage(answer), liveCursor: answer.liveCursor };
    },
    read: async (edge, signal) =>
      asRecordPage(await call(eventsHttp.list, { query: { ...filter, ...edge } }, { signal })),
  });
  const { isFollowing } = useLiveRecords(records, { topic: 'events' }, (message) =>
    message.type === 'events' ? message.events.filter((row) => isInFilter(filter, row)) : null,
  );
  const clear = () => set(Object.fromEntries(eventFilterNames.map((name) => [name, ''])));

  return (
    <Frame
      title={words.title}
      description={words.description}
      actions={
        <ExportLinks csv={eventsHttp.exportCsv} jsonLines={eventsHttp.exportJsonLines} query={filter} />
      }
    >
      <Filters count={count} onClear={clear}>
        <ManyFilter name="kind" label={words.kind} allowed={eventKindNames} words={kinds} />
        <ManyFilter name="severity" label={words.severity} allowed={severities} words={severityWords} />
        <FilterBox
          label={words.server}
          options={serverChoices}
          value={serverId}
          onChange={(id) => set({ server: id })}
        />
        <RangeFilter />
      </Filters>
      <RecordsView
        label={words.title}
        records={records}
        liveEdge="start"
        rowHeight={isNarrow ? narrowRow : wideRow}
        openId={open?.id ?? null}
        onOpen={setOpen}
        onFollow={(is) => {
          isFollowing.current = is;
        }}
        {...(isFiltered && { onClearFilters: clear })}
        newWords={general.newRows}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
        hasOldest
      >
        {(event) => <EventLine event={event} serverName={nameOf(event.serverId)} />}
      </RecordsView>
      {open && <EventDrawer event={open} serverName={nameOf(open.serverId)} onClose={() => setOpen(null)} />}
    </Frame>
  );
};
