import type { ReactNode } from 'react';
import { TimeAgo } from '../design/time-ago.tsx';
import type { ListColumn } from './list-props.ts';

/** A column of a time. */
export const timeColumn = <Row,>(
  column: Pick<ListColumn<Row>, 'id' | 'header' | 'width' | 'isMinor'> & {
    readonly at: (row: Row) => string | null;
    /** Shown where there is no time. */
    readonly none?: ReactNode;
    readonly isSortable?: boolean;
  },
): ListColumn<Row> => {
  const { at, none, isSortable, ...shown } = column;
  return {
    ...shown,
    cell: (row) => {
      const time = at(row);
      return time === null ? none : <TimeAgo at={time} />;
    },
    text: (row) => at(row) ?? '',
    ...(isSortable && { sortBy: at }),
  };
};
