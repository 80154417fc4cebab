import { useEffect, useState } from 'react';
import { type AuditFilter, type AuditPerson, auditHttp } from '#contracts/kernel/audit.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { call } from '../../kit/api/call.ts';
import { useRead } from '../../kit/api/queries.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { FilterBox } from '../../kit/lists/filter-box.tsx';
import { bidirectionalPaging } from '../../kit/records/bidirectional-paging.ts';
import { ExportLinks } from '../../kit/records/export-links.tsx';
import { Filters } from '../../kit/records/filters.tsx';
import { PersonFilter } from '../../kit/records/person-filter.tsx';
import { rangeIn } from '../../kit/records/range.ts';
import { RangeFilter } from '../../kit/records/range-filter.tsx';
import { RecordRow } from '../../kit/records/record-row.tsx';
import { recordsWords } from '../../kit/records/records.words.ts';
import { RecordsView } from '../../kit/records/records-view.tsx';
import { TextFilter } from '../../kit/records/text-filter.tsx';
import { textIn } from '../../kit/records/text-in.ts';
import { longestTransactionMs, usePolledRecords } from '../../kit/records/use-polled-records.ts';
import { useRecordFilter } from '../../kit/records/use-record-filter.ts';
import { useRecords } from '../../kit/records/use-records.ts';
import { type SearchValues, useSearchState } from '../../kit/routing/use-search-state.ts';
import { auditWords } from './audit.words.ts';
import { auditActionWords } from './audit-actions.words.ts';
import { AuditDrawer } from './audit-drawer.tsx';
import classes from './audit-row.module.css';
import type { NamedAuditRow } from './named-audit-row.ts';
import { referenceIn } from './reference.ts';
import { type AuditTelling, useAuditTelling } from './use-audit-telling.ts';

const personGroups = ['admin', 'api-key', 'discord', 'player', 'shop', 'system'] as const;
const groupOf = (kind: string) => personGroups.find((group) => group === kind) ?? 'system';

/** Whose actions are shown: everyone who appears in the log; players once their name is typed. */
const AuditPersonFilter = ({
  value,
  onChange,
}: {
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}) => {
  const words = useWords(auditWords);
  const { removed } = useWords(recordsWords);
  const { compare } = useFormat();
  const [text, setText] = useState('');
  const all = useRead(auditHttp.people, {});
  const found = useRead(auditHttp.people, { query: { text } }, { enabled: text !== '' });
  const chosen = useRead(auditHttp.people, { query: { actor: value ?? '' } }, { enabled: value !== null });
  const people = new Map(
    [all, found, chosen].flatMap(({ data }) => data?.people ?? []).map((person) => [person.actor, person]),
  );
  const kindWord = (kind: string) =>
    Object.hasOwn(words.actors, kind) ? words.actors[kind as keyof typeof words.actors] : kind;
  const nameOf = ({ kind, name, actor, isRemoved }: AuditPerson) => {
    const known = name ?? `${kindWord(kind)} ${referenceIn(actor).id}`.trim();
    return isRemoved ? removed(known) : known;
  };
  const options = [...people.values()]
    .map((person) => ({ value: person.actor, name: nameOf(person), group: groupOf(person.kind) }))
    .sort(
      (one, other) =>
        personGroups.indexOf(one.group) - personGroups.indexOf(other.group) || compare(one.name, other.name),
    )
    .map((person) => ({ ...person, group: words.groups[person.group] }));
  // Has done nothing, or is not loaded yet: the filter is shown all the same.
  if (value !== null && !people.has(value)) {
    const { kind, id } = referenceIn(value);
    options.push({ value, name: `${kindWord(kind)} ${id}`.trim(), group: words.groups[groupOf(kind)] });
  }
  return <PersonFilter people={options} value={value} onChange={onChange} onSearch={setText} />;
};

interface Option {
  readonly value: string;
  readonly label: string;
}

/** Gone, or from another version: the filter is shown all the same. */
const withChosen = (options: readonly Option[], value: string | undefined): readonly Option[] =>
  value && !options.some((option) => option.value === value)
    ? [{ value, label: value }, ...options]
    : options;

/** The search and filters of the audit log; kept in the address. */
const AuditFilters = (props: {
  /** How many filters are set. */
  readonly count: number;
  /** The name of the target that is filtered by. */
  readonly targetName: (target: string) => string;
  readonly onClear: () => void;
}) => {
  const { count, targetName, onClear } = props;
  const words = useWords(auditWords);
  const actions = useWords(auditActionWords);
  const { compare } = useFormat();
  const can = useCan();
  const { values, set } = useSearchState();
  const servers = useRead(gameServersHttp.list, {}, { enabled: can.somewhere('servers.read') });
  const { actor, action, target, server } = values;
  const known = Object.entries(actions)
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => compare(one.label, other.label));
  const serverOptions = (servers.data?.rows ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Filters count={count} onClear={onClear} lead={<TextFilter name="text" label={words.text} />}>
      <AuditPersonFilter value={actor || null} onChange={(next) => set({ actor: next })} />
      <FilterBox
        label={words.action}
        options={withChosen(known, action)}
        value={action ?? null}
        onChange={(next) => set({ action: next })}
      />
      <FilterBox
        label={words.server}
        options={withChosen(serverOptions, server)}
        value={server ?? null}
        onChange={(next) => set({ server: next })}
      />
      {target && (
        <FilterBox
          label={words.target}
          options={[{ value: target, label: targetName(target) }]}
          value={target}
          onChange={(next) => set({ target: next })}
        />
      )}
      <RangeFilter />
    </Filters>
  );
};

