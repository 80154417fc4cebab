import { Select, TextInput } from '@mantine/core';
import { useWords } from '../../language/use-words.ts';
import { Filters } from '../../records/filters.tsx';
import { RangeFilter } from '../../records/range-filter.tsx';
import { recordsWords } from '../../records/records.words.ts';
import { useSearchState } from '../../routing/use-search-state.ts';
import { auditWords } from './audit.words.ts';
import { auditActions } from './audit-actions.words.ts';

/** What the audit log is searched by; kept in the address. */
export const AuditFilters = ({ onClear }: { readonly onClear?: () => void }) => {
  const words = useWords(auditWords);
  const general = useWords(recordsWords);
  const actions: Readonly<Record<string, string>> = useWords(auditActions);
  const { values, set } = useSearchState();
  const { action } = values;
  const known = Object.entries(actions).map(([value, label]) => ({ value, label }));
  const field = (name: 'actor' | 'target' | 'text', label: string, placeholder?: string) => (
    <TextInput
      size="xs"
      label={label}
      value={values[name] ?? ''}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
      maxLength={200}
      {...(placeholder && { placeholder })}
    />
  );
  return (
    <Filters {...(onClear && { onClear })}>
      {field('text', words.text)}
      {field('actor', words.actor, words.actorHelp)}
      <Select
        size="xs"
        label={words.action}
        placeholder={general.all}
        data={
          action && !Object.hasOwn(actions, action) ? [{ value: action, label: action }, ...known] : known
        }
        value={action ?? null}
        onChange={(next) => set({ action: next ?? '' })}
        searchable
        clearable
      />
      {field('target', words.target, words.targetHelp)}
      <RangeFilter />
    </Filters>
  );
};
