import { Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { eventKindNames } from '#contracts/kernel/event-kinds.ts';
import { eventsHttp } from '#contracts/kernel/events.ts';
import { type EventRow, severities } from '#contracts/operations/event-row.ts';
import { kindName } from '#contracts/operations/event-sentence.ts';
import { eventWords } from '#contracts/operations/event-words.ts';
import { playersHttp } from '#contracts/people/players.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { call } from '../../kit/api/call.ts';
import { useRead } from '../../kit/api/queries.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { type Fact, Facts } from '../../kit/design/facts.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { FilterBox } from '../../kit/lists/filter-box.tsx';
import { bidirectionalPaging } from '../../kit/records/bidirectional-paging.ts';
import { ExportLinks } from '../../kit/records/export-links.tsx';
import { Filters } from '../../kit/records/filters.tsx';
import { Moment } from '../../kit/records/moment.tsx';
import { MultiSelectFilter } from '../../kit/records/multi-select-filter.tsx';
import { PersonFilter } from '../../kit/records/person-filter.tsx';
import { RangeFilter } from '../../kit/records/range-filter.tsx';
import { RawRecord } from '../../kit/records/raw-record.tsx';
import { RecordDrawer } from '../../kit/records/record-drawer.tsx';
import { RecordsView } from '../../kit/records/records-view.tsx';
import { useLiveRecords } from '../../kit/records/use-live-records.ts';
import { useRecordFilter } from '../../kit/records/use-record-filter.ts';
import { useRecords } from '../../kit/records/use-records.ts';
import { eventSentence } from '../event-sentence.ts';
import { eventFilterIn, eventFilterNames, isInFilter } from './event-filter.ts';
import { EventHead, EventLine, severityTones } from './event-line.tsx';
import { eventsWords } from './events.words.ts';

/** The ids in an event, and the pages that show them. */
const subjects = [
  { field: 'memberId', path: '/members', permission: 'members.read', label: 'member' },
  { field: 'orderId', path: '/orders', permission: 'orders.read', label: 'order' },
  { field: 'deliveryId', path: '/deliveries', permission: 'orders.read', label: 'delivery' },
] as const;

const idIn = (payload: EventRow['payload'], name: string): string | null => {
  const id = payload[name];
  return typeof id === 'string' && id !== '' ? id : null;
};

/** All details of an event, with links to the people and things in it. */
const EventDrawer = (props: {
  readonly event: EventRow;
  readonly serverName: string | null;
  readonly onClose: () => void;
}) => {
  const { event, serverName, onClose } = props;
  const words = useWords(eventsWords);
  const language = useLanguage();
  const can = useCan();
  const { at, kind, severity, serverId, payload } = event;
  const name = typeof payload.name === 'string' ? payload.name : '';
  const link = (path: string, id: string, text: string, isOpen: boolean) =>
    isOpen ? (
      <PanelLink to={`${path}/${encodeURIComponent(id)}`}>
        <bdi>{text || id}</bdi>
      </PanelLink>
    ) : (
      <bdi>{text || id}</bdi>
    );
  const playerId = idIn(payload, 'playerId');
  const adminId = idIn(payload, 'adminId');
  const facts: Fact[] = [
    {
      label: words.when,
      value: (
        <>
          <Moment at={at} /> (<TimeAgo at={at} />)
        </>
      ),
    },
    { label: words.kind, value: kindName(kind, language) },
    {
      label: words.severity,
      value: (
        <StateLabel tone={severityTones[severity]}>{eventWords[language].severities[severity]}</StateLabel>
      ),
    },
  ];
  if (serverId !== null)
    facts.push({
      label: words.server,
      value: link('/servers', serverId, serverName ?? '', can('servers.read', serverId)),
    });
  const withAll = (person: string, shown: ReactNode) => (
    <Group gap="sm">
      {shown}
      <PanelLink to={`/events?person=${encodeURIComponent(person)}`} size="sm">
        {words.everything}
      </PanelLink>
    </Group>
  );
  if (playerId !== null)
    facts.push({
      label: words.player,
      value: withAll(
        `player:${playerId}`,
        link('/players', playerId, name, can('players.read', serverId ?? undefined)),
      ),
    });
  if (adminId !== null)
    facts.push({
      label: words.admin,
      value: withAll(`admin:${adminId}`, link('/admins', adminId, name, can('admins.read'))),
    });
  for (const { field, path, permission, label } of subjects) {
    const id = idIn(payload, field);
    if (id !== null && can(permission))
      facts.push({ label: words[label], value: link(path, id, words.open(words[label]), true) });
  }
  if (idIn(payload, 'shopId') !== null && can('shops.read'))
    facts.push({
      label: words.outsideShop,
      value: (
        <PanelLink to="/shops">
          <bdi>{idIn(payload, 'shop') ?? words.outsideShop}</bdi>
        </PanelLink>
      ),
    });
  return (
    <RecordDrawer title={kindName(kind, language)} onClose={onClose}>
      <Text>{eventSentence(event, language, serverName)}</Text>
      <Facts facts={facts} />
      <RawRecord record={event} />
    </RecordDrawer>
  );
};

const mostFound = 50;

/** Whose events are shown: the players seen last, all others by their names. */
const EventPersonFilter = ({
  value,
  onChange,
}: {
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}) => {
  const words = useWords(eventsWords);
  const can = useCan();
  const [text, setText] = useState('');
  const seesPlayers = can.somewhere('players.read');
  const query = { limit: mostFound, ...(text !== '' && { text }) };
  const players = useRead(playersHttp.search, { query }, { enabled: seesPlayers });
  const admins = useRead(adminsHttp.list, {}, { enabled: can('admins.read') });
  const [kind = '', id = ''] = value?.split(/:(.*)/s) ?? [];
  const chosen = useRead(playersHttp.read, { params: { id } }, { enabled: seesPlayers && kind === 'player' });
  const people = new Map(
    [
      ...(admins.data?.rows ?? []).map((admin) => ({
        value: `admin:${admin.id}`,
        name: admin.name,
        group: words.admins,
      })),
      ...[...(players.data?.rows ?? []), ...(chosen.data ? [chosen.data] : [])].map((player) => ({
        value: `player:${player.id}`,
        name: player.name,
        group: words.players,
      })),
    ].map((person) => [person.value, person]),
  );
  // Gone, not visible, or not loaded yet: the filter is shown all the same.
  if (value !== null && !people.has(value)) {
    const [what, group] = kind === 'admin' ? [words.admin, words.admins] : [words.player, words.players];
    people.set(value, { value, name: `${what} ${id}`, group });
  }
  return <PersonFilter people={[...people.values()]} value={value} onChange={onChange} onSearch={setText} />;
};

/** In rem: a row in one line, and in two. */
const rowHeights = { wide: 2.75, narrow: 3.5 } as const;

export const Page = () => {
  const words = useWords(eventsWords);
  const { kinds, severities: severityWords } = eventWords[useLanguage()];
  const can = useCan();
  const { set, filter, filterKey, count, clear } = useRecordFilter(eventFilterIn, eventFilterNames, false);
  const [open, setOpen] = useState<EventRow | null>(null);
  const servers = useRead(gameServersHttp.list, {}, { enabled: can.somewhere('servers.read') });
  const nameOf = (id: string | null) => servers.data?.rows.find((server) => server.id === id)?.name ?? null;
  const { serverId = null } = filter;
  const serverChoices = (servers.data?.rows ?? []).map(({ id, name }) => ({ value: id, label: name }));
  // Gone, not visible, or not loaded yet: the filter is shown all the same.
  if (serverId !== null && !serverChoices.some(({ value }) => value === serverId))
    serverChoices.push({ value: serverId, label: serverId });
  const records = useRecords(
    bidirectionalPaging<EventRow>([eventsHttp.list.path, filter], (edge, signal) =>
      call(eventsHttp.list, { query: { ...filter, ...edge } }, { signal }),
    ),
  );
  const { isFollowing } = useLiveRecords(records, { topic: 'events' }, (message) =>
    message.type === 'events' ? message.events.filter((row) => isInFilter(filter, row)) : null,
  );

  // The links in an event lead to this same page, with other filters.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the filters are others
  useEffect(() => setOpen(null), [filterKey]);

  return (
    <Frame
      title={words.title}
      description={words.description}
      actions={
        <ExportLinks csv={eventsHttp.exportCsv} jsonLines={eventsHttp.exportJsonLines} query={filter} />
      }
    >
      <Filters count={count} onClear={clear}>
        <MultiSelectFilter name="kind" label={words.kind} allowed={eventKindNames} words={kinds} />
        <MultiSelectFilter
          name="severity"
          label={words.severity}
          allowed={severities}
          words={severityWords}
        />
        <FilterBox
          label={words.server}
          options={serverChoices}
          value={serverId}
          onChange={(id) => set({ server: id })}
        />
        <EventPersonFilter value={filter.person ?? null} onChange={(person) => set({ person })} />
        <RangeFilter />
      </Filters>
      <RecordsView
        label={words.title}
        records={records}
        liveEdge="start"
        rowHeights={rowHeights}
        head={<EventHead />}
        openId={open?.id ?? null}
        onOpen={setOpen}
        isFollowingRef={isFollowing}
        {...(count > 0 && { onClearFilters: clear })}
        empty={
          <EmptyState
            title={words.empty}
            text={words.emptyText}
            example={[words.when, words.kind, words.what, words.server]}
          />
        }
      >
        {(event) => <EventLine event={event} serverName={nameOf(event.serverId)} />}
      </RecordsView>
      {open && <EventDrawer event={open} serverName={nameOf(open.serverId)} onClose={() => setOpen(null)} />}
    </Frame>
  );
};