/** An action in one line: who, what, on what, from where. */
const AuditLine = ({ row, telling }: { readonly row: NamedAuditRow; readonly telling: AuditTelling }) => {
  const summary = telling.summary(row);
  return (
    <RecordRow at={row.at} columns={classes.columns}>
      <bdi className={classes.who}>{telling.actor(row)}</bdi>
      <span className={classes.what}>
        {telling.action(row.action)}
        {summary !== '' && <bdi className={classes.summary}>{summary}</bdi>}
      </span>
      <bdi className={classes.target}>{telling.target(row)}</bdi>
      <bdi className={classes.from}>{row.address}</bdi>
    </RecordRow>
  );
};

/** The names of the columns. */
const AuditHead = () => {
  const words = useWords(auditWords);
  return (
    <span className={`${classes.head} ${classes.columns}`}>
      <span>{words.when}</span>
      <span>{words.who}</span>
      <span>{words.what}</span>
      <span>{words.on}</span>
      <span>{words.from}</span>
    </span>
  );
};

const auditTexts = ['actor', 'action', 'target', 'text'] as const;
const auditFilterNames = [...auditTexts, 'server', 'when', 'from', 'to'] as const;
/** As in the contract. */
const longestWord = 200;
const longestId = 100;

/** The filter that an address asks for; anything else in the address is left out. */
const auditFilterIn = (values: SearchValues): AuditFilter => {
  const serverId = textIn(values.server, longestId);
  return {
    ...Object.fromEntries(
      auditTexts.flatMap((name) => {
        const word = textIn(values[name], longestWord);
        return word ? [[name, word] as const] : [];
      }),
    ),
    ...(serverId && { serverId }),
    ...rangeIn(values),
  };
};

/** In rem: a row in one line, and in two. */
const rowHeights = { wide: 2.75, narrow: 3.5 } as const;

type Query = NonNullable<Parameters<typeof call<typeof auditHttp.list>>[1]['query']>;

/** A page of rows that carry the page's names for the things they mention. */
const readPage = async (query: Query, signal?: AbortSignal) => {
  const { rows, names, ...cursors } = await call(auditHttp.list, { query }, { ...(signal && { signal }) });
  return { rows: rows.map((row): NamedAuditRow => ({ ...row, names })), ...cursors };
};

export const Page = () => {
  const words = useWords(auditWords);
  const { filter, filterKey, count, clear } = useRecordFilter(auditFilterIn, auditFilterNames, true);
  const [open, setOpen] = useState<NamedAuditRow | null>(null);
  const telling = useAuditTelling();
  const records = useRecords(
    bidirectionalPaging<NamedAuditRow>([auditHttp.list.path, filter], (edge, signal) =>
      readPage({ ...filter, ...edge }, signal),
    ),
  );
  const { isFollowing } = usePolledRecords(records, async (since) => {
    const { from, to } = filter;
    // A time span in the past gets no new entries.
    if (to !== undefined && Date.parse(to) + longestTransactionMs < serverNowMs())
      return { rows: [], isCut: false };
    const later = since !== undefined && (from === undefined || from < since) ? since : from;
    const { rows, nextCursor } = await readPage({ ...filter, ...(later && { from: later }) });
    return { rows, isCut: since !== undefined && nextCursor !== null };
  });
  // The links in an entry lead to this same page, with other filters.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the filters are others
  useEffect(() => setOpen(null), [filterKey]);
  const example = records.window?.rows.find(({ target }) => target === filter.target);

  return (
    <Frame
      title={words.title}
      description={words.description}
      actions={<ExportLinks csv={auditHttp.exportCsv} jsonLines={auditHttp.exportJsonLines} query={filter} />}
    >
      <AuditFilters
        count={count}
        targetName={(target) => (example ? telling.target(example) : telling.named(target, { names: {} }))}
        onClear={clear}
      />
      <RecordsView
        label={words.title}
        records={records}
        liveEdge="start"
        rowHeights={rowHeights}
        head={<AuditHead />}
        openId={open?.id ?? null}
        onOpen={setOpen}
        isFollowingRef={isFollowing}
        {...(count > 0 && { onClearFilters: clear })}
        empty={
          <EmptyState
            title={words.empty}
            text={words.emptyText}
            example={[words.when, words.who, words.what, words.on]}
          />
        }
      >
        {(row) => <AuditLine row={row} telling={telling} />}
      </RecordsView>
      {open && <AuditDrawer row={open} telling={telling} onClose={() => setOpen(null)} />}
    </Frame>
  );
};
