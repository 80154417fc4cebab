import { useWords } from '../../language/use-words.ts';
import { FilterBox } from '../../lists/filter-box.tsx';
import { Filters } from '../../records/filters.tsx';
import { RangeFilter } from '../../records/range-filter.tsx';
import { TextFilter } from '../../records/text-filter.tsx';
import { useSearchState } from '../../routing/use-search-state.ts';
import { auditWords } from './audit.words.ts';
import { auditActions } from './audit-actions.words.ts';

export interface AuditFiltersProps {
  /** How many are set. */
  readonly count: number;
  readonly onClear: () => void;
}

/** What the audit log is searched by; kept in the address. */
export const AuditFilters = ({ count, onClear }: AuditFiltersProps) => {
  const words = useWords(auditWords);
  const actions: Readonly<Record<string, string>> = useWords(auditActions);
  const { values, set } = useSearchState();
  const { action } = values;
  const known = Object.entries(actions).map(([value, label]) => ({ value, label }));
  return (
    <Filters count={count} onClear={onClear} lead={<TextFilter name="text" label={words.text} />}>
      <FilterBox
        label={words.action}
        options={
          action && !Object.hasOwn(actions, action) ? [{ value: action, label: action }, ...known] : known
        }
        value={action ?? null}
        onChange={(next) => set({ action: next })}
      />
      <TextFilter name="actor" label={words.actor} help={words.actorHelp} />
      <TextFilter name="target" label={words.target} help={words.targetHelp} />
      <RangeFilter />
    </Filters>
  );
};
