import { useWords } from '../../language/use-words.ts';
import { Value } from '../../records/value.tsx';
import { auditWords } from './audit.words.ts';
import classes from './audit-row.module.css';
import type { FieldChange } from './difference.ts';

export interface DifferenceTableProps {
  readonly label: string;
  readonly changes: readonly FieldChange[];
}

/** Field by field, what stood before and what stands after. */
export const DifferenceTable = ({ label, changes }: DifferenceTableProps) => {
  const words = useWords(auditWords);
  const masked = (value: unknown) =>
    value === 'cleared' ? words.maskedCleared : value === 'changed' ? words.maskedChanged : words.masked;
  const cell = ({ isMasked, kind, ...values }: FieldChange, side: 'before' | 'after') => {
    const value = values[side];
    if (value === undefined) return '–';
    if (isMasked) return <span className={classes.masked}>{masked(value)}</span>;
    return (
      <span {...(kind !== 'same' && { className: classes[side] })}>
        <Value value={value} />
      </span>
    );
  };
  return (
    <table className={classes.changes} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{words.field}</th>
          <th scope="col">{words.before}</th>
          <th scope="col">{words.after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field}>
            <th scope="row">
              <bdi>{change.field || '–'}</bdi>
            </th>
            <td>{cell(change, 'before')}</td>
            <td>{cell(change, 'after')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
