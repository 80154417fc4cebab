import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmAction } from '../design/confirm-action.tsx';
import { useFormat } from '../language/use-format.ts';
import { useWords } from '../language/use-words.ts';
import { startWork } from '../work/work-state.ts';
import type { BulkAction } from './list-props.ts';
import classes from './lists.module.css';
import { listsWords } from './lists.words.ts';

/** Ids of rows, as the table keeps them. */
export type Selection = Readonly<Record<string, true>>;

const of = (ids: Iterable<string>): Selection =>
  Object.fromEntries(Array.from(ids, (id) => [id, true as const]));

export const isChosen = (selection: Selection, id: string): boolean => Object.hasOwn(selection, id);

export const isNoneChosen = (selection: Selection): boolean => Object.keys(selection).length === 0;

export const toggled = (selection: Selection, id: string): Selection => {
  if (!isChosen(selection, id)) return { ...selection, [id]: true };
  const { [id]: _left, ...rest } = selection;
  return rest;
};

const between = (order: readonly string[], a: string, b: string): readonly string[] => {
  const [from, to] = [order.indexOf(a), order.indexOf(b)].sort((x, y) => x - y);
  return from === undefined || to === undefined || from < 0 ? [] : order.slice(from, to + 1);
};

/**
 * The range from the anchor now ends at `to` instead of at `from`: rows that were only in the old range are deselected,
 * as in file lists with Shift.
 */
export const extended = (
  selection: Selection,
  order: readonly string[],
  anchor: string,
  from: string,
  to: string,
): Selection => {
  const left = new Set(between(order, anchor, from));
  const kept = Object.keys(selection).filter((id) => !left.has(id));
  return of([...kept, ...between(order, anchor, to)]);
};

/** All of them; or none, if they are all selected already. */
export const allOrNone = (selection: Selection, order: readonly string[]): Selection => {
  if (!order.every((id) => isChosen(selection, id))) return of([...Object.keys(selection), ...order]);
  const shown = new Set(order);
  return of(Object.keys(selection).filter((id) => !shown.has(id)));
};

/** Without the rows that are gone; the same object if all are still there. */
export const stillThere = (selection: Selection, ids: ReadonlySet<string>): Selection => {
  const chosen = Object.keys(selection);
  const kept = chosen.filter((id) => ids.has(id));
  return kept.length === chosen.length ? selection : of(kept);
};

/** The actions on the selected rows, and the number of rows for each. */
export const BulkBar = <Row,>(props: {
  readonly acts: readonly BulkAction<Row>[];
  /** The selected rows that are visible: nothing is done to rows that no one sees. */
  readonly chosen: readonly Row[];
  readonly onDone: () => void;
}) => {
  const { acts, chosen, onDone } = props;
  const words = useWords(listsWords);
  const format = useFormat();
  const [asking, setAsking] = useState<{ readonly act: BulkAction<Row>; readonly rows: readonly Row[] }>();

  const begin = ({ label, nameOf, run, opens }: BulkAction<Row>, rows: readonly Row[]) => {
    if (opens) return opens(rows, onDone);
    startWork({ label, items: rows, nameOf, run });
    onDone();
  };
  const titleOf = (act: BulkAction<Row>, count: number) =>
    count === chosen.length
      ? words.act(act.label, format.number(count))
      : words.actSome(act.label, format.number(count), format.number(chosen.length));

  return (
    <>
      <div
        className={classes.bulk}
        {...(chosen.length > 0 && {
          'data-is-shown': true,
          role: 'region',
          'aria-label': words.chosen(chosen.length),
        })}
      >
        {/* Always there: a screen reader announces only changes inside it. */}
        <Text size="sm" fw={600} component="span" role="status">
          {chosen.length > 0 && words.chosen(chosen.length)}
        </Text>
        {chosen.length > 0 && (
          <>
            {acts.map((act) => {
              const rows = act.isFor ? chosen.filter(act.isFor) : chosen;
              return (
                rows.length > 0 && (
                  <Button
                    key={act.label}
                    size="compact-sm"
                    variant="default"
                    {...(act.isDestructive && { c: 'var(--tone-bad)' })}
                    leftSection={act.icon}
                    onClick={() => (act.question ? setAsking({ act, rows }) : begin(act, rows))}
                  >
                    {titleOf(act, rows.length)}
                  </Button>
                )
              );
            })}
            <Button size="compact-sm" variant="subtle" color="gray" onClick={onDone}>
              {words.chooseNone}
            </Button>
          </>
        )}
      </div>
      {asking && (
        <ConfirmAction
          title={words.act(asking.act.label, format.number(asking.rows.length))}
          act={asking.act.label}
          isDestructive={asking.act.isDestructive === true}
          onAction={async () => begin(asking.act, asking.rows)}
          onClose={() => setAsking(undefined)}
        >
          {asking.act.question?.(asking.rows)}
        </ConfirmAction>
      )}
    </>
  );
};
