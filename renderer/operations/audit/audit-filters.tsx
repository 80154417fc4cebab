import { useState } from 'react';
import { type AuditPerson, auditHttp } from '#contracts/kernel/audit.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { FilterBox } from '../../kit/lists/filter-box.tsx';
import { Filters } from '../../kit/records/filters.tsx';
import { PersonFilter } from '../../kit/records/person-filter.tsx';
import { RangeFilter } from '../../kit/records/range-filter.tsx';
import { recordsWords } from '../../kit/records/records.words.ts';
import { TextFilter } from '../../kit/records/text-filter.tsx';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { auditWords } from './audit.words.ts';
import { auditActionWords } from './audit-actions.words.ts';
import { referenceIn } from './reference.ts';

interface AuditPersonFilterProps {
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}

const personGroups = ['admin', 'api-key', 'discord', 'player', 'shop', 'system'] as const;
const groupOf = (kind: string) => personGroups.find((group) => group === kind) ?? 'system';

/** Whose actions are shown: everyone who appears in the log; players once their name is typed. */
const AuditPersonFilter = ({ value, onChange }: AuditPersonFilterProps) => {
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

interface AuditFiltersProps {
  /** How many filters are set. */
  readonly count: number;
  /** The name of the target that is filtered by. */
  readonly targetName: (target: string) => string;
  readonly onClear: () => void;
}

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
export const AuditFilters = ({ count, targetName, onClear }: AuditFiltersProps) => {
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
