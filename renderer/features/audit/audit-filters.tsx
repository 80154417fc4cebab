import { gameServersHttp } from '#contracts/game-servers.ts';
import { useCan } from '../../access/access-state.ts';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { FilterBox } from '../../lists/filter-box.tsx';
import { Filters } from '../../records/filters.tsx';
import { RangeFilter } from '../../records/range-filter.tsx';
import { TextFilter } from '../../records/text-filter.tsx';
import { useSearchState } from '../../routing/use-search-state.ts';
import { useRead } from '../../wire/queries.ts';
import { auditWords } from './audit.words.ts';
import { auditActionWords } from './audit-actions.words.ts';
import { AuditPersonFilter } from './audit-person-filter.tsx';

export interface AuditFiltersProps {
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
