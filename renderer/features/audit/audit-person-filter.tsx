import { useState } from 'react';
import { type AuditPerson, auditHttp } from '#contracts/audit.ts';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { PersonFilter } from '../../records/person-filter.tsx';
import { recordsWords } from '../../records/records.words.ts';
import { useRead } from '../../wire/queries.ts';
import { auditWords } from './audit.words.ts';
import { referenceIn } from './reference.ts';

export interface AuditPersonFilterProps {
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}

const groups = ['admin', 'api-key', 'discord', 'player', 'shop', 'system'] as const;
const groupOf = (kind: string) => groups.find((group) => group === kind) ?? 'system';

/** Whose actions are shown: everyone who appears in the log; players once their name is typed. */
export const AuditPersonFilter = ({ value, onChange }: AuditPersonFilterProps) => {
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
        groups.indexOf(one.group) - groups.indexOf(other.group) || compare(one.name, other.name),
    )
    .map((person) => ({ ...person, group: words.groups[person.group] }));
  // Has done nothing, or is not loaded yet: the filter is shown all the same.
  if (value !== null && !people.has(value)) {
    const { kind, id } = referenceIn(value);
    options.push({ value, name: `${kindWord(kind)} ${id}`.trim(), group: words.groups[groupOf(kind)] });
  }
  return <PersonFilter people={options} value={value} onChange={onChange} onSearch={setText} />;
};
