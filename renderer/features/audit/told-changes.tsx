import { useWords } from '../../language/use-words.ts';
import { auditWords } from './audit.words.ts';
import type { ToldChange } from './tell-change.ts';
import classes from './told-changes.module.css';

/** The changes field by field: from one value to another. */
export const ToldChanges = ({
  label,
  changes,
}: {
  readonly label: string;
  readonly changes: readonly ToldChange[];
}) => (
  <ul className={classes.changes} aria-label={label}>
    {changes.map((change) => (
      <li key={change.label}>
        {change.label !== '' && (
          <span className={classes.label}>
            <bdi>{change.label}</bdi>
            {': '}
          </span>
        )}
        <Told change={change} />
      </li>
    ))}
  </ul>
);

const Told = ({ change }: { readonly change: ToldChange }) => {
  const words = useWords(auditWords);
  switch (change.kind) {
    case 'masked':
      return <em className={classes.masked}>{change.says}</em>;
    case 'changed':
      return (
        <>
          <del className={classes.before}>
            <bdi>{change.before}</bdi>
          </del>
          {' → '}
          <ins className={classes.after}>
            <bdi>{change.after}</bdi>
          </ins>
        </>
      );
    case 'removed':
      return (
        <del className={classes.before}>
          <bdi>{change.value}</bdi>
        </del>
      );
    case 'list':
      return (
        <>
          {change.isMoved && words.moved}
          {change.added.length > 0 && <Part says={words.added} values={change.added} />}
          {change.removed.length > 0 && <Part says={words.removed} values={change.removed} />}
        </>
      );
    default:
      return <bdi className={classes.value}>{change.value}</bdi>;
  }
};

const Part = ({ says, values }: { readonly says: string; readonly values: readonly string[] }) => (
  <span className={classes.part}>
    {says}
    {values.map((value, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a list may hold the same thing twice
      <bdi key={index} className={classes.item}>
        {value}
      </bdi>
    ))}
  </span>
);
